/** How far what was measured is from the tracked face, in every frame. */
import { ResidualStrip } from '../../widgets/ResidualStrip'
import type { LaneProps } from '../feature'
import { goToWorst } from './actions'
import { frameAt, residuals, scanFrame, times } from './state'

export function ScanLane(props: LaneProps) {
  const [found, at] = [residuals.value, times.value]
  if (!found || !at?.length) return null
  return (
    <ResidualStrip
      {...props}
      residuals={found}
      frames={at.length}
      frame={scanFrame.value}
      timeOf={(frame) => at[frame] ?? 0}
      frameAt={(seconds) => frameAt(at, seconds)}
      label="Residual of the depth over time: arrow keys go from one of the worst frames to the next"
      tip="How far what was measured is from the face along its normals, frame by frame, as it was tracked; the marks on top are the worst. Below, yellow: a frame that was followed in part or poorly; red: one that was bridged"
      onWorst={goToWorst}
    />
  )
}
