/** The field in which a slider's value is typed. Enter, Tab and a click elsewhere keep it, Escape puts the old one back. */
import type { Signal } from '@preact/signals'
import type { RefObject } from 'preact'

interface Props {
  label: string
  text: string
  editing: Signal<boolean> // whether the field is there
  bar: RefObject<HTMLElement | null> // what has the focus afterwards
  put: (typed: string) => void
}

export function TypedValue({ label, text, editing, bar, put }: Props) {
  return (
    <input
      class="value"
      type="text"
      inputMode="decimal"
      aria-label={`Value of ${label}`}
      defaultValue={text}
      ref={(input) => {
        input?.focus()
        input?.select()
      }}
      onBlur={(event) => {
        if (editing.value) put(event.currentTarget.value)
        editing.value = false
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') editing.value = false
        if (event.key === 'Enter' || event.key === 'Escape') bar.current?.focus()
        event.stopPropagation()
      }}
    />
  )
}
