/** The face that is to be rigged. */
import type { BuildInfo, LayUpright } from '../../core/protocol.gen'
import { edit } from '../../core/server'
import { choosing } from './state'
import { Button, Choice, Section } from '../../widgets/controls'

const AXES: [string, string][] = [
  ['auto', 'as its landmarks say'],
  ['y', 'y, as it is in the file'],
  ['z', 'z'],
  ['x', 'x'],
  ['-y', '−y'],
  ['-z', '−z'],
  ['-x', '−x'],
]

const capital = (words: string) => words[0].toUpperCase() + words.slice(1)

export function NeutralSection({ build }: { build: BuildInfo }) {
  const { neutral, obstacle, other_topology, registration, notes } = build
  if (!neutral) {
    return (
      <Section title="Neutral face">
        <p class="empty">
          The face to rig, at rest. With the template’s topology it is used as it is; any other mesh or scan gets the
          template registered to it.
        </p>
        <Button
          icon="open"
          label="Load a neutral…"
          tone="strong"
          tip="OBJ, GLB, FBX, USD, NPZ or .fwface; dropping a file on the stage does the same"
          onClick={() => {
            choosing.value = 'neutral'
          }}
        />
      </Section>
    )
  }
  const aside = (
    <span class="actions">
      <Button
        icon="open"
        tip="Load another neutral; poses stay"
        onClick={() => {
          choosing.value = 'neutral'
        }}
      />
      <Button icon="close" tip="Take the neutral away; poses stay" onClick={() => edit({ type: 'RemoveNeutral' })} />
    </span>
  )
  return (
    <Section title="Neutral face" aside={aside}>
      <p class="face-line">
        <b>{neutral.name}</b>
        <span class="faint">{neutral.vertices.toLocaleString('en')} vertices</span>
      </p>
      {build.upright && <p class="about upright">{capital(build.upright)}.</p>}
      <div class="field">
        <span>Up</span>
        <Choice
          value={build.up}
          options={AXES}
          tip="The axis that is up in the neutral’s file and the poses’; both are turned so that it is y, and the face looks along z"
          onChange={(up) => edit({ type: 'LayUpright', up: up as LayUpright['up'] })}
        />
      </div>
      {obstacle && !other_topology && (
        <p class="obstacle" role="alert">
          {obstacle}
        </p>
      )}
      {other_topology && !registration && (
        <p class="about">Its polygons are not the template’s: the template is registered to it first.</p>
      )}
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
    </Section>
  )
}
