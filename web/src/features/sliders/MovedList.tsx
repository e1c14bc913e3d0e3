/** The sliders that the last drag moved most. */
import { along } from '../../core/pose'
import { movedCount, sliders } from '../../core/sliders'
import { openPanel } from '../../core/panels'
import { folded } from './state'

const MOST = 6

export function MovedList() {
  if (!movedCount.value) return null
  const moved = sliders.value
    .filter((slider) => Math.abs(slider.change.value) >= 5e-3)
    .sort((a, b) => Math.abs(b.change.value) - Math.abs(a.change.value))
    .slice(0, MOST)
  return (
    <div class="moved-list" role="group" aria-label="Moved most by the last drag">
      {along.value > 0 && (
        <p data-tip="Switch “Hold still” off in the tab Pose to move one slider alone">
          Held points moved {along.value} other {along.value === 1 ? 'slider' : 'sliders'} along
        </p>
      )}
      {moved.map((slider) => (
        <button
          key={slider.index}
          type="button"
          data-tip="The last drag moved this slider; click to go to it"
          onClick={() => reveal(slider.info)}
        >
          {slider.info.name}
          <b>
            {slider.change.value > 0 ? '+' : '−'}
            {Math.abs(slider.change.value).toFixed(2)}
          </b>
        </button>
      ))}
    </div>
  )
}

function reveal(info: { name: string; group: string }): void {
  openPanel('left')
  folded.value = folded.value.filter((group) => group !== info.group)
  requestAnimationFrame(() => {
    const bar = document.querySelector<HTMLElement>(`[data-slider="${CSS.escape(info.name)}"] .bar`)
    bar?.scrollIntoView({ block: 'center' })
    bar?.focus()
  })
}
