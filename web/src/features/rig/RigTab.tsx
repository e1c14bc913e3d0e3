/** The workbench: what the rig is made of, one part at a time. */
import { Segments } from '../../widgets/controls'
import { PARTS } from './parts'
import { part } from './state'
import { UnitRow } from './UnitRow'

export function RigTab() {
  const { key, Body } = PARTS.find((each) => each.key === part.value) ?? PARTS[0]
  return (
    <>
      <UnitRow />
      <div class="rig-parts">
        <Segments
          value={key}
          options={PARTS.map((each) => [each.key, each.label, each.tip] as const)}
          label="Part of the rig"
          broken
          onChange={(next) => {
            part.value = next
          }}
        />
      </div>
      <Body />
    </>
  )
}
