/** Views and looks, in the corner of the viewport. */
import { camera, ghost, tool, wireframe } from '../../core/view'
import { take } from '../../core/document'
import { beginChoosing } from '../regions/actions'
import { regions } from '../../core/regions'
import { beginBinding } from '../take/actions'
import { lookFrom } from '../../scene/current'
import { Button } from '../../widgets/controls'

const QUARTER = (35 * Math.PI) / 180

export function ViewBar() {
  const { yaw, pitch } = camera.value
  const from = (angle: number) => Math.abs(yaw - angle) < 1e-3 && Math.abs(pitch) < 1e-3
  return (
    <>
      <div class="float tools" role="toolbar" aria-label="Tools">
        <Button
          icon="pin"
          label="Pose"
          pressed={tool.value === 'pose'}
          tip="Click the face to set a pin and drag it; the face follows. Shift drags along the surface's normal, X, Y or Z along one axis"
          keys="Q"
          onClick={() => {
            tool.value = 'pose'
          }}
        />
        <Button
          icon="hold"
          label="Hold"
          tone="held"
          pressed={tool.value === 'hold'}
          tip="Paint points that must stay still; Shift wipes them away"
          keys="W"
          onClick={() => {
            tool.value = 'hold'
          }}
        />
        {regions.value.length > 0 && (
          <Button
            icon="regions"
            label="Region"
            pressed={tool.value === 'region' || tool.value === 'paint'}
            tip="Click a region of the face to choose it, then drag inside it"
            keys="R"
            onClick={beginChoosing}
          />
        )}
        {take.value && (
          <Button
            icon="marker"
            label="Bind"
            pressed={tool.value === 'bind'}
            tip="Click a marker, then its place on the face"
            keys="B"
            onClick={beginBinding}
          />
        )}
      </div>
      <div class="float views" role="toolbar" aria-label="Views">
        <Button
          label="Front"
          pressed={from(0)}
          tip="See the face from the front"
          keys="1"
          onClick={() => lookFrom(0)}
        />
        <Button
          label="¾"
          pressed={from(QUARTER)}
          tip="See the face from its left, three quarters"
          keys="2"
          onClick={() => lookFrom(QUARTER)}
        />
        <Button
          label="Side"
          pressed={from(Math.PI / 2)}
          tip="See the face from its left side"
          keys="3"
          onClick={() => lookFrom(Math.PI / 2)}
        />
        <i class="rule" />
        <Button
          icon="wire"
          pressed={wireframe.value}
          tip="Show the mesh"
          keys="E"
          onClick={() => {
            wireframe.value = !wireframe.value
          }}
        />
        <Button
          icon="ghost"
          pressed={ghost.value}
          tip="Show the pose before the drag while dragging"
          keys="G"
          onClick={() => {
            ghost.value = !ghost.value
          }}
        />
      </div>
    </>
  )
}
