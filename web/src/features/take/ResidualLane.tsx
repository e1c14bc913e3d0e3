/** How far off the markers are in every frame of the take. */
import { take } from '../../core/document'
import { takeFrame } from '../../core/time'
import { ResidualStrip } from '../../widgets/ResidualStrip'
import type { LaneProps } from '../feature'
import { goToWorst } from './actions'
import { liveFit } from './state'

export function ResidualLane(props: LaneProps) {
  const [found, of] = [liveFit.value, take.value]
  if (!found?.worstFrames.length || !of) return null
  return (
    <ResidualStrip
      {...props}
      residuals={found}
      frames={of.frames}
      frame={takeFrame.value}
      timeOf={(frame) => frame / of.rate}
      frameAt={(seconds) => seconds * of.rate}
      label="Residual over time: arrow keys go from one of the worst frames to the next"
      tip="How far off the markers are, frame by frame; the marks on top are the worst. Below, yellow: half of the markers were not seen; red: none was"
      onWorst={goToWorst}
    />
  )
}
