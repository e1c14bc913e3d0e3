// Made by tools/generate_protocol.py from src/facewright/studio/protocol.py; do not edit.

export const PROTOCOL = 2

/** Open a gesture: what follows with this number is one undo entry, or none. */
export interface Begin {
  type: 'Begin'
  seq?: number
  gesture: number
  label: string
}

/** Close a gesture and keep what it did. */
export interface Commit {
  type: 'Commit'
  seq?: number
  gesture: number
}

/** Close a gesture and take back what it did. */
export interface Discard {
  type: 'Discard'
  seq?: number
  gesture: number
}

/** Move sliders, all over or in a region; others keep their value, unless held points or a partner forbid it. */
export interface SetWeights {
  type: 'SetWeights'
  seq?: number
  gesture?: number
  weights: Record<string, number>
  region?: string
}

/** Sliders back to 0 (or the nearest bound), in a region to what they are around it; all that are not locked, where
 * none are named. */
export interface ResetWeights {
  type: 'ResetWeights'
  seq?: number
  gesture?: number
  sliders?: string[] | null
  region?: string
}

/** Keep solvers and resets from moving sliders, or let them again. */
export interface LockSliders {
  type: 'LockSliders'
  seq?: number
  gesture?: number
  sliders: string[]
  locked: boolean
}

/** Set a pin on a vertex, or on a triangle with barycentric coordinates. The page chooses its number. */
export interface AddPin {
  type: 'AddPin'
  seq?: number
  gesture?: number
  pin: number
  vertex?: number | null
  triangle?: number | null
  barycentric?: [number, number, number] | null
  hold?: boolean
}

/** Set a pin elsewhere on the surface; the face stays. */
export interface MovePin {
  type: 'MovePin'
  seq?: number
  gesture?: number
  pin: number
  vertex?: number | null
  triangle?: number | null
  barycentric?: [number, number, number] | null
}

/** What is not given stays as it is. */
export interface ChangePins {
  type: 'ChangePins'
  seq?: number
  gesture?: number
  pins: number[]
  hold?: boolean | null
  axes?: string | null
  strength?: number | null
}

/** Take pins away. */
export interface DeletePins {
  type: 'DeletePins'
  seq?: number
  gesture?: number
  pins: number[]
}

/** Set the same pins on the other side of the face. */
export interface MirrorPins {
  type: 'MirrorPins'
  seq?: number
  gesture?: number
  pins: number[]
}

/** Bring pins to places; pins with `hold` stay. Counts from the gesture's beginning.
 *
 * `plane` is the normal of the view plane in which the targets count (null: in space, along `axes`). `symmetric` moves
 * the mirrored points alike. With a `region` only that moves, by pins inside it. */
export interface DragPins {
  type: 'DragPins'
  seq?: number
  gesture?: number
  targets: PinTarget[]
  plane?: [number, number, number] | null
  axes?: string
  symmetric?: boolean
  region?: string
}

/** Where a pin is dragged to, in scene units. */
export interface PinTarget {
  pin: number
  target: [number, number, number]
}

/** Choose points that stay still: add to them, take from them, or choose these instead. Axes are those of these. */
export interface HoldVertices {
  type: 'HoldVertices'
  seq?: number
  gesture?: number
  vertices: number[]
  axes?: string
  mode?: 'add' | 'remove' | 'set'
}

/** The axes along which all chosen points stay still. */
export interface SetHoldAxes {
  type: 'SetHoldAxes'
  seq?: number
  gesture?: number
  axes: string
}

/** Whether chosen points are held, and how much that counts (null: unchosen over chosen points). */
export interface SetHolding {
  type: 'SetHolding'
  seq?: number
  gesture?: number
  on: boolean
  alpha?: number | null
}

/** Key the pose at a time of the current clip (made where there is none); all sliders, or some. */
export interface SetKeys {
  type: 'SetKeys'
  seq?: number
  gesture?: number
  time: number
  sliders?: string[] | null
}

/** Move keys of the current clip in time and value; a key that lands on another replaces it. */
export interface MoveKeys {
  type: 'MoveKeys'
  seq?: number
  gesture?: number
  keys: KeyChoice[]
  by?: number
  lift?: number
}

/** Keys of one slider, by their times. */
export interface KeyChoice {
  slider: string
  times: number[]
}

/** Copy keys of the current clip to a later or earlier time. */
export interface CopyKeys {
  type: 'CopyKeys'
  seq?: number
  gesture?: number
  keys: KeyChoice[]
  by: number
}

/** Take keys out of the current clip. */
export interface DeleteKeys {
  type: 'DeleteKeys'
  seq?: number
  gesture?: number
  keys: KeyChoice[]
}

/** How curves of the current clip go from key to key; all, or some. */
export interface SetInterpolation {
  type: 'SetInterpolation'
  seq?: number
  gesture?: number
  interpolation: 'cubic' | 'linear' | 'step'
  sliders?: string[] | null
}

/** A new clip, empty or a copy of another, which becomes the current one. */
export interface CreateClip {
  type: 'CreateClip'
  seq?: number
  gesture?: number
  name: string
  rate?: number
  copy_of?: string | null
}

/** Give a clip another name. */
export interface RenameClip {
  type: 'RenameClip'
  seq?: number
  gesture?: number
  clip: string
  name: string
}

/** Take a clip away. */
export interface DeleteClip {
  type: 'DeleteClip'
  seq?: number
  gesture?: number
  clip: string
}

/** Frames a second that a clip is played and sampled at; its keys stay at their times. */
export interface SetRate {
  type: 'SetRate'
  seq?: number
  gesture?: number
  clip: string
  rate: number
}

/** Go to a time: sliders with a curve in the current clip take its values. No undo entry. */
export interface Scrub {
  type: 'Scrub'
  seq?: number
  time: number
}

/** Make a clip (or none: "") the current one. No undo entry. */
export interface ChooseClip {
  type: 'ChooseClip'
  seq?: number
  clip: string
}

/** Take the last change back. */
export interface Undo {
  type: 'Undo'
  seq?: number
}

/** Do what was taken back again. */
export interface Redo {
  type: 'Redo'
  seq?: number
}

/** Undo or redo to a place in the history: 0 is before all entries. */
export interface GoTo {
  type: 'GoTo'
  seq?: number
  at: number
}

/** How drags are solved from now on: a method of `Welcome.methods`, or landweber(20) for more or fewer steps. */
export interface SetDragOptions {
  type: 'SetDragOptions'
  seq?: number
  method: string
  damped?: boolean
}

/** What the page wants to find again: camera, panels, chosen sliders. Not undoable; at most 64 KB. */
export interface Remember {
  type: 'Remember'
  seq?: number
  view: Record<string, unknown>
}

/** Open an embedded person; all but "new" are undoable edits. */
export interface OpenSample {
  type: 'OpenSample'
  seq?: number
  person?: string
  shapes?: string
  how?: 'clips' | 'keep' | 'new'
}

/** Open a file below a folder that was named on the command line, by a path of `GET /api/files`. */
export interface OpenPath {
  type: 'OpenPath'
  seq?: number
  path: string
  how?: 'clips' | 'keep' | 'new'
}

/** Save as .fwface: where it came from (no path), or below a named folder. */
export interface Save {
  type: 'Save'
  seq?: number
  path?: string | null
}

/** Ask for a clip frame by frame, to play it: answered by a ClipTable frame. */
export interface SampleClip {
  type: 'SampleClip'
  seq?: number
  clip: string
}

/** Ask whether the server is there. */
export interface Ping {
  type: 'Ping'
  seq?: number
}

/** Divide the face into regions, in place of those that there are: from 0, few large ones, to 1, many small ones. */
export interface FindRegions {
  type: 'FindRegions'
  seq?: number
  gesture?: number
  threshold?: number
}

/** A face without regions, in the pose of the whole. */
export interface RemoveRegions {
  type: 'RemoveRegions'
  seq?: number
  gesture?: number
}

/** Give a region, of any level, another name. */
export interface RenameRegion {
  type: 'RenameRegion'
  seq?: number
  gesture?: number
  region: string
  name: string
}

/** Make two regions one of the finest, with the name and the pose of the first. */
export interface MergeRegion {
  type: 'MergeRegion'
  seq?: number
  gesture?: number
  region: string
  other: string
}

/** Cut one of the finest regions in two, across its longest side. */
export interface SplitRegion {
  type: 'SplitRegion'
  seq?: number
  gesture?: number
  region: string
}

/** Give vertices to one of the finest regions, or take them away from it, which gives them to its neighbours. */
export interface PaintRegion {
  type: 'PaintRegion'
  seq?: number
  gesture?: number
  region: string
  vertices: number[]
  mode?: 'add' | 'remove'
}

/** Say where on the face a marker belongs; the third pair brings a loose take onto the face. */
export interface PairMarker {
  type: 'PairMarker'
  seq?: number
  gesture?: number
  marker: string
  triangle: number
  barycentric: [number, number, number]
}

/** Take pairs away; all where none are named. */
export interface UnpairMarkers {
  type: 'UnpairMarkers'
  seq?: number
  gesture?: number
  markers?: string[] | null
}

/** Glue the take's markers by what their names say; pairs count more. */
export interface BindByNames {
  type: 'BindByNames'
  seq?: number
  gesture?: number
}

/** All markers loose again. */
export interface Unbind {
  type: 'Unbind'
  seq?: number
  gesture?: number
}

/** Let solves do without markers, or with them again. */
export interface IgnoreMarkers {
  type: 'IgnoreMarkers'
  seq?: number
  gesture?: number
  markers: string[]
  ignored: boolean
}

/** Say what the file says wrongly; what is not given stays. neutral: the frame at rest, -1: to be found. */
export interface ChangeTake {
  type: 'ChangeTake'
  seq?: number
  gesture?: number
  unit?: string | null
  rate?: number | null
  neutral?: number | null
}

/** The face without its take; clips stay. */
export interface RemoveTake {
  type: 'RemoveTake'
  seq?: number
  gesture?: number
}

/** Solve the take in the background: State.solving tells how far it is, and the clip comes as a step. */
export interface SolveTake {
  type: 'SolveTake'
  seq?: number
  smooth?: string
  keys?: number
  residual?: boolean
  gaze?: boolean
  steady?: number
  by_region?: boolean
  level?: number
}

/** Stop solving, and keep what is solved so far. */
export interface StopSolve {
  type: 'StopSolve'
  seq?: number
}

/** Ask how near a clip ("": none) comes to the take: answered by a TakeFitTable frame. */
export interface AskFit {
  type: 'AskFit'
  seq?: number
  clip: string
}

/** Take the texture of some shapes away. */
export interface RemoveTexture {
  type: 'RemoveTexture'
  seq?: number
  gesture?: number
  shapes: string[]
}

/** Let the texture of some shapes come in with others. */
export interface MoveTexture {
  type: 'MoveTexture'
  seq?: number
  gesture?: number
  shapes: string[]
  to: string[]
}

/** All of the face may change. */
export interface RemoveMask {
  type: 'RemoveMask'
  seq?: number
  gesture?: number
}

/** The parts that wear the textures; none: all. */
export interface WearTextures {
  type: 'WearTextures'
  seq?: number
  gesture?: number
  parts: string[]
}

/** A face without textures of expressions, as its file says. */
export interface TakeOffTextures {
  type: 'TakeOffTextures'
  seq?: number
  gesture?: number
}

/** The embedded people's own textures, on one of them. */
export interface WearSampleSkin {
  type: 'WearSampleSkin'
  seq?: number
  gesture?: number
}

/** The rig whose shapes to make: the embedded head, or the face that is open. */
export interface ChooseTemplate {
  type: 'ChooseTemplate'
  seq?: number
  source: 'open' | 'sample'
}

/** No face to rig; poses stay. */
export interface RemoveNeutral {
  type: 'RemoveNeutral'
  seq?: number
}

/** Take poses away. */
export interface RemovePoses {
  type: 'RemovePoses'
  seq?: number
  poses: string[]
}

/** Which sliders make a pose, and about how much: null for one that has no part in it, others stay.
 *
 * null for all of them: let the pose be guessed by what the face does. */
export interface GuessPose {
  type: 'GuessPose'
  seq?: number
  pose: string
  weights: Record<string, number | null> | null
}

/** Turn, move and scale a pose onto the neutral, or take it as it is. */
export interface FitPose {
  type: 'FitPose'
  seq?: number
  pose: string
  fitted: boolean
}

/** Give the rig the shape that a pose out of reach lacks, or not. */
export interface AddMissing {
  type: 'AddMissing'
  seq?: number
  pose: string
  added: boolean
}

/** From 0, trust the template, to 1, trust the examples. */
export interface TrustExamples {
  type: 'TrustExamples'
  seq?: number
  trust: number
}

/** All points that belong together, for laying the template onto a neutral of another topology. */
export interface PairPoints {
  type: 'PairPoints'
  seq?: number
  pairs: PointPair[]
}

/** A vertex of the template and one of the neutral that belong together. */
export interface PointPair {
  source: number
  target: number
  name: string
}

/** Whose polygons the rig gets where they differ; auto: the neutral's own, the template's for scans. */
export interface ChooseMesh {
  type: 'ChooseMesh'
  seq?: number
  mesh: 'auto' | 'own' | 'template'
}

/** Let pairs be found. */
export interface ProposePairs {
  type: 'ProposePairs'
  seq?: number
}

/** Lay the template onto the neutral by the pairs. */
export interface LayTemplate {
  type: 'LayTemplate'
  seq?: number
}

/** Build the rig now. */
export interface SolveBuild {
  type: 'SolveBuild'
  seq?: number
}

/** Whether to solve by itself after each change. */
export interface SolveAlong {
  type: 'SolveAlong'
  seq?: number
  on: boolean
}

/** Stop, and keep the last whole iteration. */
export interface StopBuild {
  type: 'StopBuild'
  seq?: number
}

/** Take the last decision about the build back. */
export interface UndoBuild {
  type: 'UndoBuild'
  seq?: number
}

/** Do it again. */
export interface RedoBuild {
  type: 'RedoBuild'
  seq?: number
}

/** Begin anew with the embedded head. */
export interface ClearBuild {
  type: 'ClearBuild'
  seq?: number
}

/** Open the rig that was built: as a document of its own, or (keep) under the open pose and clips. */
export interface OpenBuilt {
  type: 'OpenBuilt'
  seq?: number
  how?: 'keep' | 'new'
}

/** The first message of a connection. */
export interface Welcome {
  type: 'Welcome'
  protocol: number
  version: string
  methods: string[]
  upload_limit: number
  formats: string[]
  folders: string[]
}

/** The document and all about it. Complete at first; then only what changed, the rest left out. */
export interface State {
  type: 'State'
  revision: number
  rig?: RigInfo
  pins?: PinInfo[]
  held?: HeldInfo
  locked?: string[]
  clips?: ClipInfo[]
  curves?: CurveInfo[]
  clip?: string
  time?: number
  history?: HistoryInfo
  file?: FileInfo
  drag?: DragOptions
  view?: Record<string, unknown>
  take?: TakeInfo | null
  solving?: SolvingInfo | null
  look?: LookInfo | null
}

/** The rig without its arrays, which are at `GET /api/geometry/{id}`. */
export interface RigInfo {
  id: string
  vertices: number
  triangles: number
  size: number
  sliders: SliderInfo[]
  shapes: ShapeInfo[]
  parts: PartInfo[]
  exclusive: [number, number][]
}

/** A slider. */
export interface SliderInfo {
  name: string
  low: number
  high: number
  group: string
  mirror: number
}

/** A shape: its value is that of its slider (1 at `at`, hats between neighbours), or the product of several. */
export interface ShapeInfo {
  name: string
  sliders: number[]
  at: number
}

/** A part of the face, as a range of rig vertices. */
export interface PartInfo {
  name: string
  start: number
  stop: number
}

/** A pin on the surface. Its place is in the Pose frame. */
export interface PinInfo {
  id: number
  vertex: number | null
  triangle: number | null
  barycentric: [number, number, number] | null
  axes: string
  strength: number
  hold: boolean
}

/** Points that stay still while sliders and pins move, as long as `on`. */
export interface HeldInfo {
  vertices: number[]
  axes: number[]
  on: boolean
  alpha: number | null
  default_alpha: number
}

/** A clip without its keys. */
export interface ClipInfo {
  name: string
  rate: number
  start: number
  end: number
  sliders: string[]
}

/** Keys of one slider in one clip. */
export interface CurveInfo {
  clip: string
  slider: string
  times: number[]
  values: number[]
  interpolation: 'cubic' | 'linear' | 'step'
  slopes: [number, number][] | null
}

/** Labels of what was done, the oldest first; `at` of them are done, the others can be done again. */
export interface HistoryInfo {
  labels: string[]
  at: number
  gesture: string
}

/** What is open. */
export interface FileInfo {
  name: string
  unsaved: boolean
  saves_to: string
}

/** How drags are solved. */
export interface DragOptions {
  method: string
  damped: boolean
}

/** The take without its positions, which are at `GET /api/take/{id}`. */
export interface TakeInfo {
  id: string
  name: string
  unit: string
  units: string[]
  rate: number
  frames: number
  gaps: number
  markers: MarkerInfo[]
  notes: string[]
  place: PlaceInfo
  bound: boolean
  origin: string
  neutral: number | null
  millimetres: number
  solved: SolvedInfo | null
}

/** A marker of the take. */
export interface MarkerInfo {
  name: string
  seen: number
  gap: number
  point: PointInfo | null
  offset: [number, number, number] | null
  paired: boolean
  ignored: boolean
  bindable: boolean
}

/** A point of the surface: three rig vertices and their shares. */
export interface PointInfo {
  vertices: [number, number, number]
  shares: [number, number, number]
}

/** From the take's room to the scene: x -> scale R x + offset, after x is reversed where mirrored. */
export interface PlaceInfo {
  rotation: number[]
  offset: [number, number, number]
  scale: number
  mirrored: boolean
}

/** The clip that was solved from the take. */
export interface SolvedInfo {
  clip: string
  frames: number
  notes: string[]
}

/** A solve under way. */
export interface SolvingInfo {
  take: string
  done: number
  total: number
  speed: number
  stopping: boolean
}

/** Textures of expressions. Smooth parts are LowBand frames at /api/look/low/{layout}/{picture id}. */
export interface LookInfo {
  id: string
  layout: string
  neutral: PictureInfo
  maps: MapInfo[]
  mask: PictureInfo | null
  parts: string[]
}

/** A picture: the file is at /api/look/picture/{id}, a small one at /api/look/thumb/{id}. */
export interface PictureInfo {
  id: string
  width: number
  height: number
  media: string
  bytes: number
}

/** A texture that comes in with the mean of its shapes' values. */
export interface MapInfo {
  shapes: string[]
  indices: number[]
  picture: PictureInfo
}

/** A message was carried out, and is kept even if the server dies now. */
export interface Done {
  type: 'Done'
  seq: number
}

/** A message was not carried out; the document is as it was. `message` is for the person. */
export interface Refused {
  type: 'Refused'
  seq: number
  message: string
}

/** Something the person should know. */
export interface Notice {
  type: 'Notice'
  message: string
}

/** What the server is doing for longer than a moment; "" when it is done. */
export interface Busy {
  type: 'Busy'
  doing: string
}

/** The server is there. */
export interface Pong {
  type: 'Pong'
  seq: number
}

/** All about the build; sent whole, whenever anything of it is different. */
export interface Build {
  type: 'Build'
  template: BuildFace
  source: string
  sliders: BuildSlider[]
  neutral: BuildFace | null
  rest: BuildFace | null
  size: number
  hurdle: string
  other_topology: boolean
  pairs: PointPair[]
  proposed: boolean
  laid: LaidInfo | null
  mesh: string
  notes: string[]
  poses: BuildPose[]
  trust: number
  along: boolean
  quick: boolean
  built: BuiltInfo | null
  doing: string
  undo: string
  redo: string
}

/** A face of the build. Its mesh is at `GET /api/build/face/{id}`. */
export interface BuildFace {
  id: string
  name: string
  vertices: number
  parts: string[]
}

/** A slider of the template. */
export interface BuildSlider {
  name: string
  low: number
  high: number
  group: string
}

/** How the template lies on the neutral. */
export interface LaidInfo {
  own: boolean
  verdict: string
  good: boolean
  current: boolean
}

/** An example. */
export interface BuildPose {
  name: string
  vertices: number
  guess: Record<string, number> | null
  fitted: boolean
  hurdle: string
  fits: boolean
  view: string
  met: MetInfo | null
}

/** A pose beside the rig's own version of it. Lengths are scene units of the neutral. */
export interface MetInfo {
  weights: Record<string, number>
  relative: number
  typical: number
  worst: number
  reached: boolean
  missing: string
  gain: number
  added: boolean
}

/** The rig as it was last solved. */
export interface BuiltInfo {
  shapes: number
  iterations: number
  finished: boolean
  error: number
  seconds: number
  current: boolean
}

/** How far it is. */
export interface BuildProgress {
  type: 'BuildProgress'
  step: number
  steps: number
  error: number
}

/** An example beside the rig's own version of it, over rig vertices: example and example_normals (v, 3); where it is
 * solved also version and version_normals (v, 3), and distances (v,) between the two. */
export interface BuiltPose {
  type: 'BuiltPose'
  view: string
  arrays: Record<string, ArrayInfo>
}

/** One array of a frame: `offset` bytes after the header's padding, row after row. */
export interface ArrayInfo {
  kind: 'f4' | 'u4'
  shape: number[]
  offset: number
}

/** The smooth part of a texture: texels (H, W, 2), RGBA of linear light in half precision, two in a word, the bottom
 * row first; of its detail a sample (n, 3), the same places for all textures of a layout. */
export interface LowBand {
  type: 'LowBand'
  extent: [number, number]
  arrays: Record<string, ArrayInfo>
}

/** What no mix of textures goes beyond: darkest and brightest (H, W, 2), as in LowBand. */
export interface LowLimits {
  type: 'LowLimits'
  extent: [number, number]
  arrays: Record<string, ArrayInfo>
}

/** The face as it is now. n sliders, s shapes, k pins.
 *
 * weights (n,), values (s,) of the shapes or, where regions are posed each for itself, (1 + r, s) of the whole face
 * and of each of the finest regions; places (k, 3) of the pins. What regions add to the weights: local (p,), with
 * spots (p, 2) of region and slider. After a drag also change (n,) of each slider, in the region that was meant, since
 * its beginning, helped (n,) share of the wanted motion that it brought, and for the dragged and holding pins (d of
 * them) residual (d,) and target (d, 3). */
export interface Pose {
  type: 'Pose'
  seq: number
  gesture: number
  revision: number
  status: string
  pins: number[]
  dragged: number[]
  reasons: string[]
  arrays: Record<string, ArrayInfo>
}

/** A clip frame by frame: times (f,) seconds, weights (f, n), values (f, s) or (f, 1 + r, s), local (f, p) with
 * spots (p, 2) as in Pose. What has no curve stays as it is. */
export interface ClipTable {
  type: 'ClipTable'
  seq: number
  clip: string
  rate: number
  arrays: Record<string, ArrayInfo>
}

/** What the graphics card needs. r render vertices (copies where texture coordinates have a seam), t triangles.
 *
 * positions (r, 3), normals (r, 3), uvs (r, 2) v up (if there are any), vertex (r,) of the rig, triangles (t, 3),
 * triangle (t,) of the rig. Shapes are sparse over rig vertices: starts (s + 1,), vertices (m,), offsets (m, 3) and
 * turns (m, 3), by which the normals change. Parts that move as one: riders (k,) of the rig go where carriers (c,) go,
 * eyes (e,) are the vertices of the eyeballs. */
export interface Geometry {
  type: 'Geometry'
  rig: string
  ranges: RangeInfo[]
  materials: MaterialInfo[]
  eyes: EyeInfo[]
  arrays: Record<string, ArrayInfo>
}

/** Triangles that belong to one part and one of `materials` (0 where there are none). */
export interface RangeInfo {
  part: number
  material: number
  start: number
  count: number
}

/** How a surface looks. An image is at `GET /api/texture/{rig id}/{image}`. */
export interface MaterialInfo {
  name: string
  color: [number, number, number, number]
  roughness: number
  image: number | null
  media: string
  alpha: string
  cutoff: number
  double_sided: boolean
}

/** An eyeball; its vertices are in `eyes` of the frame. */
export interface EyeInfo {
  middle: [number, number, number]
  start: number
  stop: number
  looks: LookShape[]
}

/** A shape that lids and an eye follow with: at 1 for an angle of `reach` (radians) on an axis, 0 sideways, 1 up. */
export interface LookShape {
  shape: number
  axis: number
  sense: number
  reach: number
}

/** Regions, whenever they changed, before the Pose; none for a face without.
 *
 * Of v vertices: starts (v + 1,), then region (k,), of the finest, and share (k,) from starts[i] to starts[i + 1]. */
export interface RegionMap {
  type: 'RegionMap'
  regions: RegionInfo[]
  arrays: Record<string, ArrayInfo>
}

/** A region. The finest come first, each further one is made of earlier ones, the last is the whole face. */
export interface RegionInfo {
  name: string
  parent: number
  level: number
  color: string
  beside: number[]
}

/** Where the markers of a take are: positions (f, m, 3) in the take's room, NaN where one was not seen. */
export interface TakeTable {
  type: 'TakeTable'
  take: string
  arrays: Record<string, ArrayInfo>
}

/** How near a clip comes to the take, frame by frame of the take.
 *
 * mean (f,) millimetres, NaN where nothing is known; worst (f,) the marker furthest off; status (f,) of `statuses`;
 * doubted (q, 2) frame and marker that were recorded, but not gone by; head (f, 12) rotation, rows first, and offset,
 * as the still markers show it, empty where the clip has the head's motion itself. Markers count as in TakeInfo. */
export interface TakeFitTable {
  type: 'TakeFitTable'
  seq: number
  clip: string
  statuses: string[]
  worst_frames: number[]
  typical: number
  most: number
  arrays: Record<string, ArrayInfo>
}

/** Any status from 400 up: what is wrong and what would have worked, for the person. */
export interface Problem {
  problem: string
}

/** The server is there. */
export interface Health {
  version: string
  protocol: number
}

/** GET /api/samples. */
export interface SampleList {
  samples: SampleInfo[]
}

/** An embedded person, with the sets of shapes that OpenSample takes. */
export interface SampleInfo {
  person: string
  shapes: string[]
}

/** GET /api/files: below the folders named on the command line, and work that was never saved. */
export interface FileList {
  files: OpenableFile[]
  recovered: OpenableFile[]
}

/** A file that OpenPath takes. */
export interface OpenableFile {
  path: string
  bytes: number
  changed: number
}

/** POST /api/upload: what was opened; the State that says all about it comes over the socket. */
export interface Uploaded {
  name: string
  brings: 'binding' | 'clip' | 'face' | 'take'
}

/** POST /api/build/faces: what the faces are called that were taken; the Build that says all about them follows. */
export interface Taken {
  names: string[]
}

export type PageMessage =
  | Begin
  | Commit
  | Discard
  | SetWeights
  | ResetWeights
  | LockSliders
  | AddPin
  | MovePin
  | ChangePins
  | DeletePins
  | MirrorPins
  | DragPins
  | HoldVertices
  | SetHoldAxes
  | SetHolding
  | SetKeys
  | MoveKeys
  | CopyKeys
  | DeleteKeys
  | SetInterpolation
  | CreateClip
  | RenameClip
  | DeleteClip
  | SetRate
  | Scrub
  | ChooseClip
  | Undo
  | Redo
  | GoTo
  | SetDragOptions
  | Remember
  | OpenSample
  | OpenPath
  | Save
  | SampleClip
  | Ping
  | FindRegions
  | RemoveRegions
  | RenameRegion
  | MergeRegion
  | SplitRegion
  | PaintRegion
  | PairMarker
  | UnpairMarkers
  | BindByNames
  | Unbind
  | IgnoreMarkers
  | ChangeTake
  | RemoveTake
  | SolveTake
  | StopSolve
  | AskFit
  | RemoveTexture
  | MoveTexture
  | RemoveMask
  | WearTextures
  | TakeOffTextures
  | WearSampleSkin
  | ChooseTemplate
  | RemoveNeutral
  | RemovePoses
  | GuessPose
  | FitPose
  | AddMissing
  | TrustExamples
  | PairPoints
  | ChooseMesh
  | ProposePairs
  | LayTemplate
  | SolveBuild
  | SolveAlong
  | StopBuild
  | UndoBuild
  | RedoBuild
  | ClearBuild
  | OpenBuilt

export type ServerMessage =
  | Welcome
  | State
  | Done
  | Refused
  | Notice
  | Busy
  | Pong
  | Build
  | BuildProgress

export type FrameHeader =
  | BuiltPose
  | LowBand
  | LowLimits
  | Pose
  | ClipTable
  | Geometry
  | RegionMap
  | TakeTable
  | TakeFitTable

export type HttpAnswer =
  | Problem
  | Health
  | SampleList
  | FileList
  | Uploaded
  | Taken
