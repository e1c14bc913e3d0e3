// Made by tools/generate_protocol.py from the frames in src/facewright/session/views; do not edit.

/** Triangles of one mesh with one of `materials`. */
export interface CarriedRange {
  name: string
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

/** An eyeball; its vertices are eyeballs[start:stop] of the frame, or those that have shares in its joint. */
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

/** A curve without its keys. */
export interface CurveHead {
  clip: string
  slider: string
  interpolation: 'cubic' | 'linear' | 'step'
  outside: 'cycle' | 'hold' | 'offset'
  keys: number
  has_tangents: boolean
}

/** Triangles that belong to one part and one of `materials` (0 where there are none). */
export interface RangeInfo {
  part: number
  material: number
  start: number
  count: number
}

/** A region. The finest come first, each further one is made of earlier ones, the last is the whole face. */
export interface RegionInfo {
  name: string
  parent: number
  level: number
  color: string
  beside: number[]
}

/** A rule, and how far its vertices go in the present pose. */
export interface RuleInfo {
  name: string
  kind: 'only' | 'within'
  sliders: string[]
  allowed: number
  furthest: number
  broken: number
}

/** An example beside the rig's own version of it, over v rig vertices; the version is there once it is solved. */
export interface BuiltPose {
  type: 'BuiltPose'
  view: string
  arrays: {
    example: Float32Array // (v, 3)
    example_normals: Float32Array // (v, 3)
    version: Float32Array | null // (v, 3)
    version_normals: Float32Array | null // (v, 3)
    distances: Float32Array | null // (v,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** All meshes that the file carries besides the face: r vertices at rest, t triangles. Images are at
 * `GET /api/character_texture/{rig id}/{image}`. */
export interface CharacterMeshes {
  type: 'CharacterMeshes'
  rig: string
  ranges: CarriedRange[]
  materials: MaterialInfo[]
  joints: EyeInfo[]
  arrays: {
    positions: Float32Array // (r, 3)
    normals: Float32Array // (r, 3)
    uvs: Float32Array // (r, 2)
    shares: Float32Array // (r, 4)
    triangles: Uint32Array // (t, 3)
    face: Float32Array // (f, 4)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** A clip frame by frame, or at fewer evenly spaced times if it is very long. What has no curve stays as it is. */
export interface ClipTable {
  type: 'ClipTable'
  seq: number
  clip: string
  rate: number
  controls: string[]
  arrays: {
    times: Float32Array // (f,)
    weights: Float32Array // (f, n)
    values: Float32Array // (f, r, s)
    spots: Uint32Array // (p, 2)
    local: Float32Array // (f, p)
    settings: Float32Array // (f, c)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** Both rigs, each with one shape at full or in the present pose, and how far their vertices are apart. */
export interface ComparedFaces {
  type: 'ComparedFaces'
  seq: number
  shape: string
  other: string
  arrays: {
    one: Float32Array // (v, 3)
    one_normals: Float32Array // (v, 3)
    two: Float32Array // (v, 3)
    two_normals: Float32Array // (v, 3)
    distances: Float32Array // (v,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** Curves that are new or changed, their keys one curve after the other: a take has a hundred thousand of them. */
export interface CurveKeys {
  type: 'CurveKeys'
  curves: CurveHead[]
  tangent_names: ('auto' | 'broken' | 'flat' | 'free' | 'linear' | 'step')[]
  arrays: {
    times: Float64Array // (k,)
    values: Float64Array // (k,)
    slopes: Float64Array // (c, 2)
    tangents: Uint32Array // (t,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** The share of each texel in each region, as texels of a LowBand: four regions in the channels of each page. */
export interface DetailShares {
  type: 'DetailShares'
  arrays: {
    pages: Uint32Array // (q, h, w, 2)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** What the graphics card needs: r render vertices (copies where texture coordinates have a seam), t triangles,
 * s shapes that are sparse over rig vertices. */
export interface Geometry {
  type: 'Geometry'
  rig: string
  ranges: RangeInfo[]
  materials: MaterialInfo[]
  eyes: EyeInfo[]
  arrays: {
    positions: Float32Array // (r, 3)
    normals: Float32Array // (r, 3)
    uvs: Float32Array | null // (r, 2)
    vertex: Uint32Array // (r,)
    triangles: Uint32Array // (t, 3)
    triangle: Uint32Array // (t,)
    starts: Uint32Array // (s+1,)
    vertices: Uint32Array // (m,)
    offsets: Float32Array // (m, 3)
    turns: Float32Array // (m, 3)
    riders: Uint32Array // (k,)
    carriers: Uint32Array // (c,)
    eyeballs: Uint32Array // (e,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** The numbers of all pairs of n sliders, in the order of `FoundInterference.sliders`. */
export interface InterferenceTable {
  type: 'InterferenceTable'
  arrays: {
    interference: Float32Array // (n, n)
    shared: Float32Array // (n, n)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** The smooth part of a texture: RGBA of linear light in half precision, two in a word, the bottom row first; and a
 * sample of its detail, the same places for all textures of a layout. */
export interface LowBand {
  type: 'LowBand'
  extent: [number, number]
  arrays: {
    texels: Uint32Array // (h, w, 2)
    detail: Float32Array // (n, 3)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** What no mix of textures goes beyond, as texels of a LowBand. */
export interface LowLimits {
  type: 'LowLimits'
  extent: [number, number]
  arrays: {
    darkest: Uint32Array // (h, w, 2)
    brightest: Uint32Array // (h, w, 2)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** How far a shape moves each vertex, as a share of the face's size. */
export interface OffsetField {
  type: 'OffsetField'
  seq: number
  shape: string
  arrays: {
    lengths: Float32Array // (v,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** Two sliders at full together. */
export interface PairMeeting {
  type: 'PairMeeting'
  seq: number
  first: string
  second: string
  arrays: {
    colors: Float32Array // (v, 4)
    values: Float32Array // (s,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** The face as it is now. n sliders, s shapes, k pins, d pins of a drag, p values that regions add. */
export interface Pose {
  type: 'Pose'
  seq: number
  gesture: number
  revision: number
  status: string
  pins: number[]
  dragged: number[]
  reasons: string[]
  along: number
  arrays: {
    weights: Float32Array // (n,)
    values: Float32Array // (r, s)
    places: Float32Array // (k, 3)
    spots: Uint32Array // (p, 2)
    local: Float32Array // (p,)
    change: Float32Array | null // (n,)
    helped: Float32Array | null // (n,)
    residual: Float32Array | null // (d,)
    target: Float32Array | null // (d, 3)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** Regions, sent whenever they changed, before the Pose; empty for a face without.
 *
 * The shares of vertex i in the finest regions are entries starts[i] to starts[i + 1]. */
export interface RegionMap {
  type: 'RegionMap'
  regions: RegionInfo[]
  arrays: {
    starts: Uint32Array // (v+1,)
    region: Uint32Array // (k,)
    share: Float32Array // (k,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** The rules and their vertices: those of rule i are entries starts[i] to starts[i + 1]. Sent after every change of
 * the rules, and of the pose where there are rules. */
export interface RuleMap {
  type: 'RuleMap'
  rules: RuleInfo[]
  arrays: {
    starts: Uint32Array // (r+1,)
    vertices: Uint32Array // (k,)
    excess: Float32Array // (k,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** Some of what was measured in a frame near the face, in the scene, with the head held. */
export interface ScanCloud {
  type: 'ScanCloud'
  scan: string
  frame: number
  arrays: {
    points: Float32Array // (k, 3)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** When the frames of a sequence are, and how well each was followed; only tracked frames have a status. */
export interface ScanTable {
  type: 'ScanTable'
  scan: string
  arrays: {
    times: Float64Array // (f,)
    residual: Float32Array // (t,)
    status: Uint32Array // (t,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** The offsets of one shape, which are all that is drawn differently of two rigs. It comes after `State.rig`. */
export interface ShapeChange {
  type: 'ShapeChange'
  base: string
  rig: string
  shape: number
  arrays: {
    vertices: Uint32Array // (m,)
    offsets: Float32Array // (m, 3)
    turns: Float32Array // (m, 3)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** How sliders drive shapes: the value of shape j is the product of its factors starts[j] ... starts[j + 1].
 *
 * A factor is base + slope * (x - at) for the value x of its slider, with slope `rise` for x below `at` and `fall`
 * from there on; it is 0 below `low`, and from `high` on. */
export interface ShapeDrivers {
  type: 'ShapeDrivers'
  arrays: {
    starts: Uint32Array // (s+1,)
    slider: Uint32Array // (k,)
    base: Float64Array // (k,)
    at: Float64Array // (k,)
    rise: Float64Array // (k,)
    fall: Float64Array // (k,)
    low: Float64Array // (k,)
    high: Float64Array // (k,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** The lowest and the highest sample of each short stretch of a sound. */
export interface SoundPeaks {
  type: 'SoundPeaks'
  rate: number
  arrays: {
    peaks: Float32Array // (k, 2)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** How much of each vertex goes to the left half of a shape that is split. */
export interface SplitField {
  type: 'SplitField'
  seq: number
  shape: string
  falloff: number
  arrays: {
    shares: Float32Array // (v,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** The vertex on the other side of each vertex, and the middle plane in scene units. */
export interface SymmetryMap {
  type: 'SymmetryMap'
  seq: number
  rig: string
  normal: [number, number, number]
  offset: number
  arrays: {
    partner: Uint32Array // (v,)
    matched: Uint32Array // (v,)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** How near a clip comes to the take, frame by frame of the take; no frames where the take is not bound.
 *
 * Markers count as in TakeInfo. */
export interface TakeFitTable {
  type: 'TakeFitTable'
  seq: number
  clip: string
  statuses: string[]
  worst_frames: number[]
  typical: number
  most: number
  arrays: {
    mean: Float32Array // (f,)
    worst: Uint32Array // (f,)
    status: Uint32Array // (f,)
    doubted: Uint32Array // (q, 2)
    head: Float32Array // (*, 12)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

/** Where the markers of a take are, in the take's room; NaN where one was not seen. */
export interface TakeTable {
  type: 'TakeTable'
  take: string
  arrays: {
    positions: Float32Array // (f, m, 3)
  }
  shapes: Readonly<Record<string, readonly number[]>>
}

export type Frame = BuiltPose | CharacterMeshes | ClipTable | ComparedFaces | CurveKeys | DetailShares | Geometry | InterferenceTable | LowBand | LowLimits | OffsetField | PairMeeting | Pose | RegionMap | RuleMap | ScanCloud | ScanTable | ShapeChange | ShapeDrivers | SoundPeaks | SplitField | SymmetryMap | TakeFitTable | TakeTable

/** The arrays of each frame: their kind, with `?` where a frame may come without it. */
export const ARRAYS: { readonly [T in Frame['type']]: Readonly<Record<string, string>> } = {
  BuiltPose: { example: 'f4', example_normals: 'f4', version: 'f4?', version_normals: 'f4?', distances: 'f4?' },
  CharacterMeshes: { positions: 'f4', normals: 'f4', uvs: 'f4', shares: 'f4', triangles: 'u4', face: 'f4' },
  ClipTable: { times: 'f4', weights: 'f4', values: 'f4', spots: 'u4', local: 'f4', settings: 'f4' },
  ComparedFaces: { one: 'f4', one_normals: 'f4', two: 'f4', two_normals: 'f4', distances: 'f4' },
  CurveKeys: { times: 'f8', values: 'f8', slopes: 'f8', tangents: 'u4' },
  DetailShares: { pages: 'u4' },
  Geometry: { positions: 'f4', normals: 'f4', uvs: 'f4?', vertex: 'u4', triangles: 'u4', triangle: 'u4', starts: 'u4', vertices: 'u4', offsets: 'f4', turns: 'f4', riders: 'u4', carriers: 'u4', eyeballs: 'u4' },
  InterferenceTable: { interference: 'f4', shared: 'f4' },
  LowBand: { texels: 'u4', detail: 'f4' },
  LowLimits: { darkest: 'u4', brightest: 'u4' },
  OffsetField: { lengths: 'f4' },
  PairMeeting: { colors: 'f4', values: 'f4' },
  Pose: { weights: 'f4', values: 'f4', places: 'f4', spots: 'u4', local: 'f4', change: 'f4?', helped: 'f4?', residual: 'f4?', target: 'f4?' },
  RegionMap: { starts: 'u4', region: 'u4', share: 'f4' },
  RuleMap: { starts: 'u4', vertices: 'u4', excess: 'f4' },
  ScanCloud: { points: 'f4' },
  ScanTable: { times: 'f8', residual: 'f4', status: 'u4' },
  ShapeChange: { vertices: 'u4', offsets: 'f4', turns: 'f4' },
  ShapeDrivers: { starts: 'u4', slider: 'u4', base: 'f8', at: 'f8', rise: 'f8', fall: 'f8', low: 'f8', high: 'f8' },
  SoundPeaks: { peaks: 'f4' },
  SplitField: { shares: 'f4' },
  SymmetryMap: { partner: 'u4', matched: 'u4' },
  TakeFitTable: { mean: 'f4', worst: 'u4', status: 'u4', doubted: 'u4', head: 'f4' },
  TakeTable: { positions: 'f4' },
}
