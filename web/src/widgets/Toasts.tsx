import { film, loading } from '../core/document'
import { act } from '../core/server'
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
      {toasts.value.map(({ id, kind, text }) => (
        <div key={id} class={`toast ${kind}`}>
          <p>{text}</p>
          <Button icon="close" tip="Close" onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  )
}
