/** The file that shapes are taken from: what it holds, and what can become of it. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { ShapeFileInfo, TakeSculpt } from '../../../core/protocol.gen'
import { act } from '../../../core/server'
import { toggle } from '../../../core/view'
import { Button, Section } from '../../../widgets/controls'
import { FilterField } from '../FilterField'
import { NameField } from '../../../widgets/NameField'
import { chosenShape } from '../state'
import { closeShapeFile, freeName } from './actions'
import { fileChosen, fileFilter, matching, posedSliders } from './state'

export function FileSection({ file }: { file: ShapeFileInfo }) {
  const aside = (
    <span class="actions">
      <Button icon="close" tip="Take no more shapes from this file" onClick={() => void closeShapeFile()} />
    </span>
  )
  const top = useRef<HTMLDivElement>(null)
  useEffect(() => top.current?.scrollIntoView({ block: 'nearest' }), [file.name])
  return (
    <Section title={file.name} aside={aside} named>
      <div ref={top} />
      {file.words && (
        <p class={file.fits ? 'about' : 'about problem'} role="status">
          {file.words}
        </p>
      )}
      {!file.fits ? (
        <Unfit file={file} />
      ) : file.shapes.length ? (
        <Shapes file={file} />
      ) : (
        <Sculpt key={file.name} file={file} />
      )}
    </Section>
  )
}

function Unfit({ file }: { file: ShapeFileInfo }) {
  return (
    <div class="row takes">
      <Button
        label={file.registering ? 'Registering …' : 'Register it'}
        tone="strong"
        disabled={file.registering}
        tip="Fit the face, from the pose that it is in, to the surface of the sculpt; this takes some seconds"
        onClick={() => void act({ type: 'RegisterSculpt' })}
      />
    </div>
  )
}

/** Another rig of the same topology: some of its shapes are chosen. */
function Shapes({ file }: { file: ShapeFileInfo }) {
  const chosen = file.shapes.filter((name) => fileChosen.value.includes(name))
  const found = matching(
    file.shapes.map((name) => ({ name })),
    fileFilter.value,
  )
  const into = chosenShape.value
  return (
    <>
      <FilterField
        text={fileFilter}
        label="Filter shapes of the file"
        tip="List the shapes of the file whose name has this text"
        placeholder={`Filter ${file.shapes.length} shapes of the file`}
      />
      <ul class="list file-shapes" aria-label="Shapes of the file">
        {found.map(({ name }) => (
          <li key={name} class={fileChosen.value.includes(name) ? 'chosen' : ''}>
            <button
              type="button"
              class="item"
              aria-pressed={fileChosen.value.includes(name)}
              data-tip={`Choose ${name}, or not`}
              onClick={() => toggle(fileChosen, name)}
            >
              {name}
            </button>
          </li>
        ))}
      </ul>
      <div class="row takes">
        <Button
          label={chosen.length > 1 ? `Add ${chosen.length} shapes` : 'Add shape'}
          tone="strong"
          disabled={!chosen.length}
          tip="Add the chosen shapes, each with a slider of its own"
          onClick={() => void act({ type: 'TakeShapes', shapes: chosen })}
        />
        {into && (
          <Button
            label={`Replace ${into}`}
            disabled={chosen.length !== 1}
            tip={chosen.length === 1 ? `${into} moves the face as ${chosen[0]} of the file does` : 'Choose one shape'}
            onClick={() => void act({ type: 'TakeShapes', shapes: chosen, replace: into })}
          />
        )}
      </div>
    </>
  )
}

/** A mesh without shapes: what it is of has to be said. */
function Sculpt({ file }: { file: ShapeFileInfo }) {
  const name = useSignal('')
  const left = useSignal<string[]>([]) // sliders that are on, but do not drive the corrective
  const on = posedSliders.value
  const driving = on.filter((each) => !left.value.includes(each.name)).map((each) => each.name)
  const into = chosenShape.value
  const wanted = name.value || freeName(file.name)
  const take = (how: TakeSculpt['how'], named: string) =>
    void act({ type: 'TakeSculpt', how, name: named, sliders: how === 'corrective' ? driving : null })
  return (
    <>
      <NameField
        label="Name"
        name={wanted}
        tip="The name of the new shape"
        onChange={(next) => {
          name.value = next.trim()
        }}
      />
      <div class="row takes">
        <Button
          label="Add as shape"
          tone="strong"
          tip="The sculpt is the face with the new shape alone, fully on; it gets a slider of its own"
          onClick={() => take('shape', wanted)}
        />
        {into && (
          <Button
            label={`Replace ${into}`}
            tip={`The sculpt is the face with ${into} alone, fully on`}
            onClick={() => take('replace', into)}
          />
        )}
      </div>
      <p class="about">
        {on.length
          ? 'Or the sculpt is of this pose. Sliders that are on, at their values, drive what is added:'
          : 'Pose the face as the sculpt is posed: then a corrective can be taken from the difference.'}
      </p>
      {on.length > 0 && (
        <div class="drivers" role="group" aria-label="Sliders of the corrective">
          {on.map((each) => (
            <button
              key={each.name}
              type="button"
              class="chip"
              aria-pressed={!left.value.includes(each.name)}
              data-tip={`${each.name} drives the corrective, or only keeps its place in the pose`}
              onClick={() => toggle(left, each.name)}
            >
              {each.name} {+each.value.toFixed(2)}
            </button>
          ))}
        </div>
      )}
      {on.length > 0 && (
        <div class="row takes">
          <Button
            label="Add corrective"
            tone="strong"
            disabled={!driving.length}
            tip="A combination or an in-between of these sliders, with which this pose is the sculpt"
            onClick={() => take('corrective', wanted)}
          />
          {into && (
            <Button
              label={`Fit ${into}`}
              tip={`Change ${into} so that this pose is the sculpt; it has to be on`}
              onClick={() => take('in_pose', into)}
            />
          )}
        </div>
      )}
    </>
  )
}
