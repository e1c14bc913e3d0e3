/** Exporting to programs that know no in-betweens and no combinations. */
import { useSignal } from '@preact/signals'
import { clips } from '../../core/document'
import { exportAs } from '../../core/files'
import { Button, Check, NumberField } from '../../widgets/controls'
import { Dialog } from '../../widgets/Dialog'
import { exportingPlain } from './state'

export function PlainDialog() {
  const drops = useSignal(false)
  const percent = useSignal(0.1) // of the face's size
  const kind = exportingPlain.value ?? 'glb'
  const close = () => {
    exportingPlain.value = null
  }
  const run = () => {
    close()
    void exportAs(kind, `?plain=yes&tolerance=${drops.value ? percent.value / 100 : 0}`)
  }
  return (
    <Dialog title={`${kind.toUpperCase()} with plain targets`} onClose={close}>
      <p class="about">
        Each in-between and each combination becomes a target of its own
        {clips.value.length ? ', with its own keys in every clip: every frame is exact.' : '.'} Programs that know
        neither play the same face.
      </p>
      <Check
        label="Leave out what is hardly seen"
        on={drops.value}
        tip="Fewer targets: those that never move a vertex further than a share of the face are dropped"
        onChange={(next) => {
          drops.value = next
        }}
      />
      {drops.value && (
        <div class="field">
          <span>Below</span>
          <NumberField
            value={percent.value}
            digits={3}
            step={0.01}
            low={0}
            high={10}
            suffix="% of the face"
            tip="How far a target that is dropped moves a vertex at most, as a share of the face"
            onChange={(next) => {
              percent.value = next
            }}
          />
        </div>
      )}
      <div class="row end">
        <Button
          label="Download"
          tone="strong"
          icon="export"
          tip="Put the file into the browser's downloads"
          onClick={run}
        />
      </div>
    </Dialog>
  )
}
