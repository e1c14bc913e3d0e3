/** What was done, to go back to. */
import { useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { history } from '../../core/document'
import { send } from '../../core/server'
import { redo, undo } from '../../core/undo'
import { Button, Section } from '../../widgets/controls'

export function HistorySection() {
  const list = useRef<HTMLOListElement>(null)
  const { labels, at } = history.value
  useSignalEffect(() => {
    void history.value
    requestAnimationFrame(() => reveal(list.current))
  })
  const aside = (
    <span class="actions">
      <Button icon="undo" tip="Undo" keys="Ctrl+Z" disabled={at === 0} onClick={undo} />
      <Button icon="redo" tip="Redo" keys="Ctrl+Shift+Z" disabled={at === labels.length} onClick={redo} />
    </span>
  )
  return (
    <Section title="History" aside={aside}>
      <ol ref={list} class="list history">
        {['Opened', ...labels].map((label, i) => (
          <li key={i} class={i > at ? 'undone' : ''}>
            <button
              type="button"
              class="item"
              aria-current={i === at ? 'step' : undefined}
              data-tip={`Go back or forward to here: ${label}`}
              onClick={() => send({ type: 'GoTo', at: i })}
            >
              {label}
            </button>
          </li>
        ))}
      </ol>
    </Section>
  )
}

/** Scroll the list, and only it, to the entry we are at. */
function reveal(list: HTMLElement | null): void {
  const item = list?.querySelector<HTMLElement>('[aria-current]')
  if (!list || !item) return
  const at = item.getBoundingClientRect().top - list.getBoundingClientRect().top
  if (at < 0 || at > list.clientHeight - item.clientHeight) list.scrollTop += at - list.clientHeight / 2
}
