/** Over the face, so that an actor sees it from afar: the countdown, then that a take is recorded. */
import { live } from '../../core/document'

export function RecordingLayer() {
  const info = live.value
  if (!info || info.recorded === null) return null
  if (info.countdown > 0) return <p class="live-countdown">{Math.ceil(info.countdown)}</p>
  return (
    <p class="live-recording">
      <i />
      {info.recorded} frames
    </p>
  )
}
