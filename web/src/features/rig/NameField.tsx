/** A name that is typed: Enter or leaving the field keeps it, Escape does not. */
interface Props {
  label: string
  name: string
  tip: string
  onChange(name: string): void
}

export function NameField({ label, name, tip, onChange }: Props) {
  return (
    <label class="field" data-tip={tip}>
      <span>{label}</span>
      <input
        type="text"
        class="text-input"
        aria-label={tip}
        defaultValue={name}
        maxLength={200}
        onBlur={(event) => onChange(event.currentTarget.value)}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Escape') event.currentTarget.value = name
          if (event.key === 'Enter' || event.key === 'Escape') event.currentTarget.blur()
        }}
      />
    </label>
  )
}
