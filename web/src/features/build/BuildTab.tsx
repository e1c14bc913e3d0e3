/** A rig from a template, a neutral face and some poses of it. */
import { build } from './state'
import { NeutralSection } from './NeutralSection'
import { PairsSection } from './PairsSection'
import { PosesSection } from './PosesSection'
import { SolveSection } from './SolveSection'
import { TakenSection } from './TakenSection'
import { TemplateSection } from './TemplateSection'

export function BuildTab() {
  const now = build.value
  if (!now) return null
  return (
    <>
      <TemplateSection build={now} />
      <NeutralSection build={now} />
      {now.other_topology && <PairsSection build={now} />}
      {now.neutral && <PosesSection build={now} />}
      {now.neutral && <TakenSection build={now} />}
      {now.neutral && <SolveSection build={now} />}
    </>
  )
}
