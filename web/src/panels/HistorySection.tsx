/** What was done, to go back to. */
import { useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { history } from '../state/document'
import { tell } from '../studio'
import { Button, Section } from './controls'

export function HistorySection() {
  const list = useRef<HTMLOListElement>(null)
  const { labels, at } = history.value
  useSignalEffect(() => {
    void history.value
    requestAnimationFrame(() => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }))
  })
  const aside = (
    <span class="actions">
      <Button icon="undo" tip="Undo" keys="Ctrl+Z" disabled={at === 0} onClick={() => tell({ type: 'Undo' })} />
      <Button icon="redo" tip="Redo" keys="Ctrl+Shift+Z" disabled={at === labels.length} onClick={() => tell({ type: 'Redo' })} />
    </span>
  )
  return (
    <Section title="History" aside={aside}>
      <ol ref={list} class="list history">
        {['Opened', ...labels].map((label, i) => (
          <li key={i} class={i > at ? 'undone' : ''}>
            <button type="button" class="item" aria-current={i === at ? 'step' : undefined} data-tip="Go back or forward to here" onClick={() => tell({ type: 'GoTo', at: i })}>{label}</button>
          </li>
        ))}
      </ol>
    </Section>
  )
}
