/** The document as the server last sent it. The page changes nothing here. */
import { computed, effect, signal, untracked } from '@preact/signals'
import { curvesOf, type CurveInfo } from './curve'
import type { CurveKeys } from './frames'
import type {
  CheckProgress,
  BookmarkEntry,
  ClipInfo,
  ControlInfo,
  FilmInfo,
  DragOptions,
  FileInfo,
  HeadInfo,
  HeldInfo,
  HistoryInfo,
  KeyingInfo,
  LayerInfo,
  LiveInfo,
  LiveKindInfo,
  LoadingInfo,
  NameMapInfo,
  PinInfo,
  ExpressionInfo,
  PoseInfo,
  PlaneInfo,
  PriorInfo,
  RigInfo,
  ShapeDetail,
  SliderSet,
  ScanInfo,
  SolvingInfo,
  SoundInfo,
  State,
  TakeInfo,
  TexturesInfo,
  UnitInfo,
  Welcome,
} from './protocol.gen'

export const welcome = signal<Welcome | null>(null)
export const rig = signal<RigInfo | null>(null)
const shapeDetails = signal<ReadonlyMap<string, ShapeDetail>>(new Map()) // by name
export const pins = signal<PinInfo[]>([])
export const held = signal<HeldInfo>({ vertices: [], axes: [], on: false, alpha: null, default_alpha: 1 })
export const locked = signal<ReadonlySet<string>>(new Set())
export const clips = signal<ClipInfo[]>([])
export const curves = signal<ReadonlyMap<string, CurveInfo>>(new Map()) // by clip and slider
export const clipName = signal('')
export const layers = signal<LayerInfo[]>([]) // of the current clip, the lowest first
export const layerName = signal('') // the layer that is posed and keyed; '': the clip itself
export const layered = signal<Record<string, number> | null>(null) // what the clip has now; null: its curves say it
export const poses = signal<PoseInfo[]>([]) // the library of the document
export const folderPoses = signal<PoseInfo[]>([]) // that of a folder that all documents share
export const expressions = signal<ExpressionInfo[]>([]) // of an avatar
export const perfectSync = signal<CheckProgress | null>(null) // null: ARKit's expressions are not being made
export const keyPoses = signal<PoseInfo[]>([]) // at the keys of the current clip
export const time = signal(0)
export const keying = signal<KeyingInfo>({ auto_key: false, tangent: 'auto' }) // how keys are set
export const history = signal<HistoryInfo>({ labels: [], at: 0, gesture: '' })
export const file = signal<FileInfo>({ name: '', unsaved: false, saves_to: '' })
export const opened = signal(0) // another number when another document was opened; 0: none yet
export const drag = signal<DragOptions>({ method: 'bounded', damped: false })
export const dragSliders = signal<string | string[]>('') // a set's name, names, or '': by what the pins sit on
export const dragMethod = signal('automatic') // of the document; another method than bounded in `drag` counts instead
export const prior = signal<PriorInfo>({ text: '', own: false, learning: false }) // what natural faces go by
export const ties = signal<[string, string][]>([]) // a slider, and the one that it goes no further than
export const takeSliders = signal<string | string[]>('') // the same for takes; '': what the markers ask for
export const sliderSets = signal<SliderSet[]>([]) // made by hand
export const take = signal<TakeInfo | null>(null)
export const textures = signal<TexturesInfo | null>(null) // of expressions
export const unit = signal<UnitInfo>({ unit: '', units: [], words: '' }) // of lengths
export const nameMap = signal<NameMapInfo | null>(null) // for recordings of weights
export const loading = signal<LoadingInfo | null>(null) // a file, in the background
export const film = signal<FilmInfo | null>(null) // that is being drawn, or was
export const sound = signal<SoundInfo | null>(null) // that plays along
export const plane = signal<PlaneInfo | null>(null) // a picture or video with the face
export const bookmarks = signal<BookmarkEntry[]>([]) // views of the camera
export const controlList = signal<ControlInfo[]>([]) // of head, neck and eyes
export const controls = signal<Readonly<Record<string, number>>>({}) // those that are set
export const headRig = signal<HeadInfo | null>(null) // where head and neck turn, and how far eyes do
export const live = signal<LiveInfo | null>(null) // a face that arrives; null: switched off
export const liveKinds = signal<LiveKindInfo[]>([])
export const scan = signal<ScanInfo | null>(null) // a depth or scan sequence
export const tracking = signal<SolvingInfo | null>(null) // the sequence, in the background
export const solving = signal<SolvingInfo | null>(null) // a take, in the background

/** Do something whenever another document is opened; that of a page that has just come is none. */
export function whenAnotherOpens(run: () => void): void {
  let last = 0
  effect(() => {
    if (last && opened.value !== last) untracked(run)
    last = opened.value
  })
}

export const clip = computed(() => clips.value.find((each) => each.name === clipName.value) ?? null)
export const rigId = computed(() => rig.value?.id ?? '')
/** The shapes of the rig, as the workbench lists them. */
export const shapes = computed(() =>
  (rig.value?.shapes ?? []).flatMap(({ name }) => shapeDetails.value.get(name) ?? []),
)
export const rate = computed(() => clip.value?.rate ?? take.value?.rate ?? scan.value?.rate ?? 30)

/** Curves of the current clip, in its order. */
export const clipCurves = computed(() =>
  (clip.value?.sliders ?? []).flatMap((slider) => curves.value.get(curveKey(clipName.value, slider)) ?? []),
)

export const curveKey = (clip: string, slider: string) => `${clip}\n${slider}`

/** Take over what a State says; what it leaves out stays. */
export function applyState(state: State): void {
  if (state.rig && state.rig.id !== rig.peek()?.id) rig.value = state.rig // the same again after a break
  if (state.shapes) shapeDetails.value = mergedShapes(state.shapes)
  if (state.pins) pins.value = state.pins
  if (state.held) held.value = state.held
  if (state.locked) locked.value = new Set(state.locked)
  if (state.clips) {
    clips.value = state.clips
    curves.value = listedCurves() // new ones came before, as a frame
  }
  if (state.clip !== undefined) clipName.value = state.clip
  if (state.poses) poses.value = state.poses
  if (state.folder_poses) folderPoses.value = state.folder_poses
  if (state.expressions) expressions.value = state.expressions
  if (state.perfect_sync !== undefined) perfectSync.value = state.perfect_sync
  if (state.key_poses) keyPoses.value = state.key_poses
  if (state.layers) layers.value = state.layers
  if (state.layer !== undefined) layerName.value = state.layer
  if (state.layered !== undefined) layered.value = state.layered
  if (state.unit) unit.value = state.unit
  if (state.time !== undefined) time.value = state.time
  if (state.keying) keying.value = state.keying
  if (state.history) history.value = state.history
  if (state.file) file.value = state.file
  if (state.opened !== undefined) opened.value = state.opened
  if (state.drag) drag.value = state.drag
  if (state.drag_sliders !== undefined) dragSliders.value = state.drag_sliders
  if (state.drag_method !== undefined) dragMethod.value = state.drag_method
  if (state.prior) prior.value = state.prior
  if (state.ties) ties.value = state.ties
  if (state.take_sliders !== undefined) takeSliders.value = state.take_sliders
  if (state.slider_sets) sliderSets.value = state.slider_sets
  if (state.take !== undefined) take.value = state.take
  if (state.scan !== undefined) scan.value = state.scan
  if (state.tracking !== undefined) tracking.value = state.tracking
  if (state.loading !== undefined) loading.value = state.loading
  if (state.film !== undefined) film.value = state.film
  if (state.name_map !== undefined) nameMap.value = state.name_map
  if (state.textures !== undefined) textures.value = state.textures
  if (state.sound !== undefined) sound.value = state.sound
  if (state.plane !== undefined) plane.value = state.plane
  if (state.bookmarks) bookmarks.value = state.bookmarks
  if (state.control_list) controlList.value = state.control_list
  if (state.controls) controls.value = state.controls
  if (state.head) headRig.value = state.head
  if (state.live !== undefined) live.value = state.live
  if (state.live_kinds) liveKinds.value = state.live_kinds
  if (state.solving !== undefined) solving.value = state.solving
}

/** Known shapes with those that changed, without those that the rig no longer has. */
function mergedShapes(changed: ShapeDetail[]): Map<string, ShapeDetail> {
  const known = new Map(shapeDetails.value)
  for (const shape of changed) known.set(shape.name, shape)
  return new Map((rig.value?.shapes ?? []).flatMap(({ name }) => (known.has(name) ? [[name, known.get(name)!]] : [])))
}

/** Take over keys that came. */
export const applyCurves = (frame: CurveKeys) => addCurves(curvesOf(frame))

export function addCurves(changed: CurveInfo[]): void {
  const known = new Map(curves.value)
  for (const curve of changed) known.set(curveKey(curve.clip, curve.slider), curve)
  curves.value = known
}

/** Those of the curves that are still in a clip. */
function listedCurves(): Map<string, CurveInfo> {
  const listed = clips.value.flatMap((each) => each.sliders.map((slider) => curveKey(each.name, slider)))
  return new Map(listed.flatMap((key) => (curves.value.has(key) ? [[key, curves.value.get(key)!]] : [])))
}
