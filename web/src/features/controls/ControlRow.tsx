/** A control of head, neck or eyes: dragged, typed and selected like a slider. Angles are shown in degrees. */
import { useSignal } from '@preact/signals'
import { useMemo, useRef } from 'preact/hooks'
import { shownControls, wordsOf } from '../../core/controls'
import type { ControlInfo } from '../../core/protocol.gen'
import { dragSlider, moved, type Member } from '../../core/gestures/dragSlider'
import { chosen } from '../../core/selection'
import { edit, intend } from '../../core/server'
import { say } from '../../core/toasts'
import { noNumber, typedNumber } from '../../core/typed'
import { toggle } from '../../core/view'
import { TypedValue } from '../../widgets/TypedValue'

const DEGREE = Math.PI / 180

export function ControlRow({ info, group }: { info: ControlInfo; group: string }) {
  const { name } = info
  const [low, high] = [info.low ?? 0, info.high ?? 1]
  const unit = info.unit === 'angle' ? DEGREE : 1
  const digits = info.unit === 'angle' ? 1 : 2
  const bar = useRef<HTMLDivElement>(null)
  const editing = useSignal(false)
  const value = shownControls.value[name]
  const at = value ?? info.rest
  const text = (at / unit).toFixed(digits).replace(/^-(0\.0*)$/, '$1')
  const put = (to: number) => edit({ type: 'SetControls', values: { [name]: Math.min(Math.max(to, low), high) } })
  const member = (): Member => ({ name, low, high, value: shownControls.value[name] ?? info.rest, partner: null })
  const gesture = useMemo(
    () =>
      dragSlider({ members: () => [member()], change: (values) => ({ type: 'SetControls', values }), send: intend }),
    [info],
  )
  const nudge = (share: number) => edit({ type: 'SetControls', values: moved([member()], share) })
  const putTyped = (typed: string) => {
    const wanted = typedNumber(typed)
    if (wanted === null) say(noNumber(typed, `${name} at ${text}`), 'problem')
    else if (typed.trim() !== text) void put(wanted * unit)
  }
  const share = (to: number) => Math.min(Math.max((to - low) / (high - low), 0), 1)
  const [here, zero] = [share(at), share(info.rest === 1 ? low : 0)]
  const label = `${group} ${wordsOf(info).toLowerCase()}`
  const keys: Record<string, () => void> = {
    ArrowRight: () => void nudge(0.01),
    ArrowLeft: () => void nudge(-0.01),
    Backspace: () => void edit({ type: 'ClearControls', names: [name] }),
    Enter: () => (editing.value = true),
  }
  return (
    <div
      class={`slider control${chosen.value.includes(name) ? ' chosen' : ''}`}
      data-control={name}
      data-active={value !== undefined && Math.abs(value - info.rest) > 5e-4 ? '' : undefined}
    >
      <div
        ref={bar}
        class="bar"
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={low / unit}
        aria-valuemax={high / unit}
        aria-valuenow={Number(text)}
        data-tip={`${name}: drag sideways, click selects it for keys, double-click lets go of it`}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          gesture.down(event.clientX, event.currentTarget.clientWidth)
        }}
        onPointerMove={(event) => gesture.move(event.clientX, event.shiftKey)}
        onPointerUp={(event) => {
          if (event.button !== 0 || gesture.up()) return
          if (event.ctrlKey || event.metaKey) toggle(chosen, name)
          else chosen.value = chosen.value.length === 1 && chosen.value[0] === name ? [] : [name]
        }}
        onPointerCancel={() => gesture.cancel()}
        onDblClick={() => edit({ type: 'ClearControls', names: [name] })}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && gesture.cancel()) return event.stopPropagation()
          if (!keys[event.key]) return
          event.preventDefault()
          event.stopPropagation()
          keys[event.key]()
        }}
      >
        <i
          class="fill"
          style={{ transform: `translateX(${100 * Math.min(here, zero)}%) scaleX(${Math.abs(here - zero)})` }}
        />
        <i class="zero" style={{ left: `${100 * zero}%` }} />
        <i class="thumb" style={{ transform: `translateX(${100 * here}%)` }} />
        <span class="name">{wordsOf(info)}</span>
      </div>
      {editing.value ? (
        <TypedValue label={label} text={text} editing={editing} bar={bar} put={putTyped} />
      ) : (
        <button
          type="button"
          class="value"
          tabIndex={-1}
          aria-label={`${label}: ${text}`}
          data-tip={info.unit === 'angle' ? 'Type degrees' : 'Type a value'}
          onClick={() => (editing.value = true)}
        >
          {text}
          {info.unit === 'angle' && '°'}
        </button>
      )}
    </div>
  )
}
