/** Views and looks of the stage. */
import { lookFrom } from '../../scene/current'
import { pairing, chosenPose } from './state'
import { camera, compared, wireframe } from '../../core/view'
import { Button } from '../../widgets/controls'

const QUARTER = (35 * Math.PI) / 180

export function StageBar() {
  const { yaw, pitch } = camera.value
  const from = (angle: number) => Math.abs(yaw - angle) < 1e-3 && Math.abs(pitch) < 1e-3
  const set = (change: Partial<typeof compared.value>) => {
    compared.value = { ...compared.value, ...change }
  }
  const { layout, error, oneScale } = compared.value
  const comparing = !pairing.value && !!chosenPose.value?.met
  return (
    <>
      {comparing && (
        <div class="float tools" role="toolbar" aria-label="Comparing">
          <Button
            label="Side by side"
            pressed={layout === 'beside'}
            tip="The example on the left, the rig's own version of it on the right"
            onClick={() => set({ layout: 'beside' })}
          />
          <Button
            label="Split"
            pressed={layout === 'split'}
            tip="Both in one place, with a divider to drag across"
            onClick={() => set({ layout: 'split' })}
          />
          <i class="rule" />
          <Button
            label="Error"
            pressed={error}
            tip="Colour the rig's version by how far it is from the example"
            onClick={() => set({ error: !error })}
          />
          <Button
            label="One scale"
            pressed={oneScale}
            disabled={!error}
            tip="The same colours for all poses, so that they can be compared; else each pose has its own scale"
            onClick={() => set({ oneScale: !oneScale })}
          />
        </div>
      )}
      <div class="float views" role="toolbar" aria-label="Views">
        <Button
          label="Front"
          pressed={from(0)}
          tip="See the faces from the front"
          keys="1"
          onClick={() => lookFrom(0)}
        />
        <Button
          label="¾"
          pressed={from(QUARTER)}
          tip="See the faces from their left, three quarters"
          keys="2"
          onClick={() => lookFrom(QUARTER)}
        />
        <Button
          label="Side"
          pressed={from(Math.PI / 2)}
          tip="See the faces from their left side"
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
      </div>
    </>
  )
}
