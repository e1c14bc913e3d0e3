/** A depth or scan sequence: figures, solving, and how well the shown frame was followed. */
import { useRef } from 'preact/hooks'
import type { ScanInfo } from '../../core/protocol.gen'
import { clips, scan, tracking } from '../../core/document'
import { Button, Check, NumberField, Section } from '../../widgets/controls'
import { Notes } from '../../widgets/Notes'
import { SolveProgress } from '../../widgets/SolveProgress'
import { edit } from '../../core/server'
import { load, removeScan, stopTracking, toggleRest, track } from './actions'
import { cloudShown, residuals, scanFrame, statusOf, trackOptions } from './state'

const SUFFIXES = '.npz,.zip,.ply,.png,.obj,.json'

export function ScanSection() {
  const of = scan.value
  return <div id="scan-section">{of ? <Loaded scan={of} /> : <NoScan />}</div>
}

function NoScan() {
  return (
    <Section title="Depth or scans">
      <p class="empty">
        A face without markers is followed in depth images (<b>16-bit PNG</b> with their intrinsics, or <b>NPZ</b>) and
        in scans (<b>PLY</b>, <b>OBJ</b>): a zip, or a folder.
      </p>
      <LoadButtons label="Load a sequence…" />
    </Section>
  )
}

function LoadButtons({ label }: { label?: string }) {
  const [file, folder] = [useRef<HTMLInputElement>(null), useRef<HTMLInputElement>(null)]
  const taken = (input: HTMLInputElement) => {
    const files = [...(input.files ?? [])]
    input.value = '' // the same files may be chosen again
    load(files)
  }
  return (
    <span class="actions">
      <Button
        icon="take"
        label={label}
        tip="Load depth images or scans: a .npz, .zip or .ply, or several files at once; dropping them on the page does the same"
        onClick={() => file.current?.click()}
      />
      <Button icon="open" tip="Load the depth images or scans of a folder" onClick={() => folder.current?.click()} />
      <input
        ref={file}
        id="scan-file"
        class="hidden"
        type="file"
        multiple
        accept={SUFFIXES}
        tabIndex={-1}
        aria-label="A depth or scan sequence to load"
        onChange={(event) => taken(event.currentTarget)}
      />
      <input
        ref={folder}
        id="scan-folder"
        class="hidden"
        type="file"
        {...{ webkitdirectory: true }}
        tabIndex={-1}
        aria-label="A folder of depth images or scans to load"
        onChange={(event) => taken(event.currentTarget)}
      />
    </span>
  )
}

function Loaded({ scan: of }: { scan: ScanInfo }) {
  const aside = (
    <span class="actions">
      <Button
        icon={cloudShown.value ? 'eye' : 'eyeOff'}
        pressed={cloudShown.value}
        tip="Show what was measured over the face"
        keys="Shift+C"
        onClick={() => {
          cloudShown.value = !cloudShown.value
        }}
      />
      <LoadButtons />
      <Button icon="trash" tip="Take the sequence away; clips stay" onClick={removeScan} />
    </span>
  )
  return (
    <Section title="Depth or scans" aside={aside}>
      <p class="fact" data-tip={of.name}>
        <b>{of.name}</b>
      </p>
      <p class="fact faint">
        {of.frames.toLocaleString('en')} frames · {of.kind} · {of.seconds.toFixed(1)} s
      </p>
      {of.dropped > 0 && <p class="fact faint">{droppedIn(of)}</p>}
      <div class="field">
        <span>Rate</span>
        <NumberField
          value={of.rate}
          digits={of.rate % 1 ? 2 : 0}
          low={0.001}
          high={1000}
          suffix="fps"
          tip="Frames a second, where the files say it wrongly or not at all"
          onChange={(rate) => edit({ type: 'ChangeScan', rate })}
        />
      </div>
      <Notes notes={of.notes} />
      <Rest scan={of} />
      {tracking.value ? (
        <SolveProgress job={tracking.value} stopId="stop-tracking" onStop={stopTracking} />
      ) : (
        <Button
          id="track"
          icon="play"
          label={of.tracked ? 'Solve again' : 'Solve'}
          tone="strong"
          tip="Follow the face through the sequence, and make a clip of it, with the head's motion. The face can be worked on meanwhile"
          onClick={track}
        />
      )}
      <Result scan={of} />
      <Here />
    </Section>
  )
}

function Rest({ scan: of }: { scan: ScanInfo }) {
  const here = scanFrame.value
  return (
    <>
      <div class="field">
        <span>At rest</span>
        <Button
          label={of.rest.includes(here) ? 'Not this frame' : 'This frame'}
          disabled={here < 0}
          tip="Say that the face is at rest in the shown frame, or that it is not"
          onClick={toggleRest}
        />
        <span class="faint small">{of.rest.length ? `${of.rest.length} frames` : 'none'}</span>
      </div>
      {of.rest.length > 0 && (
        <Check
          label="The person's own face"
          on={trackOptions.value.own_face}
          tip="Before it is followed, the rig gets the face of the person who is seen in the frames at rest; undo gives the old one back"
          onChange={(own_face) => {
            trackOptions.value = { ...trackOptions.value, own_face }
          }}
        />
      )}
    </>
  )
}

function Result({ scan: { tracked, frames } }: { scan: ScanInfo }) {
  if (!tracked || !clips.value.some((clip) => clip.name === tracked.clip)) return null
  return (
    <>
      <p class="fact faint">
        Solved as “{tracked.clip}”, {tracked.frames === frames ? 'all' : tracked.frames.toLocaleString('en')} of{' '}
        {frames.toLocaleString('en')} frames; {tracked.typical.toFixed(2)} mm off
      </p>
      {tracked.words.map(
        (words, i) =>
          i > 0 &&
          tracked.counts[i] > 0 && (
            <p key={words} class="fact wanting" data-tip={capital(words)}>
              {tracked.counts[i].toLocaleString('en')} × {words}
            </p>
          ),
      )}
      <Notes notes={tracked.notes} />
    </>
  )
}

/** The frame that is shown. */
function Here() {
  const [frame, found] = [scanFrame.value, residuals.value]
  if (!found || frame < 0) return null
  const left = found.mean[frame]
  const words = statusOf(frame)
  return (
    <p class={`fact ${found.status[frame] ? 'wanting' : 'faint'}`} role="status" aria-label="Frame of the sequence">
      Frame {frame}: {left === undefined ? 'not tracked' : Number.isNaN(left) ? '' : `${left.toFixed(2)} mm, `}
      {words}
    </p>
  )
}

const droppedIn = ({ dropped }: ScanInfo) =>
  dropped === 1 ? 'One frame was dropped' : `${dropped.toLocaleString('en')} frames were dropped`

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
