/** The line between the plain mix and the mix in two bands. */
import { textures } from '../../core/document'
import { mixing, splitAt } from './state'

export function SplitHandle() {
  if (mixing.value !== 'split' || !textures.value) return null
  const put = (at: number) => {
    splitAt.value = Math.min(Math.max(at, 0.02), 0.98)
  }
  const follow = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
    const { left, width } = event.currentTarget.parentElement!.getBoundingClientRect()
    put((event.clientX - left) / width)
  }
  return (
    <div
      class="split"
      role="slider"
      tabIndex={0}
      aria-label="Where the plain mix ends"
      aria-valuemin={2}
      aria-valuemax={98}
      aria-valuenow={Math.round(100 * splitAt.value)}
      data-tip="Left of the line textures are mixed plainly, right of it in two bands; drag it"
      style={{ left: `${100 * splitAt.value}%` }}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        event.stopPropagation()
      }}
      onPointerMove={follow}
      onKeyDown={(event) => {
        const by = { ArrowLeft: -0.01, ArrowRight: 0.01 }[event.key]
        if (!by) return
        put(splitAt.value + by)
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <i />
      <span class="plain">plain</span>
      <span class="bands">two bands</span>
    </div>
  )
}
