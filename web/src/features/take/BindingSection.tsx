/** Where the take's markers are glued: by names, by a file, by pairs that are clicked. */
import { useRef } from 'preact/hooks'
import { openFile } from '../../core/files'
import type { TakeInfo } from '../../core/protocol.gen'
import { tool } from '../../core/view'
import { beginBinding, bindByNames, findRest, restHere, saveBinding, unbind, unpair, unpairAll } from './actions'
import { Button, Section } from '../../widgets/controls'
import { Icon } from '../../widgets/icons'

export const REST = /at rest in frame (\d+)/ // in a note of the binding

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
      <input
        ref={input}
        id="binding"
        class="hidden"
        type="file"
        accept=".json"
        tabIndex={-1}
        aria-label="A binding to load"
        onChange={(event) => {
          const [file] = event.currentTarget.files ?? []
          if (file) void openFile(file, 'clips')
          event.currentTarget.value = ''
        }}
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
            take.neutral === null ? 'Found: the shape that the take comes back to most often' : 'As somebody said'
          }
        >
          {take.neutral === null ? restFound(take) : `frame ${take.neutral}`}
        </span>
        <Button icon="key" tip="The face is at rest in the frame that is shown" onClick={restHere} />
        <Button
          icon="reset"
          tip="Find the frame at rest: the shape that the take comes back to most often"
          disabled={take.neutral === null}
          onClick={findRest}
        />
      </div>
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

/** The frame that binding found, out of its note. */
function restFound(take: TakeInfo): string {
  const found = take.notes.map((note) => REST.exec(note)?.[1]).find(Boolean)
  return found ? `frame ${found}` : 'to be found'
}
