/** A text by which a list is filtered. */
import type { Signal } from '@preact/signals'

interface Props {
  text: Signal<string>
  label: string
  tip: string
  placeholder?: string
}

export const FilterField = ({ text, label, tip, placeholder = 'Filter' }: Props) => (
  <label class="filter" data-tip={tip}>
    <input
      type="search"
      placeholder={placeholder}
      aria-label={label}
      value={text.value}
      onInput={(event) => {
        text.value = event.currentTarget.value
      }}
    />
  </label>
)
