import { film, loading } from '../core/document'
import { act } from '../core/server'
import { busy, connected, dismiss, keep, toasts, trouble } from '../core/toasts'
import { Button } from './controls'

/** All that would have worked, where the message names some of it. */
function Known({ id, known }: { id: number; known: readonly string[] }) {
  return (
    <details onToggle={() => keep(id)} data-tip="The kinds of files, and how their names end">
      <summary>All that is opened</summary>
      <ul>
        {known.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </details>
  )
}

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
      {loading.value && (
        <div class="toast" id="loading">
          <i class="spinner" />
          <p>
            Reading {loading.value.name}
            {loading.value.waiting > 0 && `, ${loading.value.waiting} more`}…
          </p>
          <Button
            id="stop-loading"
            label="Cancel"
            tip="Stop reading; the face stays as it is"
            onClick={() => void act({ type: 'StopLoading' })}
          />
        </div>
      )}
      {film.value && !film.value.ready && (
        <div class="toast" id="film">
          <i class="spinner" />
          <p>
            Drawing “{film.value.clip}”: {film.value.done} of {film.value.total || '…'} frames
          </p>
          <Button
            id="stop-film"
            label="Stop"
            tip="End the film with the frames that are drawn"
            disabled={film.value.stopping}
            onClick={() => void act({ type: 'StopFilm' })}
          />
        </div>
      )}
      {busy.value && !loading.value && (
        <div class="toast">
          <i class="spinner" />
          <p>{busy.value}…</p>
        </div>
      )}
      {toasts.value.map(({ id, kind, text, known }) => (
        <div key={id} class={`toast ${kind}`}>
          <div class="words">
            <p>{text}</p>
            {known.length > 0 && <Known id={id} known={known} />}
          </div>
          <Button icon="close" tip="Close" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
