/** The chosen shape, and what can be done with it. */
import type { ShapeDetail } from '../../core/protocol.gen'
import { Button, Section } from '../../widgets/controls'
import { deleteShape, duplicateShape, renameShape } from './actions'
import { chosenShape } from './state'
import { NameField } from './NameField'

export function ChosenShape({ shape }: { shape: ShapeDetail }) {
  const aside = (
    <span class="actions">
      <Button icon="copy" tip="Add a copy with a slider of its own" onClick={() => void duplicateShape(shape.name)} />
      <Button icon="trash" tip={`Delete: ${shape.uses}`} onClick={() => deleteShape(shape.name)} />
      <Button
        icon="close"
        tip="Choose no shape"
        onClick={() => {
          chosenShape.value = ''
        }}
      />
    </span>
  )
  return (
    <Section title={shape.name} aside={aside} named>
      <NameField
        key={shape.name}
        label="Name"
        name={shape.name}
        tip="Rename the shape, and its slider if it has the same name; clips, locks and textures follow"
        onChange={(name) => void renameShape(shape.name, name)}
      />
    </Section>
  )
}
