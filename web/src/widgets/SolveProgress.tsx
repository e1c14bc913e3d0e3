/** How far a solve in the background is, and a button that ends it with what there is. */
import type { SolvingInfo } from '../core/protocol.gen'
import { Button } from './controls'

interface Props {
  job: SolvingInfo
  stopId: string
  onStop(): void
}

export function SolveProgress({ job: { done, total, speed, stopping }, stopId, onStop }: Props) {
  const share = total ? done / total : 0
  const words = stopping
    ? 'Stopping…'
    : done === 0
      ? 'Preparing…'
      : `${done.toLocaleString('en')} of ${total.toLocaleString('en')} frames · ${Math.round(speed).toLocaleString('en')} a second`
  return (
    <div class="solving" role="group" aria-label="Solving">
      <div
        class={`progress${done ? '' : ' waiting'}`}
        role="progressbar"
        aria-label="Frames solved"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        data-tip="The face can be worked on meanwhile"
      >
        <i style={{ width: `${100 * share}%` }} />
      </div>
      <p class="fact faint" role="status">
        {words}
      </p>
      <Button
        id={stopId}
        icon="stop"
        label="Cancel"
        tone="strong"
        disabled={stopping}
        tip="Stop, and keep what is solved so far as a clip"
        onClick={onStop}
      />
    </div>
  )
}
