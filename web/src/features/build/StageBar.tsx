/** How the faces on the stage are compared, and from where they are seen. */
import { Button } from '../../widgets/controls'
import { ViewButtons } from '../../widgets/ViewButtons'
import { chosenPose, compared, pairing } from './state'

export function StageBar() {
  const set = (change: Partial<typeof compared.value>) => {
    compared.value = { ...compared.value, ...change }
  }
  const { layout, error, oneScale } = compared.value
  const comparing = !pairing.value && !!chosenPose.value?.fit
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
      <ViewButtons several />
    </>
  )
}
