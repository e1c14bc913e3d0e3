/** The rig whose shapes are made on another face. */
import type { BuildInfo } from '../../core/protocol.gen'
import { file, rig } from '../../core/document'
import { edit } from '../../core/server'
import { Button, Choice, Section } from '../../widgets/controls'

export function TemplateSection({ build }: { build: BuildInfo }) {
  const usable = (rig.value?.shapes.length ?? 0) > 0
  const options = [
    ['sample', 'The embedded head'],
    ...(usable || build.source === 'open' ? [['open', `The open face: ${file.value.name}`]] : []),
  ] as [string, string][]
  const other = build.source === 'open' && build.template.name !== file.value.name
  return (
    <Section title="Template" aside={<Aside build={build} />}>
      <div class="field">
        <Choice
          value={build.source}
          options={options}
          tip="The rig whose shapes are made on your face: the embedded head with its 52 ARKit shapes, or the face that is open"
          onChange={(source) => edit({ type: 'ChooseTemplate', source: source as 'sample' | 'open' })}
        />
      </div>
      <p class="about">
        {build.template.name}: {build.sliders.length} sliders, {build.template.vertices.toLocaleString('en')} vertices
        {other ? '. Another face is open by now' : ''}
      </p>
    </Section>
  )
}

function Aside({ build }: { build: BuildInfo }) {
  return (
    <span class="actions">
      <Button
        icon="trash"
        tip="Begin anew: no neutral, no poses"
        disabled={!build.neutral && !build.poses.length}
        onClick={() => edit({ type: 'ClearBuild' })}
      />
    </span>
  )
}
