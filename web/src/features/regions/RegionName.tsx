/** A region's name: a click chooses it, a double click gives it another name. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { renameRegion } from './actions'
import { Icon } from '../../widgets/icons'

interface Props {
  name: string
  chosen: boolean
  children: ComponentChildren
  onChoose(): void
}

export function RegionName({ name, chosen, children, onChoose }: Props) {
  const editing = useSignal(false)
  if (editing.value) {
    const done = (input: HTMLInputElement, keep: boolean) => {
      if (!editing.peek()) return
      editing.value = false
      if (keep) void renameRegion(name, input.value)
    }
    return (
      <label class="item renaming">
        {children}
        <input
          type="text"
          aria-label={`Another name for ${name}`}
          defaultValue={name}
          maxLength={200}
          ref={(input) => {
            if (input && document.activeElement !== input) {
              input.focus()
              input.select()
            }
          }}
          onBlur={(event) => done(event.currentTarget, true)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || event.key === 'Escape') done(event.currentTarget, event.key === 'Enter')
            event.stopPropagation()
          }}
        />
      </label>
    )
  }
  return (
    <>
      <button
        type="button"
        class="item"
        aria-pressed={chosen}
        data-tip="Choose this region: drags and sliders stay inside it. Double-click to rename"
        onClick={onChoose}
        onDblClick={() => {
          editing.value = true
        }}
      >
        {children}
        <span class="text">{name}</span>
      </button>
      <button
        type="button"
        class="quiet rename"
        aria-label={`Rename ${name}`}
        data-tip="Give this region another name"
        onClick={() => {
          editing.value = true
        }}
      >
        <Icon name="rename" />
      </button>
    </>
  )
}
