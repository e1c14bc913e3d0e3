/** Saving under a name, below a folder that the server may write to. */
import { useSignal } from '@preact/signals'
import { baseName, exportAs, saveAs } from '../../core/files'
import { file, welcome } from '../../core/document'
import { Button } from '../../widgets/controls'
import { Dialog } from '../../widgets/Dialog'
import { saving } from './state'

export function SaveDialog() {
  const folders = welcome.value?.folders ?? []
  const path = useSignal(file.value.saves_to || `${folders[0] ?? ''}/${baseName()}.fwface`)
  const close = () => {
    saving.value = false
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await saveAs(path.value)) close()
  }
  return (
    <Dialog title="Save the work" onClose={close}>
      {folders.length > 0 && (
        <form onSubmit={submit}>
          <label class="stacked">
            Name, below {folders.join(' or ')}
            <input
              type="text"
              value={path.value}
              spellcheck={false}
              onInput={(event) => {
                path.value = event.currentTarget.value
              }}
            />
          </label>
          <Button label="Save" tone="strong" tip="Save here from now on" onClick={submit} />
        </form>
      )}
      <p class="about">A .fwface file has it all: the rig, the pose, pins, held points, clips.</p>
      <Button
        icon="export"
        label="Download a .fwface file"
        tip="Put the work into the browser's downloads"
        onClick={() => {
          close()
          void exportAs('fwface')
        }}
      />
    </Dialog>
  )
}
