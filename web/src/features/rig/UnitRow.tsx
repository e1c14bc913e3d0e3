/** The unit of the document's lengths, which files in metres are converted by. */
import { unit } from '../../core/document'
import { edit } from '../../core/server'
import type { SetUnit } from '../../core/protocol.gen'
import { Choice } from '../../widgets/controls'

export function UnitRow() {
  const { unit: now, units, words } = unit.value
  return (
    <label class="unit-row">
      <span>Unit</span>
      <Choice
        tip="What a length of 1 is; the numbers stay, and files in metres are converted by it"
        value={now as SetUnit['unit']}
        options={[['', 'not known'], ...(units as [SetUnit['unit'], string][])]}
        onChange={(next) => edit({ type: 'SetUnit', unit: next })}
      />
      <small>{words}</small>
    </label>
  )
}
