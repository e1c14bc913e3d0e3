/** A name that is typed: Enter or leaving the field keeps it, Escape does not. A name that is refused goes away. */
import { useLayoutEffect, useRef } from 'preact/hooks'

interface Props {
  label: string
  name: string
  tip: string
  /** The promise of false: the name was not taken, and the field shows the one before. */
  onChange(name: string): unknown
}

export function NameField({ label, name, tip, onChange }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const restore = () => {
    if (input.current) input.current.value = name
  }
  useLayoutEffect(restore, [name]) // at once: a later one would take away what was typed meanwhile
  const keep = async (typed: string) => {
    if ((await onChange(typed)) === false && input.current?.value === typed) restore() // not what is typed by then
  }
  return (
    <label class="field" data-tip={tip}>
      <span>{label}</span>
      <input
        ref={input}
        type="text"
        class="text-input"
        aria-label={tip}
        defaultValue={name}
        maxLength={200}
        onBlur={(event) => {
          const typed = event.currentTarget.value
          if (!typed.trim()) restore()
          void keep(typed)
        }}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape') restore()
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
        }}
      />
    </label>
  )
}
