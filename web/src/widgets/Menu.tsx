/** A button that opens a list of things to do. */
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { Button } from './controls'
import type { IconName } from './icons'

export interface Entry {
  label: string
  about: string
  disabled?: boolean
  run(): void
}

interface Props {
  id: string
  icon: IconName
  label: string
  tip: string
  keys?: string
  entries: Entry[]
}

export function Menu({ id, icon, label, tip, keys, entries }: Props) {
  const open = useSignal(false)
  const root = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const outside = (event: Event) => {
      if (!root.current?.contains(event.target as Node)) open.value = false
    }
    document.addEventListener('pointerdown', outside, true)
    return () => document.removeEventListener('pointerdown', outside, true)
  }, [])
  // Once, when it opens: the entries are drawn anew whenever what they act on changes.
  useLayoutEffect(() => {
    if (open.value) root.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }, [open.value])
  const step = (event: KeyboardEvent) => {
    const items = [...(root.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement)
    if (event.key === 'ArrowDown') items[(at + 1) % items.length]?.focus()
    else if (event.key === 'ArrowUp') items[(at - 1 + items.length) % items.length]?.focus()
    else if (event.key === 'Escape') {
      open.value = false
      root.current?.querySelector('button')?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div ref={root} class="menu" onKeyDown={open.value ? step : undefined}>
      <Button
        id={id}
        icon={icon}
        label={label}
        tip={tip}
        keys={keys}
        pressed={open.value}
        onClick={() => {
          open.value = !open.value
        }}
      />
      {open.value && (
        <div class="popup" role="menu" aria-label={label}>
          {entries.map((entry) => (
            <button
              key={entry.label}
              type="button"
              role="menuitem"
              disabled={entry.disabled}
              onClick={() => {
                open.value = false
                entry.run()
              }}
            >
              {entry.label}
              <small>{entry.about}</small>
            </button>
          ))}
        </div>
      )}
    </div>
  )
}
