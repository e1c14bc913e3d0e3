/** Where a picture belongs that was dropped on the face. */
import { useSignal } from '@preact/signals'
import { give } from './actions'
import { offered } from './state'
import { rig } from '../../core/document'
import { Button, Choice } from '../../widgets/controls'
import { Dialog } from '../../widgets/Dialog'

export function PictureDialog() {
  const shapes = rig.value?.shapes.map(({ name }) => name) ?? []
  const chosen = useSignal(shapes[0] ?? '')
  const [file] = offered.value
  const close = () => {
    offered.value = offered.value.slice(1)
  }
  if (!file) return null
  return (
    <Dialog title={`Where does ${file.name} belong?`} onClose={close}>
      <div class="field">
        <span>It comes in with</span>
        <Choice
          value={chosen.value}
          tip="The shape with which this texture comes in"
          options={shapes.map((name) => [name, name] as const)}
          onChange={(name) => {
            chosen.value = name
          }}
        />
        <Button
          label="Use"
          tone="strong"
          tip="Let this texture come in with the shape"
          onClick={() => {
            close()
            void give(file, 'map', [chosen.value])
          }}
        />
      </div>
      <div class="field">
        <Button
          label="The face at rest"
          tip="This is what the face looks like without any expression"
          onClick={() => {
            close()
            void give(file, 'neutral')
          }}
        />
        <Button
          label="A mask"
          tip="White where nothing ever changes: hair, ears, neck"
          onClick={() => {
            close()
            void give(file, 'mask')
          }}
        />
      </div>
    </Dialog>
  )
}
