/** The sound and the picture of reference: chosen, placed, taken away. */
import { useMemo, useRef } from 'preact/hooks'
import { plane, rate, sound } from '../../core/document'
import { suffixesOf } from '../../core/files'
import { heldRange } from '../../core/gestures/heldRange'
import type { PlaneInfo, PlacePlane, PlaceSound, SoundInfo } from '../../core/protocol.gen'
import { edit, intend } from '../../core/server'
import { toFrame } from '../../core/time'
import { Button, Check, NumberField, Range, Section, Segments } from '../../widgets/controls'
import { FileInput } from '../../widgets/FileInput'
import { give, type Kind } from './actions'
import { scrubbed } from './state'

const PLACES = [
  ['behind', 'Behind', 'Behind the face; it shifts and grows with it'],
  ['beside', 'Over', 'At a place of the window, over the face, wherever the camera is'],
] as const

const placeSound = (change: Omit<PlaceSound, 'type'>) => void edit({ type: 'PlaceSound', ...change })
const placePlane = (change: Omit<PlacePlane, 'type'>) => void edit({ type: 'PlacePlane', ...change })

export function ReferenceTab() {
  return (
    <>
      <SoundSection info={sound.value} />
      <PlaneSection info={plane.value} />
    </>
  )
}

function ChooseButton({ kind, info }: { kind: Kind; info: { missing: boolean } | null }) {
  const input = useRef<HTMLInputElement>(null)
  const accept =
    kind === 'sound' ? suffixesOf('sound', 'video') : [...suffixesOf('picture', 'video'), '.tif', '.bmp', '.gif']
  const [label, tip] =
    kind === 'sound'
      ? ['Sound…', 'A WAV file; other sounds, and those of videos, where ffmpeg is there']
      : ['Picture or video…', 'A picture, or a video that plays along with the timeline']
  return (
    <>
      <Button
        icon={!info ? 'plus' : info.missing ? 'search' : 'replace'}
        label={!info ? label : info.missing ? 'Find it again…' : 'Another…'}
        tip={tip}
        onClick={() => input.current?.click()}
      />
      <FileInput
        input={input}
        id={`choose-${kind}`}
        label={kind === 'sound' ? 'A file with a sound' : 'A picture or video'}
        accept={accept}
        onFile={(file) => void give(file, kind)}
      />
    </>
  )
}

/** The name of a file; of one that is missing, what to do. */
function FileName({ name, missing }: { name: string; missing: boolean }) {
  if (!missing) return <p class="file-name">{name}</p>
  return (
    <p class="missing" role="alert">
      <b>{name}</b> is not in this document any more. Choose the same file again, wherever it is now: it keeps its
      place.
    </p>
  )
}

function SoundSection({ info }: { info: SoundInfo | null }) {
  const volume = useMemo(
    () =>
      heldRange({
        begun: { label: 'Volume of sound' },
        edit: (value) => ({ type: 'PlaceSound', volume: value }),
        send: intend,
      }),
    [],
  )
  const remove = <Button icon="trash" tip="Remove the sound" onClick={() => edit({ type: 'RemoveSound' })} />
  return (
    <Section title="Sound" aside={info && <span class="actions">{remove}</span>}>
      {info ? (
        <>
          <FileName {...info} />
          <div class="field">
            <span>Begins</span>
            <NumberField
              value={info.offset * rate.value}
              digits={Math.abs(toFrame(info.offset) - info.offset) < 1e-6 ? 0 : 2}
              suffix="frame"
              tip="Frame at which the sound begins"
              onChange={(frame) => placeSound({ offset: frame / rate.value })}
            />
            <span class="faint">{info.seconds.toFixed(1)} s long</span>
          </div>
          <div class="field">
            <span>Volume</span>
            <Range
              value={info.volume}
              low={0}
              high={1}
              label="Volume of the sound"
              tip="How loud it is, here and in films"
              onChange={volume.move}
              held={volume}
            />
          </div>
          <Check
            label="Muted"
            on={info.muted}
            tip="Neither heard here nor in films"
            onChange={(muted) => placeSound({ muted })}
          />
          <Check
            label="Heard while scrubbing"
            on={scrubbed.value}
            tip="A short piece of the sound at every frame that is gone to"
            onChange={(on) => {
              scrubbed.value = on
            }}
          />
        </>
      ) : (
        <p class="empty">A voice or music to animate to. Drop a sound on the face, or choose one.</p>
      )}
      <ChooseButton kind="sound" info={info} />
    </Section>
  )
}

function PlaneSection({ info }: { info: PlaneInfo | null }) {
  const opacity = useMemo(
    () =>
      heldRange({
        begun: { label: 'Opacity of reference picture' },
        edit: (value) => ({ type: 'PlacePlane', opacity: value }),
        send: intend,
      }),
    [],
  )
  const remove = <Button icon="trash" tip="Remove the picture" onClick={() => edit({ type: 'RemovePlane' })} />
  return (
    <Section title="Picture or video" aside={info && <span class="actions">{remove}</span>}>
      {info ? (
        <>
          <FileName {...info} />
          <Segments
            value={info.placement}
            options={PLACES}
            label="Where the picture is"
            onChange={(placement) => placePlane({ placement })}
          />
          <Place info={info} />
          <div class="field">
            <span>Opacity</span>
            <Range
              value={info.opacity}
              low={0}
              high={1}
              label="Opacity of the picture"
              tip="How much it hides what is behind it"
              onChange={opacity.move}
              held={opacity}
            />
          </div>
          {info.media.startsWith('video/') && (
            <div class="field">
              <span>Begins</span>
              <NumberField
                value={info.offset * rate.value}
                digits={Math.abs(toFrame(info.offset) - info.offset) < 1e-6 ? 0 : 2}
                suffix="frame"
                tip="Frame at which the video begins"
                onChange={(frame) => placePlane({ offset: frame / rate.value })}
              />
            </div>
          )}
        </>
      ) : (
        <p class="empty">A photograph or a filmed performance, behind the face or over it.</p>
      )}
      <ChooseButton kind="plane" info={info} />
    </Section>
  )
}

function Place({ info }: { info: PlaneInfo }) {
  const of = info.placement === 'behind' ? 'in sizes of the face' : 'in heights of the window'
  const field = (name: 'x' | 'y' | 'scale', tip: string) => (
    <NumberField
      value={info[name]}
      step={0.05}
      low={name === 'scale' ? 0.01 : -100}
      high={100}
      tip={`${tip}, ${of}`}
      onChange={(value) => placePlane({ [name]: value })}
    />
  )
  return (
    <>
      <div class="field">
        <span>Shifted</span>
        {field('x', 'How far it is shifted to the right')}
        {field('y', 'How far it is shifted upwards')}
      </div>
      <div class="field">
        <span>Height</span>
        {field('scale', 'How tall it is')}
      </div>
    </>
  )
}
