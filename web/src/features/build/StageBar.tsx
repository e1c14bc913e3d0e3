/** How the faces on the stage are compared, and from where they are seen. */
import { CompareBar } from '../../widgets/CompareBar'
import { ViewButtons } from '../../widgets/ViewButtons'
import { chosenPose, compared, pairing } from './state'

const WORDS = {
  beside: "The example on the left, the rig's own version of it on the right",
  colors: 'Error',
  colorsTip: "Colour the rig's version by how far it is from the example",
  oneScale: 'The same colours for all poses, so that they can be compared; else each pose has its own scale',
}

export function StageBar() {
  const comparing = !pairing.value && !!chosenPose.value?.fit
  return (
    <>
      {comparing && (
        <CompareBar
          {...compared.value}
          words={WORDS}
          onChange={(change) => {
            compared.value = { ...compared.value, ...change }
          }}
        />
      )}
      <ViewButtons several />
    </>
  )
}
