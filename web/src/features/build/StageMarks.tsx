/** Over the stage: captions, the divider, the legend of the colours. */
import type { ReadonlySignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { stage } from '../../scene/current'
import { heatHigh, shown, shownPose } from './shown'
import { heatGradient } from '../../scene/stage/heat'
import { build, compared, length, pairing } from './state'

export function Captions({ drawn }: { drawn: ReadonlySignal<number> }) {
  void drawn.value // cells move with the divider and the size
  const cells = stage.value?.cells ?? []
  return (
    <>
      {shown.value.map(
        ({ title, note }, i) =>
          cells[i] && (
            <p
              key={`${i} ${title}`}
              class="stage-caption"
              style={{ left: `${cells[i].from}px`, width: `${cells[i].to - cells[i].from}px` }}
            >
              <b>{title}</b>
              {note && <span>{note}</span>}
            </p>
          ),
      )}
    </>
  )
}

/** A line that is dragged across the face. */
export function Divider() {
  const root = useRef<HTMLDivElement>(null)
  const { layout, divider } = compared.value
  if (layout !== 'split' || shown.value.length !== 2 || pairing.value || !shownPose.value?.version) return null
  const put = (share: number) => {
    compared.value = { ...compared.value, divider: Math.min(Math.max(share, 0.02), 0.98) }
  }
  return (
    <div
      ref={root}
      class="compare-divider"
      role="slider"
      tabIndex={0}
      aria-label="Divider between the example and the rig's version"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * divider)}
      data-tip="Drag it across: the example is on its left, the rig's version on its right"
      style={{ left: `${100 * divider}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (!event.currentTarget.hasPointerCapture(event.pointerId)) return
        const { left, width } = root.current!.parentElement!.getBoundingClientRect()
        put((event.clientX - left) / width)
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.02, ArrowRight: 0.02 }[event.key]
        if (!step) return
        put(divider + step)
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <i />
    </div>
  )
}

/** The scale of the heat map. */
export function Legend() {
  if (!compared.value.error || !shownPose.value?.version || pairing.value) return null
  const [high, size] = [heatHigh.value, build.value?.size ?? 0]
  return (
    <figure class="heat-legend" aria-label="Colours of the error">
      <figcaption>
        apart{size > 0 && <span>, the end is {Number(((100 * high) / size).toPrecision(2))} % of the face</span>}
      </figcaption>
      <i style={{ backgroundImage: heatGradient() }} />
      <p>
        <span>0</span>
        <span>{length(high / 2)}</span>
        <span>{length(high)}</span>
      </p>
    </figure>
  )
}
