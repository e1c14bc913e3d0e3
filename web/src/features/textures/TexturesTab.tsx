/** The textures of the face: at rest, of its expressions, and how they are mixed. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { rig, textures } from '../../core/document'
import { suffixesOf } from '../../core/files'
import { posed, values } from '../../core/pose'
import type { MapInfo, PictureInfo } from '../../core/protocol.gen'
import { edit } from '../../core/server'
import { dropping } from '../../core/view'
import { mapWeights } from '../../scene/textures/weights'
import { Button, Check, Choice, Section, Segments } from '../../widgets/controls'
import { FileInput } from '../../widgets/FileInput'
import { give, thumbAddress, type PictureKind } from './actions'
import { detailBy, mixing } from './state'

const MIXES = [
  ['bands', 'Two bands', 'Mix what is smooth, and show the detail of one texture: it stays sharp'],
  ['plain', 'Plain', 'Mix all textures as they are: what is not registered becomes blurred'],
  ['split', 'Split', 'Plain on the left, two bands on the right'],
] as const

export function TexturesTab() {
  const info = textures.value
  if (!info)
    return (
      <>
        <NoTextures />
      </>
    )
  return (
    <>
      <MixSection />
      <Section title="At rest">
        <PictureRow picture={info.neutral} name="Without expression" kind="neutral">
          <Button icon="trash" tip="Remove all textures" onClick={() => edit({ type: 'RemoveAllTextures' })} />
        </PictureRow>
      </Section>
      <MapsSection maps={info.maps} />
      <Section title="What never changes">
        {info.mask ? (
          <PictureRow picture={info.mask} name="White stays" kind="mask">
            <Button
              icon="trash"
              tip="Remove the mask: all of the face may change"
              onClick={() => edit({ type: 'RemoveMask' })}
            />
          </PictureRow>
        ) : (
          <PictureButton
            label="Add a mask…"
            kind="mask"
            tip="A picture that is white where nothing ever changes: hair, ears, neck"
          />
        )}
      </Section>
      <PartsSection shown={info.parts} />
    </>
  )
}

/** Shown before there are any textures. */
function NoTextures() {
  return (
    <Section title="Textures">
      <p class="empty">
        A texture for the face at rest, and others that come in with its shapes. Drop pictures (PNG, JPEG, WebP, KTX2)
        on the face.
      </p>
      {isEmbedded() && (
        <Button
          icon="face"
          label="Embedded skin"
          tip="The embedded people's own skin, at rest and in seven expressions"
          onClick={() => edit({ type: 'ApplyEmbeddedSkin' })}
        />
      )}
      <PictureButton
        label="Texture at rest…"
        kind="neutral"
        tip="A picture in the layout of the face's texture coordinates"
      />
    </Section>
  )
}

/** Whether the rig seems to be an embedded person's, by its parts. The server checks it again. */
const isEmbedded = () =>
  ['head', 'left eye', 'right eye', 'tongue'].every((name) => rig.value?.parts.some((part) => part.name === name))

function MixSection() {
  return (
    <Section title="Mix">
      <Segments
        value={mixing.value}
        options={MIXES}
        label="How textures are mixed"
        onChange={(key) => {
          mixing.value = key
        }}
      />
      <div class="field">
        <span>Detail</span>
        <Choice
          value={detailBy.value}
          tip="Whose pores and wrinkles are shown: those of the texture that counts most, or always those of the face at rest"
          options={[
            ['dominant', 'of the strongest'],
            ['neutral', 'of the face at rest'],
          ]}
          disabled={mixing.value === 'plain'}
          onChange={(by) => {
            detailBy.value = by
          }}
        />
      </div>
    </Section>
  )
}

function MapsSection({ maps }: { maps: MapInfo[] }) {
  void posed.value
  const weights = mapWeights(maps, values)
  const taken = new Set(maps.flatMap(({ shapes }) => (shapes.length === 1 ? shapes : [])))
  const free = (rig.value?.shapes ?? []).map(({ name }) => name).filter((name) => !taken.has(name))
  const chosen = useSignal('')
  const shape = free.includes(chosen.value) ? chosen.value : (free[0] ?? '')
  return (
    <Section title={`Expressions ${maps.length || ''}`}>
      <ul class="list pictures">
        {maps.map((map, i) => (
          <li key={map.shapes.join(' ')}>
            <PictureRow
              picture={map.picture}
              name={map.shapes.join(' + ')}
              kind="map"
              shapes={map.shapes}
              weight={weights[i]}
              lost={!map.indices.length}
            >
              <Button
                icon="trash"
                tip={`Remove the texture of ${map.shapes.join(' and ')}`}
                onClick={() => edit({ type: 'RemoveTexture', shapes: map.shapes })}
              />
            </PictureRow>
          </li>
        ))}
      </ul>
      <div class="field">
        <Choice
          value={shape}
          tip="The shape with which the next texture comes in"
          options={free.map((name) => [name, name] as const)}
          onChange={(name) => {
            chosen.value = name
          }}
        />
        <PictureButton label="Add…" kind="map" shapes={[shape]} tip="A texture that comes in with this shape" />
      </div>
    </Section>
  )
}

function PartsSection({ shown }: { shown: string[] }) {
  const parts = rig.value?.parts.map(({ name }) => name) ?? []
  if (parts.length < 2) return null
  const shows = (name: string) => !shown.length || shown.includes(name)
  const set = (name: string, on: boolean) => {
    const next = parts.filter((each) => (each === name ? on : shows(each)))
    if (next.length) edit({ type: 'SetTexturedParts', parts: next.length === parts.length ? [] : next })
  }
  return (
    <Section title="Textured parts">
      {parts.map((name) => (
        <Check
          key={name}
          label={name}
          on={shows(name)}
          tip={`Whether ${name} shows these textures`}
          onChange={(on) => set(name, on)}
        />
      ))}
    </Section>
  )
}

interface RowProps {
  picture: PictureInfo
  name: string
  kind: PictureKind
  shapes?: string[]
  weight?: number
  lost?: boolean
  children: preact.ComponentChildren
}

function PictureRow({ picture, name, kind, shapes, weight, lost, children }: RowProps) {
  return (
    <div
      class={`picture${lost ? ' off' : ''}`}
      data-picture={name}
      onDragOver={(event) => {
        event.preventDefault()
        event.stopPropagation() // or the whole page would offer to take it
        dropping.value = false
      }}
      onDrop={(event) => {
        event.preventDefault()
        event.stopPropagation()
        const [file] = event.dataTransfer?.files ?? []
        if (file) void give(file, kind, shapes)
      }}
    >
      <img src={thumbAddress(picture.id)} alt="" width={36} height={36} />
      <span
        class="about"
        data-tip={lost ? `${name}: this face has no such shape` : `${name}: drop another picture here to replace it`}
      >
        <b>{name}</b>
        <small>
          {picture.width} × {picture.height} {picture.media.replace('image/', '').toUpperCase()}
        </small>
        {weight !== undefined && <i class="weight" style={{ width: `${100 * Math.min(weight, 1)}%` }} />}
      </span>
      {children}
    </div>
  )
}

function PictureButton({
  label,
  kind,
  shapes,
  tip,
}: {
  label: string
  kind: PictureKind
  shapes?: string[]
  tip: string
}) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button icon="plus" label={label} tip={tip} onClick={() => input.current?.click()} />
      <FileInput
        input={input}
        id={`bring-${kind}`}
        label={label}
        accept={suffixesOf('picture')}
        onFile={(file) => void give(file, kind, shapes)}
      />
    </>
  )
}
