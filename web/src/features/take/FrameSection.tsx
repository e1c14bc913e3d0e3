/** The frame that is shown: how it was solved, and how far off the markers are. */
import { markers } from './seenMarkers'
import type { TakeInfo } from '../../core/protocol.gen'
import { takeFrame } from '../../core/time'
import { liveFit, type Fit } from './state'
import { goToWorst } from './actions'
import { Button, Section } from '../../widgets/controls'

export function FrameSection({ take }: { take: TakeInfo }) {
  const found = liveFit.value
  const frame = takeFrame.value
  if (!found?.worstFrames.length) return null
  const aside = (
    <span class="actions">
      <Button
        icon="previous"
        tip="To the one of the worst frames before"
        keys="Shift+J"
        onClick={() => goToWorst(-1)}
      />
      <Button icon="next" tip="To the next of the worst frames" keys="J" onClick={() => goToWorst(1)} />
    </span>
  )
  return (
    <Section title={frame >= 0 ? `Frame ${frame}` : 'Frame'} aside={aside}>
      {frame < 0 ? <p class="fact faint">The take is over here.</p> : <Figures take={take} fit={found} frame={frame} />}
    </Section>
  )
}

function Figures({ take, fit, frame }: { take: TakeInfo; fit: Fit; frame: number }) {
  const mean = fit.mean[frame]
  const usable = take.markers.filter((marker) => marker.bindable && !marker.ignored).length
  const seen = markers.value.filter(
    (marker) => marker.place && !marker.ignored && !marker.doubted && marker.bindable,
  ).length
  const status = fit.statuses[fit.status[frame]] ?? ''
  if (Number.isNaN(mean))
    return <p class="fact wanting">{fit.status[frame] ? capital(status) : 'Not solved, or no marker was seen'}</p>
  return (
    <>
      <p class="fact" data-tip="How far the markers are off on average: in this frame, and in all">
        <b>{mean.toFixed(2)} mm</b> <span class="faint">here, {fit.typical.toFixed(2)} mm in all</span>
      </p>
      <p class="fact faint">Furthest off: {take.markers[fit.worst[frame]]?.name}</p>
      <p class={`fact ${fit.status[frame] ? 'wanting' : 'faint'}`}>
        {capital(status)}
        {markers.value.length > 0 && `; ${seen} of ${usable} markers seen`}
      </p>
    </>
  )
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
