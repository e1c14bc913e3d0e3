/** Another program has written a file where the work would be saved: what now? */
import { conflict, save, saveAs } from '../../core/files'
import { Button } from '../../widgets/controls'
import { Dialog } from '../../widgets/Dialog'
import { saving } from './state'

export function ReplaceDialog() {
  const asked = conflict.value
  const close = () => {
    conflict.value = null
  }
  return (
    <Dialog title="Save over another file?" onClose={close}>
      <p>{asked?.message}</p>
      <p class="about">Saving over it loses what is in it. Nothing of your work is lost either way.</p>
      <span class="actions">
        <Button
          label="Save elsewhere…"
          tone="strong"
          tip="Choose another name, or download the work"
          onClick={() => {
            close()
            saving.value = true
          }}
        />
        <Button
          label="Save over it"
          tip="Replace the file by this work"
          onClick={() => {
            close()
            void (asked?.path === undefined ? save(true) : saveAs(asked.path, true))
          }}
        />
      </span>
    </Dialog>
  )
}
