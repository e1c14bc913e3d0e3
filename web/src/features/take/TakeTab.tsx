/** A take of markers: figures, binding, solving, and how well the clip meets it. */
import { useRef } from 'preact/hooks'
import { loadTake, removeTake } from './actions'
import type { TakeInfo } from '../../core/protocol.gen'
import { take } from '../../core/document'
import { takeSuffixes } from '../../core/files'
import { hasOffsets } from '../../core/controls'
import { head } from './head'
import { edit } from '../../core/server'
import { BindingSection, REST } from './BindingSection'
import { Button, Check, Choice, NumberField, Section } from '../../widgets/controls'
import { FileInput } from '../../widgets/FileInput'
import { FrameSection } from './FrameSection'
import { MarkersSection } from './MarkersSection'
import { NamesSection } from '../../widgets/NamesSection'
import { Notes } from '../../widgets/Notes'
import { SolveSection } from './SolveSection'
import { headMotion, markersOnFace, markersShown } from './state'

export function TakeTab() {
  const of = take.value
  if (!of)
    return (
      <>
        <NoTake />
        <NamesSection />
      </>
    )
  return (
    <>
      <AboutSection take={of} />
      <BindingSection take={of} />
      <SolveSection take={of} />
      <FrameSection take={of} />
      <MarkersSection take={of} />
      <NamesSection />
    </>
  )
}

function NoTake() {
  return (
    <Section title="Take">
      <p class="empty">
        Markers recorded on a face, as <b>C3D</b>, <b>TRC</b> or <b>CSV</b>, are shown over this one, bound to it by
        their names or by clicks, and solved to a clip.
      </p>
      <LoadButton label="Load a take…" strong />
      <p class="empty">
        Recordings of weights (Live Link or other CSV, the clips of a GLB, FBX or USD file) need no solving: they come
        as clips, by the names of their sliders.
      </p>
      {hasOffsets.value && <HeadCheck />}
    </Section>
  )
}

function LoadButton({ label, strong }: { label?: string; strong?: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        icon="take"
        label={label}
        tone={strong ? 'strong' : 'plain'}
        tip="Load a take: markers as .c3d, .trc or .csv, weights as .csv, clips of a .glb, .fbx, .usda or .fwface; dropping the file on the page does the same"
        onClick={() => input.current?.click()}
      />
      <FileInput
        input={input}
        label="A take of markers to load"
        accept={takeSuffixes()}
        onFile={(file) => void loadTake(file)}
      />
    </>
  )
}

function AboutSection({ take: of }: { take: TakeInfo }) {
  const aside = (
    <span class="actions">
      <Button
        icon={markersShown.value ? 'eye' : 'eyeOff'}
        pressed={markersShown.value}
        tip="Show the markers over the face"
        keys="Shift+M"
        onClick={() => {
          markersShown.value = !markersShown.value
        }}
      />
      <LoadButton />
      <Button icon="trash" tip="Take the take away; clips stay" onClick={removeTake} />
    </span>
  )
  const change = (fields: { unit?: string; rate?: number }) => edit({ type: 'ChangeTake', ...fields })
  return (
    <Section title="Take" aside={aside}>
      <p class="fact" data-tip={of.name}>
        <b>{of.name}</b>
      </p>
      <p class="fact faint">
        {of.markers.length} markers · {of.frames.toLocaleString('en')} frames · {duration(of)}
      </p>
      <p class="fact faint" data-tip={longestGap(of)}>
        {gapsIn(of)}
      </p>
      <div class="field">
        <span>Unit</span>
        <Choice
          value={of.unit}
          options={of.units.map((unit) => [unit, unit] as const)}
          tip="What the numbers in the file are; a face that comes out far too large or small was told the wrong one"
          onChange={(unit) => change({ unit })}
        />
        <NumberField
          value={of.rate}
          digits={of.rate % 1 ? 2 : 0}
          low={0.001}
          high={100000}
          suffix="fps"
          tip="Frames a second of the take, where the file says it wrongly or not at all"
          onChange={(rate) => change({ rate })}
        />
      </div>
      <Notes notes={of.notes.filter((note) => !REST.test(note))} />
      {of.bound && (
        <Check
          label="On this face"
          on={markersOnFace.value}
          tip="At rest every marker sits on its point of this face. Off: as far from it as the actor's face is from this one"
          onChange={(on) => {
            markersOnFace.value = on
          }}
        />
      )}
      {head.value && <HeadCheck />}
    </Section>
  )
}

function HeadCheck() {
  return (
    <Check
      label="Head motion"
      on={headMotion.value}
      tip="The face moves as the actor's head did. Off: the head is held, and markers show what the face does"
      keys="N"
      onChange={(on) => {
        headMotion.value = on
      }}
    />
  )
}

function duration({ frames, rate }: TakeInfo): string {
  const seconds = frames / rate
  return seconds < 90 ? `${seconds.toFixed(1)} s` : `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`
}

function gapsIn(of: TakeInfo): string {
  if (!of.gaps) return 'no gaps'
  const share = 100 * of.gaps
  return `${share < 0.1 ? '< 0.1' : share.toFixed(1)} % gaps, the longest ${Math.max(...of.markers.map((marker) => marker.gap)).toLocaleString('en')} frames`
}

function longestGap(of: TakeInfo): string {
  const worst = of.markers.reduce((a, b) => (b.gap > a.gap ? b : a), of.markers[0])
  return worst?.gap
    ? `${worst.name} is not seen for ${worst.gap} frames at a time`
    : 'Every marker is seen in every frame'
}
