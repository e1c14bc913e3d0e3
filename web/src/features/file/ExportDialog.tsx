/** Exporting with a choice of unit, clips, keys, names, targets and textures. */
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { bookmarks, clipName, clips, plane, rig } from '../../core/document'
import { drawFilm, exportAs } from '../../core/files'
import { Button, Check, Choice, NumberField, Segments } from '../../widgets/controls'
import { Dialog } from '../../widgets/Dialog'
import { exportQuery, isFilm, plainWish, type ExportKind, type ExportWish, type FilmKind } from './exportQuery'
import { exporting } from './state'

const KINDS = [
  ['glb', 'GLB', 'glTF in one file, for Blender, Unreal, Unity and the web'],
  ['vrm', 'VRM', 'An avatar, for programs that show people as characters'],
  ['fbx', 'FBX', 'For Maya, Unreal and Unity, with in-betweens'],
  ['usdz', 'USDZ', 'USD in one file with its images, for film pipelines, Blender and phones'],
  ['usda', 'USDA', 'USD as text, without images'],
  ['npz', 'NPZ', 'Arrays for Python'],
  ['fwface', 'fwface', 'For this program: everything is kept'],
] as const satisfies readonly (readonly [ExportKind, string, string])[]
const FILMS = [
  ['mp4', 'MP4', 'A clip as a film, drawn by the server'],
  ['gif', 'GIF', 'A clip as a film of 256 colours, drawn by the server'],
  ['zip', 'frames', 'A clip as a PNG for each frame, in a zip file, drawn by the server'],
] as const satisfies readonly (readonly [ExportKind, string, string])[]
const VIEWS = [
  ['front', 'from the front'],
  ['threequarter', 'three quarters'],
  ['side', 'from the side'],
] as const
const UNITS = [
  ['', 'as in the document'],
  ['m', 'metres'],
  ['cm', 'centimetres'],
  ['mm', 'millimetres'],
  ['in', 'inches'],
] as const
const NAMES = ['arkit', 'arkit _L/_R', 'live link', 'vrm', 'vrm 0', 'oculus visemes', 'makehuman', 'facs']
const KEYS = [
  ['kept', 'as they are', 'Few keys, and cubic where curves bend: exact'],
  ['straight', 'straight', 'Straight lines to few keys, for programs that play no tangents, as Blender'],
  ['sampled', 'every frame', 'A key on every frame'],
] as const
const LAYERS = [
  ['kept', 'kept', 'Layers stay layers'],
  ['baked', 'baked', 'Layers become part of the curves'],
] as const
const TEXTURES = [
  ['all', 'all', 'The skin as it is shown, and those of expressions for this program'],
  ['shown', 'as shown', 'The skin as it is shown, alone'],
  ['none', 'none', 'No pictures'],
] as const

function Field({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <span>{name}</span>
      {children}
    </div>
  )
}

export function ExportDialog() {
  const asked = exporting.value
  const listed = clips.value
  const wish = useSignal<ExportWish>({
    ...plainWish(asked?.kind ?? 'glb', asked?.plain ?? false),
    start: Math.min(...listed.map((clip) => clip.start), 0),
    end: Math.max(...listed.map((clip) => clip.end), 1),
    clip: clipName.value,
  })
  const now = wish.value
  const change = (changes: Partial<ExportWish>) => {
    wish.value = { ...wish.value, ...changes }
  }
  const close = () => {
    exporting.value = null
  }
  const run = () => {
    close()
    if (isFilm(now.kind)) return void drawFilm(filmOf(now, now.kind))
    void exportAs(
      now.kind,
      exportQuery(
        now,
        listed.map((clip) => clip.name),
      ),
    )
  }
  return (
    <Dialog title="Export" onClose={close}>
      <div class="wishes">
        <Field name="Format">
          <Segments
            label="Format"
            options={listed.length ? [...KINDS, ...FILMS] : KINDS}
            value={now.kind}
            onChange={(kind) => change({ kind })}
          />
        </Field>
        {isFilm(now.kind) ? <Film now={now} change={change} /> : <FaceFile now={now} change={change} />}
      </div>
      <div class="row end">
        <Button
          label="Download"
          tone="strong"
          icon="export"
          tip="Put the file into the browser's downloads"
          onClick={run}
        />
      </div>
    </Dialog>
  )
}

interface PartProps {
  now: ExportWish
  change(changes: Partial<ExportWish>): void
}

/** How a file with the face is written. */
function FaceFile({ now, change }: PartProps) {
  const scaleTip = 'A factor on all lengths; a file in metres is converted by the unit already'
  return (
    <>
      <Field name="Unit">
        <Choice tip="Unit of this face" options={UNITS} value={now.unit} onChange={(unit) => change({ unit })} />
        <NumberField
          value={now.scale}
          digits={3}
          step={0.1}
          low={0.000001}
          high={1000000}
          suffix="× size"
          tip={scaleTip}
          onChange={(scale) => change({ scale })}
        />
      </Field>
      <Field name="Names">
        <Choice
          tip="Names of the shapes"
          options={[['', 'as they are'] as const, ...NAMES.map((name) => [name, name] as const)]}
          value={now.names}
          onChange={(names) => change({ names })}
        />
      </Field>
      {!(rig.value?.linear ?? true) && <Targets now={now} change={change} />}
      {clips.value.length > 0 && <Clips now={now} change={change} />}
      {now.kind === 'vrm' && <Avatar now={now} change={change} />}
      {(now.kind === 'glb' || now.kind === 'vrm') && (
        <Field name="Textures">
          <Segments
            label="Textures"
            options={TEXTURES}
            value={now.textures}
            onChange={(textures) => change({ textures })}
          />
        </Field>
      )}
    </>
  )
}

const STATED = [
  ['name', 'Called', 'What the avatar is called; without it as it is, or as the file'],
  ['authors', 'Author', 'Who made the avatar; several have commas between them. Without it as it is, or unknown'],
  ['contactInformation', 'Contact', 'How the author is reached'],
] as const
const PERMITTED = [
  ['avatarPermission', 'May be used by', [['onlyAuthor', 'the author'], ['onlySeparatelyLicensedPerson', 'those who are told'], ['everyone', 'everyone']]],
  ['commercialUsage', 'For money', [['personalNonProfit', 'not'], ['personalProfit', 'by persons'], ['corporation', 'by companies, too']]],
  ['modification', 'Changes', [['prohibited', 'forbidden'], ['allowModification', 'allowed'], ['allowModificationRedistribution', 'allowed, and given on']]],
  ['allowRedistribution', 'Given on', [['no', 'forbidden'], ['yes', 'allowed']]],
  ['creditNotation', 'Credit', [['required', 'is due'], ['unnecessary', 'is not needed']]],
] as const // prettier-ignore

/** Who made an avatar, and what others may do with it. */
function Avatar({ now, change }: PartProps) {
  const put = (name: string, text: string) => change({ avatar: { ...now.avatar, [name]: text } })
  return (
    <>
      {STATED.map(([name, words, tip]) => (
        <Field key={name} name={words}>
          <input
            class="text-input"
            type="text"
            aria-label={tip}
            data-tip={tip}
            maxLength={200}
            value={now.avatar[name] ?? ''}
            onInput={(event) => put(name, event.currentTarget.value)}
          />
        </Field>
      ))}
      {PERMITTED.map(([name, words, options]) => (
        <Field key={name} name={words}>
          <Choice
            tip={`${words}: what the licence of the avatar says`}
            options={[['', 'as it is, or the strictest'] as const, ...options]}
            value={now.avatar[name] ?? ''}
            onChange={(text) => put(name, text)}
          />
        </Field>
      ))}
    </>
  )
}

const KEPT = 'kept: ' // before the name of a view of the document

const keptViews = () => bookmarks.value.map(({ name }) => [`${KEPT}${name}`, name] as const)

const seenFrom = (view: string) => (view.startsWith(KEPT) ? { kept_view: view.slice(KEPT.length) } : { view })

function filmOf(now: ExportWish, kind: FilmKind) {
  const { clip, rate, width, height, view } = now
  const shown = plane.value !== null && now.plane
  const range = now.ranged ? { start: now.start, end: now.end } : {}
  return { kind, clip, rate, width, height, plane: shown, ...seenFrom(view), ...range }
}

/** What of which clip is drawn, how large and from where. */
function Film({ now, change }: PartProps) {
  return (
    <>
      <Field name="Clip">
        <Choice
          tip="The clip that is drawn"
          options={clips.value.map(({ name }) => [name, name] as const)}
          value={now.clip}
          onChange={(clip) => change({ clip })}
        />
      </Field>
      <Span now={now} change={change} />
      <Field name="Size">
        <NumberField
          value={now.width}
          digits={0}
          low={16}
          high={4096}
          tip="Width in pixels"
          onChange={(width) => change({ width: Math.round(width) })}
        />
        <NumberField
          value={now.height}
          digits={0}
          low={16}
          high={4096}
          suffix="pixels"
          tip="Height in pixels"
          onChange={(height) => change({ height: Math.round(height) })}
        />
      </Field>
      <Field name="View">
        <Choice
          tip="Where it is seen from"
          options={[...VIEWS, ...keptViews()]}
          value={now.view}
          onChange={(view) => change({ view })}
        />
      </Field>
      {plane.value && (
        <Check
          label={`With “${plane.value.name}”`}
          on={now.plane}
          tip={`Draw the ${plane.value.media.startsWith('video/') ? 'video' : 'picture'} of reference where it stands`}
          onChange={(plane) => change({ plane })}
        />
      )}
    </>
  )
}

/** What becomes of in-betweens and combinations. */
function Targets({ now, change }: PartProps) {
  return (
    <>
      <Check
        label="Correctives as plain targets"
        on={now.plain}
        tip="Each in-between and each combination becomes a target with its own keys, for programs that know neither"
        onChange={(plain) => change({ plain })}
      />
      {now.plain && (
        <Check
          label="Leave out what is hardly seen"
          on={now.drops}
          tip="Fewer targets: those that never move a vertex further than a share of the face are dropped"
          onChange={(drops) => change({ drops })}
        />
      )}
      {now.plain && now.drops && (
        <Field name="Below">
          <NumberField
            value={now.percent}
            digits={3}
            step={0.01}
            low={0}
            high={10}
            suffix="% of the face"
            tip="How far a target that is dropped moves a vertex at most, as a share of the face"
            onChange={(percent) => change({ percent })}
          />
        </Field>
      )}
    </>
  )
}

/** Which clips, what of them, and how their keys are written. */
function Clips({ now, change }: PartProps) {
  return (
    <>
      <div class="wished-clips">
        {clips.value.map(({ name }) => (
          <Check
            key={name}
            label={`Clip “${name}”`}
            on={!now.left.includes(name)}
            tip="Write this clip"
            onChange={(on) => change({ left: on ? now.left.filter((one) => one !== name) : [...now.left, name] })}
          />
        ))}
      </div>
      <Span now={now} change={change} />
      <Field name="Keys">
        <Segments label="Keys" options={KEYS} value={now.keys} onChange={(keys) => change({ keys })} />
      </Field>
      {clips.value.some((each) => each.layers > 0) && (
        <Field name="Layers">
          {now.kind === 'fwface' ? (
            <Segments label="Layers" options={LAYERS} value={now.layers} onChange={(layers) => change({ layers })} />
          ) : (
            <span class="faint">baked into the curves</span>
          )}
        </Field>
      )}
    </>
  )
}

/** What of the clips, at how many frames a second. */
function Span({ now, change }: PartProps) {
  return (
    <>
      <Check
        label="Only a range"
        on={now.ranged}
        tip="What is before and after is left out, and the range begins at 0 in the file"
        onChange={(ranged) => change({ ranged })}
      />
      {now.ranged && (
        <Field name="Range">
          <NumberField
            value={now.start}
            step={0.1}
            suffix="s"
            tip="First second"
            onChange={(start) => change({ start })}
          />
          <NumberField value={now.end} step={0.1} suffix="s" tip="Last second" onChange={(end) => change({ end })} />
        </Field>
      )}
      <Field name="Rate">
        <NumberField
          value={now.rate}
          digits={0}
          low={0}
          high={1000}
          suffix={now.rate ? 'frames a second' : 'the clip’s own'}
          tip="Frames a second; 0 is the clip's own rate"
          onChange={(rate) => change({ rate })}
        />
      </Field>
    </>
  )
}
