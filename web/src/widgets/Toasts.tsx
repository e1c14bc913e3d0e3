import { busy, connected, dismiss, toasts, trouble } from '../core/toasts'
import { Button } from './controls'

export function Toasts() {
  return (
    <div class="toasts" role="log" aria-live="polite">
      {connected.value === false && (
        <div class="toast problem">
          <p>The server does not answer. Your work is safe with it; this page connects again by itself.</p>
        </div>
      )}
      {trouble.value && (
        <div class="toast problem" id="trouble">
          <p>{trouble.value}</p>
        </div>
      )}
      {busy.value && (
        <div class="toast">
          <i class="spinner" />
          <p>{busy.value}…</p>
        </div>
      )}
      {toasts.value.map(({ id, kind, text }) => (
        <div key={id} class={`toast ${kind}`}>
          <p>{text}</p>
          <Button icon="close" tip="Close" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
