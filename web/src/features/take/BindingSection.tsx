/** Where the take's markers are glued: by names, by a file, by pairs that are clicked. */
import { useRef } from 'preact/hooks'
import { openFile } from '../../core/files'
import type { TakeInfo } from '../../core/protocol.gen'
import { tool } from '../../core/view'
import {
  beginBinding,
  bindByNames,
  findRest,
  restHere,
  restPose,
  saveBinding,
  toggleRestHere,
  unbind,
  unpair,
  unpairAll,
} from './actions'
import { takeFrame } from '../../core/time'
import { Button, Choice, Section } from '../../widgets/controls'
import { FileInput } from '../../widgets/FileInput'
import { Icon } from '../../widgets/icons'

export const REST = /at rest (?:in frame (\d+)|the face (?:has|is) (.+))$/ // in notes of the binding
const REST_POSES = [
  ['neutral', 'the neutral'],
  ['solved', 'solved'],
  ['shown', 'as it is shown'],
] as const

export function BindingSection({ take }: { take: TakeInfo }) {
  const input = useRef<HTMLInputElement>(null)
  const pairs = take.markers.filter((marker) => marker.paired)
  const aside = (
    <span class="actions">
      <Button
        icon="open"
        tip="Bind as a binding.json says, such as one of an earlier take of the same actor"
        onClick={() => input.current?.click()}
      />
      <Button
        icon="save"
        tip="Save the binding as binding.json, for further takes and for facewright solve --bind"
        disabled={!take.bound}
        onClick={() => void saveBinding()}
      />
      <Button icon="trash" tip="All markers loose again" disabled={!take.bound && !pairs.length} onClick={unbind} />
    </span>
  )
  return (
    <Section title="Binding" aside={aside}>
      <FileInput
        input={input}
        id="binding"
        label="A binding to load"
        accept={['.json']}
        onFile={(file) => void openFile(file, 'clips')}
      />
      <p class={take.bound ? 'fact faint' : 'fact wanting'}>{worded(take, pairs.length)}</p>
      <div class="pair-of-buttons">
        <Button
          id="by-names"
          label="By names"
          tone="strong"
          tip="Find the places of all markers from what their names say, such as Chin or brow_left_inner. Pairs made by hand count more"
          onClick={bindByNames}
        />
        <Button
          id="by-clicks"
          icon="marker"
          label="By clicks"
          tone="strong"
          pressed={tool.value === 'bind'}
          tip="Click a marker, then its place on the face. Three pairs bring the take onto the face, each further one corrects it"
          keys="B"
          onClick={beginBinding}
        />
      </div>
      {pairs.length > 0 && (
        <ul class="list pairs" aria-label="Pairs">
          {pairs.map(({ name }) => (
            <li key={name}>
              <span class="item still">
                <i class="mark pair" />
                {name}
              </span>
              <button
                type="button"
                class="quiet"
                aria-label={`Take the pair of ${name} away`}
                data-tip="Take this pair away"
                onClick={() => unpair(name)}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
          {pairs.length > 1 && (
            <li>
              <button type="button" class="item faint" data-tip="Take all pairs away" onClick={unpairAll}>
                Take all {pairs.length} away
              </button>
            </li>
          )}
        </ul>
      )}
      <div class="field rest">
        <span>At rest</span>
        <span
          class="faint"
          data-tip={
            take.neutral.length
              ? `As somebody said: ${framesIn(take.neutral, 40)}`
              : 'Found: the shape that the take comes back to most often. Where it never rests, load a take that does first: the next one keeps its rest'
          }
        >
          {take.neutral.length ? framesIn(take.neutral, 3) : restFound(take)}
        </span>
        <Button icon="key" tip="The face is at rest in the frame that is shown" onClick={restHere} />
        <Button
          icon="plus"
          pressed={take.neutral.includes(takeFrame.value)}
          disabled={takeFrame.value < 0}
          tip="It is at rest in the frame that is shown, too: the mean of several counts. Again: not in this one"
          onClick={toggleRestHere}
        />
        <Button
          icon="reset"
          tip="Find the frame at rest: the shape that the take comes back to most often"
          disabled={!take.neutral.length}
          onClick={findRest}
        />
      </div>
      <div class="field">
        <span>In pose</span>
        <Choice
          value={take.rest_pose === 'given' ? 'shown' : take.rest_pose}
          options={REST_POSES}
          tip="The pose of this face in which the actor's is at rest. Solved: found from the take, where the mouth of the actor at rest is a little open, for example"
          onChange={(pose) => restPose(pose as 'neutral' | 'solved' | 'shown')}
        />
        {take.rest_pose === 'given' && (
          <Button icon="key" tip="At rest the face is as it is shown now" onClick={() => restPose('shown')} />
        )}
      </div>
      {restWeights(take) && <p class="fact faint">{restWeights(take)}</p>}
    </Section>
  )
}

function worded(take: TakeInfo, pairs: number): string {
  const bindable = take.markers.filter((marker) => marker.bindable).length
  if (take.bound) {
    const bound = take.markers.filter((marker) => marker.point && marker.offset).length
    const how = take.origin === 'names' ? 'by names' : take.origin === 'file' ? 'by a file' : 'by pairs'
    return `${bound} of ${take.markers.length} markers bound ${how}${take.origin && pairs ? `, ${pairs} corrected` : ''}`
  }
  const unnamed =
    bindable < take.markers.length ? `; ${take.markers.length - bindable} are not named or hardly ever seen` : ''
  return `Not bound yet: ${pairs} of 3 pairs${unnamed}`
}

/** The words for frames, of which some are named. */
function framesIn(frames: readonly number[], most: number): string {
  const more = frames.length - most
  const some = frames.slice(0, most).join(', ')
  return `frame${frames.length > 1 ? 's' : ''} ${some}${more > 0 ? ` and ${more} more` : ''}`
}

/** What the face at rest has, out of the binding's note. */
function restWeights(take: TakeInfo): string {
  const found = take.notes.map((note) => REST.exec(note)?.[2]).find(Boolean)
  return found ? `At rest: ${found}` : ''
}

/** The frame that binding found, out of its note. */
function restFound(take: TakeInfo): string {
  const found = take.notes.map((note) => REST.exec(note)?.[1]).find(Boolean)
  return found ? `frame ${found}` : 'to be found'
}
