/** One slider of a view: dragged, typed, or moved by keys, as in the studio. */
import { useSignal, useSignalEffect } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { dragSlider } from '../core/gestures/dragSlider'
import { typedNumber } from '../core/typed'
import { TypedValue } from '../widgets/TypedValue'
import type { Slider, ViewState } from './state'

const shown = (value: number) => value.toFixed(2).replace('-0.00', '0.00')

const share = (value: number, low: number, high: number) =>
  high > low ? Math.min(Math.max((value - low) / (high - low), 0), 1) : 0

export function SliderRow({ state, slider }: { state: ViewState; slider: Slider }) {
  const { name, low, high } = slider.info
  const [row, bar] = [useRef<HTMLDivElement>(null), useRef<HTMLDivElement>(null)]
  const [fill, thumb] = [useRef<HTMLElement>(null), useRef<HTMLElement>(null)]
  const editing = useSignal(false)
  const put = (value: number) => state.put({ [name]: Math.min(Math.max(value, low), high) })
  const gesture = useMemo(() => dragging(state, slider), [slider])
  useSignalEffect(() => {
    const weight = slider.weight.value
    const [at, zero] = [share(weight, low, high), share(0, low, high)]
    fill.current!.style.transform = `translateX(${100 * Math.min(at, zero)}%) scaleX(${Math.abs(at - zero)})`
    thumb.current!.style.transform = `translateX(${100 * at}%)`
    bar.current!.setAttribute('aria-valuenow', shown(weight))
    row.current!.toggleAttribute('data-active', Math.abs(weight) >= 5e-4)
    row.current!.toggleAttribute('data-outside', weight < low - 1e-4 || weight > high + 1e-4)
  })
  return (
    <div ref={row} class="slider" data-slider={name}>
      <div
        ref={bar}
        class="bar"
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={low}
        aria-valuemax={high}
        data-tip={`${name}: drag sideways, finer with Shift; a double click resets. Bounds ${low} to ${high}.`}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          gesture.down(event.clientX, event.currentTarget.clientWidth)
        }}
        onPointerMove={(event) => gesture.move(event.clientX, event.shiftKey)}
        onPointerUp={() => gesture.up()}
        onPointerCancel={() => gesture.cancel()}
        onDblClick={() => put(0)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') return void gesture.cancel()
          const step = ((event.shiftKey ? 0.2 : event.ctrlKey ? 10 : 1) / 100) * (high - low)
          const wanted = moves(slider.weight.peek(), step, low, high)[event.key]
          if (wanted === undefined && event.key !== 'Enter') return
          event.preventDefault()
          if (wanted === undefined) editing.value = true
          else put(wanted)
        }}
      >
        <i ref={fill} class="fill" />
        <i ref={thumb} class="thumb" />
        <span class="name">{name}</span>
      </div>
      {editing.value ? (
        <TypedValue
          label={name}
          text={shown(slider.weight.peek())}
          editing={editing}
          bar={bar}
          put={(text) => {
            const wanted = typedNumber(text)
            if (wanted !== null) put(wanted)
          }}
        />
      ) : (
        <button type="button" class="value" data-tip="Type a value" onClick={() => (editing.value = true)}>
          {shown(slider.weight.value)}
        </button>
      )}
    </div>
  )
}

const moves = (now: number, step: number, low: number, high: number): Record<string, number | undefined> => ({
  ArrowRight: now + step,
  ArrowLeft: now - step,
  Home: low,
  End: high,
  Backspace: 0,
})

/** The gesture of the studio's sliders, for one slider of a view. */
function dragging(state: ViewState, { info, weight }: Slider) {
  let before = 0
  return dragSlider({
    members: () => [{ ...info, value: weight.peek(), partner: null }],
    change: (weights) => ({ type: 'SetWeights', weights, region: '' }),
    send: (intent) => {
      if (intent.type === 'GestureBegan') before = weight.peek()
      if (intent.type === 'GestureUpdated' && intent.edit.type === 'SetWeights') state.put(intent.edit.weights)
      if (intent.type === 'GestureCancelled') state.put({ [info.name]: before })
    },
  })
}
