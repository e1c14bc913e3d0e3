import { rate } from '../../core/document'
import { left } from '../../core/unkeyed'
import { Button } from '../../widgets/controls'
import { bringBack, keyLeft } from './unkeyed'

/** Says that a pose was left without a key, and what can be done about it. */
export function LeftPose() {
  if (!left.value) return null
  const names = Object.keys(left.value.weights)
  const frame = Math.round(left.value.time * rate.value)
  const what = names.length === 1 ? names[0] : `${names[0]} and ${names.length - 1} more`
  return (
    <div class="left-pose" role="status">
      <span>
        The pose of frame {frame} was not keyed: <b>{what}</b>
      </span>
      <Button label={`Key it at ${frame}`} tone="strong" tip="Set keys there, and go back to it" onClick={keyLeft} />
      <Button label="Bring it here" tip="Pose these sliders at the present frame" onClick={bringBack} />
      <Button
        icon="close"
        tip="Let it go"
        onClick={() => {
          left.value = null
        }}
      />
    </div>
  )
}
