/** In place of the viewport where the browser cannot draw in 3D: pictures by the server, one at a time. */
import { useSignal, useSignalEffect } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { keyed } from '../core/key'
import { opened, rigId } from '../core/document'
import { posed } from '../core/pose'
import { Segments } from '../widgets/controls'

const VIEWS = [
  ['0', 'Front', 'See the face from ahead'],
  ['45', '¾', 'See the face from three quarters'],
  ['90', 'Side', 'See the face from the side'],
] as const

export function ServerPicture() {
  const angle = useSignal<(typeof VIEWS)[number][0]>('0')
  const shown = useSignal('')
  const wanted = useSignal('')
  const idle = useRef(true)
  const show = () => {
    idle.current = wanted.peek() === shown.peek()
    shown.value = wanted.peek()
  }
  useSignalEffect(() => {
    wanted.value = keyed(`/api/server_picture/${angle.value}/${opened.value}-${rigId.value}-${posed.value}`)
    if (idle.current) show()
  })
  return (
    <div class="server-picture">
      <p role="alert">
        This browser has no WebGL, so that the face cannot be drawn here. The server draws it instead, which is slow,
        and pins cannot be dragged; sliders and the timeline work. Switch on hardware acceleration, or use another
        browser.
      </p>
      {shown.value && (
        // The next picture is asked for when the last one has come, so that they do not queue up.
        <img src={shown.value} alt="The face, drawn by the server" onLoad={show} onError={show} />
      )}
      <Segments value={angle.value} options={VIEWS} label="View" onChange={(next) => (angle.value = next)} />
    </div>
  )
}
