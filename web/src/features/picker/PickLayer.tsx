/** Over the face: names of the sliders under the pointer, and after a click a small menu of them. */
import { useMemo } from 'preact/hooks'
import { locked } from '../../core/document'
import { dragSlider } from '../../core/gestures/dragSlider'
import { chosenName } from '../../core/regions'
import { chosen } from '../../core/selection'
import { intend } from '../../core/server'
import { byName, type Slider } from '../../core/sliders'
import { tool, toggle } from '../../core/view'
import { viewport } from '../../scene/current'
import { Button } from '../../widgets/controls'
import type { LayerProps } from '../feature'
import { MOST, picked, under } from './state'

const [WIDTH, ROW, HEADER] = [236, 24, 38] // pixels of the menu

export function PickLayer({ hover }: LayerProps) {
  if (tool.value !== 'pick') return null
  return (
    <>
      {!picked.value && hover.value && <Names at={hover.value} />}
      {picked.value && <PickMenu />}
    </>
  )
}

/** What the sliders list lights up, beside the pointer. */
function Names({ at }: { at: { x: number; y: number } }) {
  if (!under.value.length) return null
  return (
    <ul class="pick-names" style={{ left: `${at.x + 16}px`, top: `${at.y + 12}px` }}>
      {under.value.slice(0, 4).map(({ slider }) => (
        <li key={slider}>{slider}</li>
      ))}
    </ul>
  )
}

function PickMenu() {
  const { x, y, sliders } = picked.value!
  const { width, height } = viewport.value!.size
  const rows = sliders.flatMap((name) => byName.value.get(name) ?? []).slice(0, MOST)
  const left = Math.max(Math.min(x + 14, width - WIDTH - 8), 8)
  const top = Math.max(Math.min(y + 10, height - HEADER - ROW * rows.length - 16), 8)
  return (
    <div
      class="pick-menu"
      role="dialog"
      aria-label="Sliders of this point"
      style={{ left: `${left}px`, top: `${top}px`, width: `${WIDTH}px` }}
    >
      <header>
        <span>
          {rows.length} {rows.length === 1 ? 'slider moves' : 'sliders move'} this point
        </span>
        <Button icon="close" tip="Close this menu" keys="Esc" onClick={() => (picked.value = null)} />
      </header>
      {rows.map((slider) => (
        <PickRow key={slider.index} slider={slider} />
      ))}
    </div>
  )
}

function PickRow({ slider }: { slider: Slider }) {
  const { name, low, high } = slider.info
  const value = slider.weight.value
  const gesture = useMemo(
    () =>
      dragSlider({
        members: () => [{ name, low, high, value: slider.weight.value, partner: null }],
        change: (weights) => ({ type: 'SetWeights', weights, region: chosenName.value }),
        region: () => chosenName.value,
        send: intend,
      }),
    [slider],
  )
  const put = (to: number) => {
    const weights = { [name]: Math.min(Math.max(to, low), high) }
    intend({ type: 'Edited', edit: { type: 'SetWeights', weights, region: chosenName.value } })
  }
  const share = (at: number) => (high > low ? Math.min(Math.max((at - low) / (high - low), 0), 1) : 0)
  const [here, zero] = [share(value), share(0)]
  const steps: Record<string, number> = { ArrowRight: 0.01, ArrowLeft: -0.01 }
  const isLocked = locked.value.has(name)
  return (
    <div
      class={`slider pick-row${chosen.value.includes(name) ? ' chosen' : ''}${isLocked ? ' locked' : ''}`}
      data-pick={name}
      data-active={Math.abs(value) >= 5e-4 ? '' : undefined}
    >
      <div
        class="bar"
        role="slider"
        tabIndex={0}
        aria-label={`${name} at this point`}
        aria-valuemin={low}
        aria-valuemax={high}
        aria-valuenow={Number(value.toFixed(2))}
        data-tip={`${name}: drag sideways, click selects it`}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          gesture.down(event.clientX, event.currentTarget.clientWidth)
        }}
        onPointerMove={(event) => gesture.move(event.clientX, event.shiftKey)}
        onPointerUp={(event) => {
          if (event.button !== 0 || gesture.up()) return
          if (event.ctrlKey || event.metaKey) toggle(chosen, name)
          else chosen.value = [name]
        }}
        onPointerCancel={() => gesture.cancel()}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && gesture.cancel()) return event.stopPropagation()
          if (!steps[event.key]) return
          event.preventDefault()
          event.stopPropagation()
          put(value + steps[event.key] * (high - low))
        }}
      >
        <i
          class="fill"
          style={{ transform: `translateX(${100 * Math.min(here, zero)}%) scaleX(${Math.abs(here - zero)})` }}
        />
        <i class="thumb" style={{ transform: `translateX(${100 * here}%)` }} />
        <span class="name">{name}</span>
      </div>
      <span class="pick-value">{value.toFixed(2)}</span>
    </div>
  )
}
