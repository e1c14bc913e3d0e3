/** The few controls that all panels are made of. Each has a tooltip, which is also its name for screen readers. */
import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { say } from '../core/toasts'
import { noNumber, typedNumber } from '../core/typed'
import { Icon, type IconName } from './icons'

interface WithTip {
  tip: string
  keys?: string
}

interface ButtonProps extends WithTip {
  icon?: IconName
  label?: string
  pressed?: boolean
  disabled?: boolean
  tone?: 'plain' | 'strong' | 'held'
  id?: string
  onClick(event: MouseEvent): void
}

export function Button({ icon, label, tip, keys, pressed, disabled, tone = 'plain', id, onClick }: ButtonProps) {
  return (
    <button
      type="button"
      id={id}
      class={`button ${tone}`}
      aria-label={label ?? tip}
      aria-pressed={pressed}
      disabled={disabled}
      data-tip={tip}
      data-keys={keys}
      onClick={onClick}
    >
      {icon && <Icon name={icon} />}
      {label && <span>{label}</span>}
    </button>
  )
}

interface CheckProps extends WithTip {
  label: string
  on: boolean
  onChange(on: boolean): void
}

export function Check({ label, tip, keys, on, onChange }: CheckProps) {
  return (
    <button
      type="button"
      class="check"
      role="switch"
      aria-checked={on}
      data-tip={tip}
      data-keys={keys}
      onClick={() => onChange(!on)}
    >
      <span>{label}</span>
      <i class="knob" />
    </button>
  )
}

interface NumberProps extends WithTip {
  value: number
  digits?: number
  step?: number
  low?: number
  high?: number
  suffix?: string
  disabled?: boolean
  onChange(value: number): void
}

/** A number that is typed, or stepped with the arrow keys. */
export function NumberField({
  value,
  digits = 2,
  step = 1,
  low = -Infinity,
  high = Infinity,
  suffix,
  tip,
  keys,
  disabled,
  onChange,
}: NumberProps) {
  const input = useRef<HTMLInputElement>(null)
  const draft = useRef<string | null>(null) // what is being typed, which news from elsewhere must not wipe
  const put = (wanted: number) => {
    draft.current = null
    onChange(Math.min(Math.max(wanted, low), high))
    if (input.current) input.current.value = value.toFixed(digits)
  }
  const putTyped = (text: string) => {
    const wanted = typedNumber(text)
    if (wanted !== null) return put(wanted)
    draft.current = null
    say(noNumber(text, value.toFixed(digits)), 'problem')
    if (input.current) input.current.value = value.toFixed(digits)
  }
  return (
    <label class="number" data-tip={tip} data-keys={keys}>
      <input
        ref={input}
        type="text"
        inputMode="decimal"
        aria-label={tip}
        disabled={disabled}
        value={draft.current ?? value.toFixed(digits)}
        onFocus={(event) => event.currentTarget.select()}
        onInput={(event) => {
          draft.current = event.currentTarget.value
        }}
        onBlur={() => {
          draft.current = null
        }}
        onChange={(event) => putTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') event.currentTarget.value = value.toFixed(digits)
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
          if (event.key === 'ArrowUp') put(value + step)
          if (event.key === 'ArrowDown') put(value - step)
          if (['ArrowUp', 'ArrowDown'].includes(event.key)) event.preventDefault()
        }}
      />
      {suffix && <span class="suffix">{suffix}</span>}
    </label>
  )
}

interface ChoiceProps<T extends string> extends WithTip {
  value: T
  options: readonly (readonly [T, string])[]
  disabled?: boolean
  onChange(value: T): void
}

export function Choice<T extends string>({ value, options, tip, keys, disabled, onChange }: ChoiceProps<T>) {
  return (
    <select
      class="choice"
      aria-label={tip}
      data-tip={tip}
      data-keys={keys}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value as T)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  )
}

interface SegmentsProps<T extends string> {
  value: string // none is pressed where it is none of the options
  options: readonly (readonly [key: T, label: string, tip: string])[]
  label: string
  broken?: boolean // into lines, where the words are long
  onChange(value: T): void
}

/** One of a few words, all of which are seen. */
export function Segments<T extends string>({ value, options, label, broken, onChange }: SegmentsProps<T>) {
  return (
    <div class={broken ? 'segments words broken' : 'segments words'} role="group" aria-label={label}>
      {options.map(([key, text, tip]) => (
        <button key={key} type="button" aria-pressed={value === key} data-tip={tip} onClick={() => onChange(key)}>
          {text}
        </button>
      ))}
    </div>
  )
}

interface RangeProps extends WithTip {
  value: number
  low: number
  high: number
  step?: number
  label: string
  disabled?: boolean
  onChange(value: number): void
  /** For what is one gesture until it is let go: see `heldRange`. */
  held?: { keyDown(key: string): void; keyUp(key: string): void; chosen(): void; letGo(): void }
}

export function Range({ value, low, high, step = 0.01, label, tip, keys, disabled, onChange, held }: RangeProps) {
  return (
    <input
      class="range"
      type="range"
      min={low}
      max={high}
      step={step}
      value={value}
      disabled={disabled}
      aria-label={label}
      data-tip={tip}
      data-keys={keys}
      onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      onChange={held?.chosen}
      onKeyDown={(event) => held?.keyDown(event.key)}
      onKeyUp={(event) => held?.keyUp(event.key)}
      onBlur={held?.letGo}
    />
  )
}

interface SectionProps {
  title: string
  aside?: ComponentChildren
  named?: boolean // the title is a name that somebody gave
  children: ComponentChildren
}

export function Section({ title, aside, named, children }: SectionProps) {
  return (
    <section class={named ? 'section named' : 'section'}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  )
}
