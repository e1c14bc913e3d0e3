/** One slider. Its value is written straight into the row, so that three hundred of them can move at once. */
import { useSignal, useSignalEffect } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { dragSlider, moved as movedTogether, wishes } from '../../core/gestures/dragSlider'
import { movedWith, selectSlider } from './select'
import { locked } from '../../core/document'
import { chosenName } from '../../core/regions'
import { isMoved, mirrorOf, type Slider } from '../../core/sliders'
import { chosen, lit } from '../../core/selection'
import { edit, intend } from '../../core/server'
import { say } from '../../core/toasts'
import { noNumber, typedNumber } from '../../core/typed'
import { Icon } from '../../widgets/icons'
import { TypedValue } from '../../widgets/TypedValue'
import { linked } from './state'

const shown = (value: number) => value.toFixed(2).replace('-0.00', '0.00')

export function SliderRow({ slider }: { slider: Slider }) {
  const { name, low, high } = slider.info
  const row = useRef<HTMLDivElement>(null)
  const [bar, fill, thumb, was, value, change] = [
    useRef<HTMLDivElement>(null),
    useRef<HTMLElement>(null),
    useRef<HTMLElement>(null),
    useRef<HTMLElement>(null),
    useRef<HTMLElement>(null),
    useRef<HTMLElement>(null),
  ]
  const editing = useSignal(false)
  const range = { name, low, high }
  const partner = () => {
    const other = linked.value ? mirrorOf(slider) : null
    return other && { name: other.info.name, low: other.info.low, high: other.info.high }
  }
  const gesture = useMemo(
    () =>
      dragSlider({
        members: () => movedWith(slider),
        change: (weights) => ({ type: 'SetWeights', weights, region: chosenName.value }),
        region: () => chosenName.value,
        send: intend,
      }),
    [slider],
  )
  const put = (wanted: number) =>
    edit({ type: 'SetWeights', weights: wishes(wanted, range, partner()), region: chosenName.value })
  const nudge = (share: number) =>
    edit({ type: 'SetWeights', weights: movedTogether(movedWith(slider), share), region: chosenName.value })
  const putTyped = (text: string) => {
    const now = shown(slider.weight.value)
    const wanted = typedNumber(text)
    if (wanted === null) say(noNumber(text, `${name} at ${now}`), 'problem')
    else if (text.trim() !== now) void put(wanted)
  }

  useSignalEffect(() => {
    const weight = slider.weight.value
    const at = share(weight, low, high)
    const zero = share(0, low, high)
    // Transforms only: a new width would lay the row out anew, hundreds of times a second.
    fill.current!.style.transform = `translateX(${100 * Math.min(at, zero)}%) scaleX(${Math.abs(at - zero)})`
    thumb.current!.style.transform = `translateX(${100 * at}%)`
    if (value.current) value.current.textContent = shown(weight)
    bar.current!.setAttribute('aria-valuenow', shown(weight))
    row.current!.toggleAttribute('data-active', Math.abs(weight) >= 5e-4)
    row.current!.toggleAttribute('data-outside', weight < low - 1e-4 || weight > high + 1e-4)
  })
  useSignalEffect(() => {
    row.current!.toggleAttribute('data-local', slider.local.value)
  })
  useSignalEffect(() => {
    row.current!.toggleAttribute('data-lit', lit.value.has(name))
  })
  useSignalEffect(() => {
    const by = slider.change.value
    const moved = isMoved(slider)
    row.current!.toggleAttribute('data-moved', moved)
    change.current!.textContent = moved ? `${by > 0 ? '+' : '−'}${Math.abs(by).toFixed(2)}` : ''
    was.current!.style.transform = `translateX(${100 * share(slider.weight.value - by, low, high)}%)`
  })

  const isLocked = locked.value.has(name)
  const isChosen = chosen.value.includes(name)
  const bounds = low === 0 && high === 1 ? '' : `${low} … ${high}`
  return (
    <div ref={row} class={`slider${isLocked ? ' locked' : ''}${isChosen ? ' chosen' : ''}`} data-slider={name}>
      <button
        type="button"
        class="lock"
        aria-label={`Lock ${name}`}
        aria-pressed={isLocked}
        tabIndex={-1}
        data-tip={isLocked ? 'Let solvers move this slider again' : 'Keep solvers and resets from moving this slider'}
        data-keys="L"
        onClick={() => edit({ type: 'LockSliders', sliders: [name], locked: !isLocked })}
      >
        <Icon name={isLocked ? 'lock' : 'unlock'} />
      </button>
      <div
        ref={bar}
        class="bar"
        role="slider"
        tabIndex={0}
        aria-label={name}
        aria-valuemin={low}
        aria-valuemax={high}
        data-tip={`${name}: drag sideways, double-click resets, click selects it, with Ctrl or Shift several, which then move together. Bounds ${low} to ${high}.`}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          gesture.down(event.clientX, event.currentTarget.clientWidth)
        }}
        onPointerMove={(event) => gesture.move(event.clientX, event.shiftKey)}
        onPointerUp={(event) => {
          if (event.button !== 0 || gesture.up()) return
          selectSlider(name, event)
        }}
        onPointerCancel={() => gesture.cancel()}
        onDblClick={() =>
          edit({
            type: 'ResetWeights',
            sliders: [name, ...(partner() ? [partner()!.name] : [])],
            region: chosenName.value,
          })
        }
        onKeyDown={(event) =>
          onKey(event, {
            put,
            nudge,
            slider,
            isLocked,
            type: () => {
              editing.value = true
            },
            cancel: gesture.cancel,
          })
        }
      >
        <i ref={fill} class="fill" />
        <i class="zero" style={{ left: `${100 * share(0, low, high)}%` }} />
        <i ref={thumb} class="thumb" />
        <i ref={was} class="was" />
        <span class="name" id={`name-${slider.index}`}>
          {name}
        </span>
        {bounds && <span class="bounds">{bounds}</span>}
        <span ref={change} class="change" />
      </div>
      {editing.value ? (
        <TypedValue label={name} text={shown(slider.weight.value)} editing={editing} bar={bar} put={putTyped} />
      ) : (
        <button
          type="button"
          class="value"
          tabIndex={-1}
          aria-labelledby={`name-${slider.index} value-${slider.index}`}
          data-tip="Type a value"
          data-keys="Enter"
          onClick={() => {
            editing.value = true
          }}
        >
          <span
            id={`value-${slider.index}`}
            ref={(element) => {
              value.current = element
              if (element) element.textContent = shown(slider.weight.peek())
            }}
          />
        </button>
      )}
    </div>
  )
}

const share = (value: number, low: number, high: number) =>
  high > low ? Math.min(Math.max((value - low) / (high - low), 0), 1) : 0

interface Keyed {
  put(value: number): void
  nudge(share: number): void // with all that is selected
  slider: Slider
  isLocked: boolean
  type(): void // let the user type a value
  cancel(): boolean
}

function onKey(event: KeyboardEvent, { put, nudge, slider, isLocked, type, cancel }: Keyed): void {
  const { name, low, high } = slider.info
  const step = (event.shiftKey ? 0.2 : event.ctrlKey ? 10 : 1) / 100
  const moves: Record<string, () => void> = {
    ArrowRight: () => nudge(step),
    ArrowLeft: () => nudge(-step),
    ArrowUp: () => focusNext(event, -1),
    ArrowDown: () => focusNext(event, 1),
    Home: () => put(low),
    End: () => put(high),
    Enter: type,
    Backspace: () => put(0),
    l: () => edit({ type: 'LockSliders', sliders: [name], locked: !isLocked }),
  }
  if (event.key === 'Escape' && cancel()) return event.stopPropagation()
  const move = moves[event.key]
  if (!move) return
  event.preventDefault()
  event.stopPropagation()
  move()
}

function focusNext(event: KeyboardEvent, by: number): void {
  const bars = [...document.querySelectorAll<HTMLElement>('.slider .bar')]
  bars[bars.indexOf(event.currentTarget as HTMLElement) + by]?.focus()
}
