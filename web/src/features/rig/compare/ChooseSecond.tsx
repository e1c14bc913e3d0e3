/** Choosing the second rig: a file of this computer, one below a named folder, or an embedded person. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { suffixesOf } from '../../../core/files'
import * as routes from '../../../core/routes'
import { busy, complain } from '../../../core/toasts'
import { Button, Choice, Section } from '../../../widgets/controls'
import { FileInput } from '../../../widgets/FileInput'

export function ChooseSecond() {
  const input = useRef<HTMLInputElement>(null)
  const known = useSignal<[string, string][]>([])
  const formats = suffixesOf('rig')
  useEffect(() => {
    Promise.all([routes.samples(), routes.files()])
      .then(([{ samples }, { files }]) => {
        const paths = files.map(({ path }) => path).filter((path) => formats.some((end) => path.endsWith(end)))
        known.value = [
          ...paths.map((path): [string, string] => [`path ${path}`, path]),
          ...samples.map(({ person }): [string, string] => [`person ${person}`, `${person}, embedded`]),
        ]
      })
      .catch(complain)
  }, [])
  return (
    <Section title="Compare">
      <p class="about">
        A second rig with the same vertices is shown beside this one, shape by shape. It is not kept in the document.
      </p>
      <div class="row">
        <Button
          icon="open"
          label="Choose a rig…"
          tone="strong"
          tip={`Files ending in ${formats.join(', ')}`}
          onClick={() => input.current?.click()}
        />
      </div>
      <FileInput
        input={input}
        id="compare-upload"
        label="A rig to compare with"
        accept={formats}
        onFile={(file) => void give({ file }, file.name)}
      />
      <div class="field">
        <span>Or take</span>
        <Choice
          value=""
          options={[['', 'one at hand …'], ...known.value]}
          tip="A rig below a named folder, or an embedded person"
          onChange={(chosen) => {
            const [kind, name] = [chosen.slice(0, chosen.indexOf(' ')), chosen.slice(chosen.indexOf(' ') + 1)]
            if (chosen) void give(kind === 'path' ? { path: name } : { person: name }, name)
          }}
        />
      </div>
    </Section>
  )
}

async function give(source: routes.Source, name: string): Promise<void> {
  busy.value = `Reading ${name}`
  await routes.giveFace('compare', source).catch(complain)
  busy.value = ''
}
