// Made by tools/generate_protocol.py from src/facewright/studio/protocol.py and what it names; do not edit.

export const PROTOCOL = 4

/** Open a gesture: edits that follow with this number are one undo entry, or none. */
export interface Begin {
  type: 'Begin'
  seq?: number
  gesture: number
  label: string
  session?: 'build' | 'document'
}

/** Close a gesture and keep what it did. */
export interface Commit {
  type: 'Commit'
  seq?: number
  gesture: number
}

/** Close a gesture and undo what it did. */
export interface Discard {
  type: 'Discard'
  seq?: number
  gesture: number
}

/** An edit: an update of an open gesture, replacing its earlier ones, or (0) a whole step. */
export interface Do {
  type: 'Edit'
  seq?: number
  edit: SetBookmark | RenameBookmark | RemoveBookmark | ChooseTemplate | RemoveNeutral | RemovePoses | GuessPose | GuessPosesBy | GuessAnew | AlignPose | AddMissing | TrustExamples | PairPoints | ChooseMesh | LayUpright | ClearBuild | CreateClip | RenameClip | DeleteClip | SetRate | SetControls | ClearControls | ChooseJoint | SetEyeLimits | MakeCorrective | DriveCorrective | ConvertInBetweens | PoseCorner | SetExpression | AddExpression | RenameExpression | DeleteExpression | BindShape | UnbindShape | SetExpressionOptions | HoldVertices | SetHoldAxes | SetHolding | AddPairCorrective | ScaleKeys | SnapKeys | SmoothKeys | ReduceKeys | TweenKeys | BlendKeys | PasteKeys | SetKeys | KeyChanges | KeyValues | MoveKeys | PlaceKeys | CopyKeys | DeleteKeys | AddLayer | HoldOverClip | ChooseLayer | RenameLayer | DeleteLayer | MoveLayer | MergeLayer | SetLayerKind | SetLayerWeight | KeyLayerWeight | MuteLayer | SoloLayer | AddPin | MovePin | ChangePins | DeletePins | MirrorPins | DragPins | SetWeights | ResetWeights | MirrorPose | LockSliders | SetDragSliders | SetDragMethod | KeepPose | ApplyPose | PastePose | RenamePose | TagPose | DeletePose | MirrorSide | ForgetPrior | PlaceSound | RemoveSound | PlacePlane | RemovePlane | FindRegions | RemoveRegions | RenameRegion | MergeRegion | SplitRegion | PaintRegion | RenameShape | DuplicateShape | DeleteShape | MoveShape | ScaleShape | PruneShape | AddRule | PaintRule | SetRule | RenameRule | DeleteRule | ChangeScan | RemoveScan | AddPoseShape | FitShapeToPose | ShowPose | MirrorShape | FlipShape | SymmetriseShape | SplitShape | MergeShapes | RenameSlider | SetBounds | SetSliderGroup | MoveSliders | JoinSliders | PartSlider | ExcludeSliders | AllowSliders | KeepSliderSet | DropSliderSet | PairMarker | UnpairMarkers | BindByNames | Unbind | IgnoreMarkers | ChangeTake | SetTakeSliders | RemoveTake | SetTangents | TurnHandle | SetOutside | RemoveTexture | MoveTexture | RemoveMask | SetTexturedParts | RemoveAllTextures | ApplyEmbeddedSkin | TieSliders | UntieSliders | Scrub | ChooseClip | TouchUpShape | ShowShape | SetUnit
  gesture?: number
}

/** Keep a view of the camera under a name, in place of the one that has it. */
export interface SetBookmark {
  type: 'SetBookmark'
  name: string
  yaw: number
  pitch: number
  distance: number
  target: [number, number, number]
  field_of_view: number
  orthographic?: boolean
}

/** Give a view another name. */
export interface RenameBookmark {
  type: 'RenameBookmark'
  name: string
  to: string
}

/** Forget a view. */
export interface RemoveBookmark {
  type: 'RemoveBookmark'
  name: string
}

/** The rig whose shapes to make: the embedded head, or the face that is open. */
export interface ChooseTemplate {
  type: 'ChooseTemplate'
  source: 'open' | 'sample'
}

/** No face to rig; poses stay. */
export interface RemoveNeutral {
  type: 'RemoveNeutral'
}

/** Remove poses. */
export interface RemovePoses {
  type: 'RemovePoses'
  poses: string[]
}

/** Which sliders make a pose, and about how much: null for one that has no part in it, others stay.
 *
 * null for all of them: let the pose be guessed by what the face does. */
export interface GuessPose {
  type: 'GuessPose'
  pose: string
  weights: Record<string, number | null> | null
}

/** Guess the weights of poses by the names of the sliders, or by what was learned for the open face. */
export interface GuessPosesBy {
  type: 'GuessPosesBy'
  source: 'learned' | 'names'
}

/** Guess the weights of all poses by what their faces do, in place of those that they have. */
export interface GuessAnew {
  type: 'GuessAnew'
}

/** Turn, move and scale a pose onto the neutral, or use it as it is. */
export interface AlignPose {
  type: 'AlignPose'
  pose: string
  aligned: boolean
}

/** Give the rig the shape that a pose out of reach lacks, or not. */
export interface AddMissing {
  type: 'AddMissing'
  pose: string
  added: boolean
}

/** From 0, trust the template, to 1, trust the examples. */
export interface TrustExamples {
  type: 'TrustExamples'
  trust: number
}

/** All points that belong together, for registering the template to a neutral of another topology. */
export interface PairPoints {
  type: 'PairPoints'
  pairs: PointPair[]
}

/** A vertex of the template and one of the neutral that belong together. */
export interface PointPair {
  source: number
  target: number
  name?: string
}

/** Whose polygons the rig gets where they differ; auto: the neutral's own, the template's for scans. */
export interface ChooseMesh {
  type: 'ChooseMesh'
  mesh: 'auto' | 'own' | 'template'
}

/** Which axis of the neutral's file is up, for the neutral and all poses; auto: as its landmarks say. */
export interface LayUpright {
  type: 'LayUpright'
  up: '-x' | '-y' | '-z' | 'auto' | 'x' | 'y' | 'z'
}

/** Begin anew with the embedded head. */
export interface ClearBuild {
  type: 'ClearBuild'
}

/** A new clip, empty or a copy of another, which becomes the current one. */
export interface CreateClip {
  type: 'CreateClip'
  name: string
  rate?: number
  copy_of?: string | null
}

/** Give a clip another name. */
export interface RenameClip {
  type: 'RenameClip'
  clip: string
  name: string
}

/** Delete a clip. */
export interface DeleteClip {
  type: 'DeleteClip'
  clip: string
}

/** Frames a second that a clip is played and sampled at; its keys stay at their times. */
export interface SetRate {
  type: 'SetRate'
  clip: string
  rate: number
}

/** Turn head, neck or eyes (radians), or let the eyes look at a place (scene units). */
export interface SetControls {
  type: 'SetControls'
  values: Record<string, number>
}

/** Set controls no longer, neither now nor in the current clip. */
export interface ClearControls {
  type: 'ClearControls'
  names: string[]
}

/** Let a joint of the file, or none (""), stand for head, neck or an eye. */
export interface ChooseJoint {
  type: 'ChooseJoint'
  role: 'head' | 'leftEye' | 'neck' | 'rightEye'
  joint: string
}

/** How far eyes turn at most: to the side, up and down, in degrees. */
export interface SetEyeLimits {
  type: 'SetEyeLimits'
  side: number
  up: number
  down: number
}

/** Add an in-between or a combination that is fully on where its sliders have some values.
 *
 * Empty, it changes nothing yet. From the face: with these sliders alone the face is as it is shown now, so that it
 * takes over what other sliders add. */
export interface MakeCorrective {
  type: 'MakeCorrective'
  name: string
  at: Record<string, number>
  start?: 'empty' | 'face'
  additive?: boolean
}

/** Let an in-between or a combination be full elsewhere, fall elsewhere, or follow other sliders. */
export interface DriveCorrective {
  type: 'DriveCorrective'
  shape: string
  factors: FactorField[]
}

/** A slider that drives a shape: where it is full, and where it falls to 0 on both sides. */
export interface FactorField {
  slider: string
  at: number
  span?: [number | null, number | null] | null
}

/** Give the in-betweens of a slider as additions to its straight line, or as targets; the face stays the same. */
export interface ConvertInBetweens {
  type: 'ConvertInBetweens'
  slider: string
  additive: boolean
}

/** Pose the face at one of the corners in which a corrective is checked; all other sliders go to 0. */
export interface PoseCorner {
  type: 'PoseCorner'
  shape: string
  corner: number
}

/** Bring an expression to a value: the sliders of all shapes that it drives move, and of those it overrides. */
export interface SetExpression {
  type: 'SetExpression'
  expression: string
  value: number
}

/** Add an expression that drives nothing yet, or, from the pose, all that is on now. */
export interface AddExpression {
  type: 'AddExpression'
  name: string
  from_pose?: boolean
}

/** Give an expression another name. */
export interface RenameExpression {
  type: 'RenameExpression'
  expression: string
  name: string
}

/** Delete an expression; the shapes that it drives stay. */
export interface DeleteExpression {
  type: 'DeleteExpression'
  expression: string
}

/** Let an expression drive a shape to a value, on all parts or on one. */
export interface BindShape {
  type: 'BindShape'
  expression: string
  shape: string
  value: number
  part?: string
}

/** Let an expression no longer drive a shape. */
export interface UnbindShape {
  type: 'UnbindShape'
  expression: string
  shape: string
  part?: string
}

/** Change an expression: its preset, whether it is on or off, and what it overrides. What is null stays. */
export interface SetExpressionOptions {
  type: 'SetExpressionOptions'
  expression: string
  preset?: string | null
  is_binary?: boolean | null
  blink?: 'blend' | 'block' | 'none' | null
  look?: 'blend' | 'block' | 'none' | null
  mouth?: 'blend' | 'block' | 'none' | null
}

/** Choose points that stay still, along some axes: add to them, remove from them, or choose these instead. */
export interface HoldVertices {
  type: 'HoldVertices'
  vertices: number[]
  axes?: string
  mode?: 'add' | 'remove' | 'set'
}

/** The axes along which all chosen points stay still. */
export interface SetHoldAxes {
  type: 'SetHoldAxes'
  axes: string
}

/** Whether chosen points are held, and how much that counts (null: unchosen over chosen points). */
export interface SetHolding {
  type: 'SetHolding'
  on: boolean
  alpha?: number | null
}

/** Add a combination for each of some pairs of sliders, where both are full: empty, or what takes back what they
 * overshoot together. */
export interface AddPairCorrective {
  type: 'AddPairCorrective'
  pairs: [string, string][]
  softened?: boolean
}

/** Scale keys of the current clip in time about a moment, and in value about a level. */
export interface ScaleKeys {
  type: 'ScaleKeys'
  keys: KeyChoice[]
  about: number
  factor?: number
  level?: number
  gain?: number
}

/** Keys of one slider, by their times. */
export interface KeyChoice {
  slider: string
  times: number[]
}

/** Put keys of the current clip on whole frames. */
export interface SnapKeys {
  type: 'SnapKeys'
  keys: KeyChoice[]
}

/** Bring keys of the current clip nearer to the lines between the keys beside them. */
export interface SmoothKeys {
  type: 'SmoothKeys'
  keys: KeyChoice[]
  strength?: number
  passes?: number
}

/** Delete those of some keys without which the curves differ by no more than a tolerance. */
export interface ReduceKeys {
  type: 'ReduceKeys'
  keys: KeyChoice[]
  tolerance: number
}

/** Key values between the keys around each time (breakdown): share 0 is the key before, 1 the key after. */
export interface TweenKeys {
  type: 'TweenKeys'
  keys: KeyChoice[]
  share: number
}

/** Key values nearer to the key before (share -1 is all of it) or after (1). */
export interface BlendKeys {
  type: 'BlendKeys'
  keys: KeyChoice[]
  share: number
}

/** Paste keys into the current clip (made where there is none) from a time on, perhaps on the other side. */
export interface PasteKeys {
  type: 'PasteKeys'
  curves: CurveEntry[]
  at: number
  mirrored?: boolean
}

/** A slider's curve: with its keys, or with their number where an array beside the JSON holds them. */
export interface CurveEntry {
  slider: string
  keys: number
  interpolation: 'cubic' | 'linear' | 'step'
  times: number[]
  values: number[]
  slopes: [number, number][] | null
  tangents: ('auto' | 'broken' | 'flat' | 'free' | 'linear' | 'step')[] | null
  outside: 'cycle' | 'hold' | 'offset'
}

/** Key the pose at a time of the current clip (made where there is none); all sliders, or some. */
export interface SetKeys {
  type: 'SetKeys'
  time: number
  sliders?: string[] | null
}

/** Key the sliders that are not as the current clip has them; where all are, those with a curve, or else all. */
export interface KeyChanges {
  type: 'KeyChanges'
  time: number
}

/** Key values at a time of the current clip, and go there: a pose that was left without a key. */
export interface KeyValues {
  type: 'KeyValues'
  time: number
  weights: Record<string, number>
}

/** Move keys of the current clip in time and value; a key that lands on another replaces it.
 *
 * They keep to the bounds of their sliders unless `beyond`. */
export interface MoveKeys {
  type: 'MoveKeys'
  keys: KeyChoice[]
  by?: number
  lift?: number
  beyond?: boolean
}

/** Put the first of some keys of the current clip at a time, the others along with it, or all at one value. */
export interface PlaceKeys {
  type: 'PlaceKeys'
  keys: KeyChoice[]
  time?: number | null
  value?: number | null
}

/** Copy keys of the current clip to a later or earlier time. */
export interface CopyKeys {
  type: 'CopyKeys'
  keys: KeyChoice[]
  by: number
}

/** Delete keys of the current clip. */
export interface DeleteKeys {
  type: 'DeleteKeys'
  keys: KeyChoice[]
}

/** A new layer on top of the current clip (made where there is none), which is then posed and keyed. */
export interface AddLayer {
  type: 'AddLayer'
  name: string
  kind?: 'additive' | 'override'
}

/** A new layer on top of the current clip that keeps the held points where they are now, in every frame. */
export interface HoldOverClip {
  type: 'HoldOverClip'
  name: string
}

/** Pose and key a layer of the current clip, or the clip itself (""). It leaves no step. */
export interface ChooseLayer {
  type: 'ChooseLayer'
  layer: string
}

/** Give a layer of the current clip another name. */
export interface RenameLayer {
  type: 'RenameLayer'
  layer: string
  name: string
}

/** Delete a layer of the current clip. */
export interface DeleteLayer {
  type: 'DeleteLayer'
  layer: string
}

/** Put a layer of the current clip at another place, 0 being the lowest. */
export interface MoveLayer {
  type: 'MoveLayer'
  layer: string
  to: number
}

/** Merge a layer into the one below it, or into the clip; the face stays as it is at every time. */
export interface MergeLayer {
  type: 'MergeLayer'
  layer: string
}

/** Let a layer be added to what is below it, or take its place. */
export interface SetLayerKind {
  type: 'SetLayerKind'
  layer: string
  kind: 'additive' | 'override'
}

/** Set the weight of a layer; where it is keyed, by a key at a time. */
export interface SetLayerWeight {
  type: 'SetLayerWeight'
  layer: string
  weight: number
  time: number
}

/** Key the weight of a layer as it is at a time. */
export interface KeyLayerWeight {
  type: 'KeyLayerWeight'
  layer: string
  time: number
}

/** Leave a layer out, or play it again. */
export interface MuteLayer {
  type: 'MuteLayer'
  layer: string
  muted: boolean
}

/** Play only this layer, and others with solo, over the clip. */
export interface SoloLayer {
  type: 'SoloLayer'
  layer: string
  solo: boolean
}

/** Set a pin on a vertex, or on a triangle with barycentric coordinates. The page chooses its number. */
export interface AddPin {
  type: 'AddPin'
  pin: number
  vertex?: number | null
  triangle?: number | null
  barycentric?: [number, number, number] | null
  hold?: boolean
}

/** Set a pin elsewhere on the surface; the face stays. */
export interface MovePin {
  type: 'MovePin'
  pin: number
  vertex?: number | null
  triangle?: number | null
  barycentric?: [number, number, number] | null
}

/** What is not given stays as it is. */
export interface ChangePins {
  type: 'ChangePins'
  pins: number[]
  hold?: boolean | null
  free?: boolean | null
  axes?: string | null
  strength?: number | null
}

/** Delete pins. */
export interface DeletePins {
  type: 'DeletePins'
  pins: number[]
}

/** Set the same pins on the other side of the face. */
export interface MirrorPins {
  type: 'MirrorPins'
  pins: number[]
}

/** Bring pins to places; the others stay, softly unless they `hold`, if they are not `free`. Counts from the
 * gesture's beginning.
 *
 * `plane` is the normal of the view plane in which the targets count (null: in space, along `axes`). `symmetric` moves
 * the mirrored points alike. With a `region` only that moves, by pins inside it. */
export interface DragPins {
  type: 'DragPins'
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

/** Move sliders, all over or in a region; others keep their value, unless held points or a partner forbid it. */
export interface SetWeights {
  type: 'SetWeights'
  weights: Record<string, number>
  region?: string
}

/** Sliders back to 0 (or the nearest bound), in a region to what they are around it; all that are not locked, where
 * none are named. */
export interface ResetWeights {
  type: 'ResetWeights'
  sliders?: string[] | null
  region?: string
}

/** Exchange left and right. */
export interface MirrorPose {
  type: 'MirrorPose'
}

/** Keep solvers and resets from moving sliders, or let them again. */
export interface LockSliders {
  type: 'LockSliders'
  sliders: string[]
  locked: boolean
}

/** Choose the sliders that drags use: a set's name, names, or "" for what the pins sit on. */
export interface SetDragSliders {
  type: 'SetDragSliders'
  sliders: string | string[]
}

/** Let drags move only what is touched (bounded), find a face that people are likely to make (natural), or choose by
 * how many sliders the pins take (automatic). */
export interface SetDragMethod {
  type: 'SetDragMethod'
  method: 'automatic' | 'bounded' | 'natural'
}

/** Keep a pose in the library of the document, in place of the one of its name: the present pose of all sliders or
 * some, of the face or of a region, or given weights. */
export interface KeepPose {
  type: 'KeepPose'
  name: string
  tags?: string[] | null
  sliders?: string[] | null
  region?: string
  weights?: Record<string, number> | null
}

/** Bring the face, some sliders or a region to a pose, in part (`blend`), mirrored, or added to what is there. */
export interface ApplyPose {
  type: 'ApplyPose'
  name: string
  weights: Record<string, number>
  blend?: number
  sliders?: string[] | null
  region?: string
  mirrored?: boolean
  additive?: boolean
}

/** Apply a pose that was copied as text, here or in another window. */
export interface PastePose {
  type: 'PastePose'
  text: string
  sliders?: string[] | null
  region?: string
  mirrored?: boolean
}

/** Give a pose of the library another name. */
export interface RenamePose {
  type: 'RenamePose'
  pose: string
  name: string
}

/** Give a pose of the library other tags. */
export interface TagPose {
  type: 'TagPose'
  pose: string
  tags: string[]
}

/** Delete a pose of the library. */
export interface DeletePose {
  type: 'DeletePose'
  pose: string
}

/** Copy the pose of one side of the face, its own left or right, to the other; sliders that are locked stay. */
export interface MirrorSide {
  type: 'MirrorSide'
  side: 'left' | 'right'
  region?: string
}

/** Let natural faces go by the names of the sliders again. */
export interface ForgetPrior {
  type: 'ForgetPrior'
}

/** When the sound begins and how loud it is; what is not given stays. */
export interface PlaceSound {
  type: 'PlaceSound'
  offset?: number | null
  volume?: number | null
  muted?: boolean | null
}

/** No sound any more. */
export interface RemoveSound {
  type: 'RemoveSound'
}

/** Where the picture or video is, how large, how opaque, and when it begins; what is not given stays. */
export interface PlacePlane {
  type: 'PlacePlane'
  placement?: 'behind' | 'beside' | null
  x?: number | null
  y?: number | null
  scale?: number | null
  opacity?: number | null
  offset?: number | null
}

/** No reference picture any more. */
export interface RemovePlane {
  type: 'RemovePlane'
}

/** Divide the face into regions, in place of those that there are: from 0, few large ones, to 1, many small ones.
 *
 * by: likeness of motion, the same with the colours of the texture, or the threshold alone, as in Joshi 2003. */
export interface FindRegions {
  type: 'FindRegions'
  threshold?: number
  by?: 'motion' | 'motion and texture' | 'threshold'
}

/** A face without regions, in the pose of the whole. */
export interface RemoveRegions {
  type: 'RemoveRegions'
}

/** Give a region, of any level, another name. */
export interface RenameRegion {
  type: 'RenameRegion'
  region: string
  name: string
}

/** Make two regions one of the finest, with the name and the pose of the first. */
export interface MergeRegion {
  type: 'MergeRegion'
  region: string
  other: string
}

/** Cut one of the finest regions in two, across its longest side. */
export interface SplitRegion {
  type: 'SplitRegion'
  region: string
}

/** Give vertices to one of the finest regions, or remove them from it, which gives them to its neighbours. */
export interface PaintRegion {
  type: 'PaintRegion'
  region: string
  vertices: number[]
  mode?: 'add' | 'remove'
}

/** Rename a shape, and its slider if that has the same name. */
export interface RenameShape {
  type: 'RenameShape'
  shape: string
  name: string
}

/** Add a copy of a shape with a slider of its own. */
export interface DuplicateShape {
  type: 'DuplicateShape'
  shape: string
}

/** Drop a shape, and its slider if it drives nothing else; with `uses` also combinations that need that slider. */
export interface DeleteShape {
  type: 'DeleteShape'
  shape: string
  uses?: boolean
}

/** Move a shape in the order of shapes. */
export interface MoveShape {
  type: 'MoveShape'
  shape: string
  before?: string
}

/** Make a shape stronger or weaker. */
export interface ScaleShape {
  type: 'ScaleShape'
  shape: string
  factor: number
}

/** Drop the offsets of a shape that are not longer than a share of the face's size. */
export interface PruneShape {
  type: 'PruneShape'
  shape?: string
  tolerance: number
}

/** Add a rule about some vertices, or about a region: only some sliders move them, or they stay near their rest. */
export interface AddRule {
  type: 'AddRule'
  rule: string
  kind: 'only' | 'within'
  vertices?: number[]
  region?: string
  sliders?: string[]
  share?: number | null
}

/** Add vertices to a rule, or take some away. */
export interface PaintRule {
  type: 'PaintRule'
  rule: string
  vertices: number[]
  mode?: 'add' | 'remove'
}

/** Change what a rule allows: its sliders, or its distance or tolerance. What is null stays. */
export interface SetRule {
  type: 'SetRule'
  rule: string
  sliders?: string[] | null
  share?: number | null
}

/** Give a rule another name. */
export interface RenameRule {
  type: 'RenameRule'
  rule: string
  name: string
}

/** Drop a rule. */
export interface DeleteRule {
  type: 'DeleteRule'
  rule: string
}

/** Say what the files do not: frames a second, and frames in which the face is at rest. What is not given stays. */
export interface ChangeScan {
  type: 'ChangeScan'
  rate?: number | null
  rest?: number[] | null
}

/** The face without its sequence; clips stay. */
export interface RemoveScan {
  type: 'RemoveScan'
}

/** Add a shape, with a slider of its own, that at 1 is the face as it is posed. */
export interface AddPoseShape {
  type: 'AddPoseShape'
  name: string
}

/** Replace the offsets of a shape: fully on alone, it is the face as it is posed now. */
export interface FitShapeToPose {
  type: 'FitShapeToPose'
  shape: string
}

/** Set some sliders to values within their bounds, and all others of the whole face and of regions to 0. */
export interface ShowPose {
  type: 'ShowPose'
  weights: Record<string, number>
  what?: string
}

/** Give the shape of the other side the mirror image of a shape; it is added where there is none. */
export interface MirrorShape {
  type: 'MirrorShape'
  shape: string
  to?: string
}

/** Turn a shape to the other side of the face, under its own name. */
export interface FlipShape {
  type: 'FlipShape'
  shape: string
}

/** Make a shape the same on both sides: by their mean, or by one of them. */
export interface SymmetriseShape {
  type: 'SymmetriseShape'
  shape: string
  side?: 'both' | 'left' | 'right'
}

/** Split a shape and its slider into one for each side of the face. */
export interface SplitShape {
  type: 'SplitShape'
  shape: string
  falloff?: number
}

/** Make one shape and slider of two, such as of two sides. */
export interface MergeShapes {
  type: 'MergeShapes'
  shape: string
  other: string
  name?: string
}

/** Rename a slider, and the shape of the same name if there is one. */
export interface RenameSlider {
  type: 'RenameSlider'
  slider: string
  name: string
}

/** Give sliders another range; the pose is brought into it, clips keep their curves. */
export interface SetBounds {
  type: 'SetBounds'
  sliders: string[]
  low: number
  high: number
}

/** Put sliders into a group. */
export interface SetSliderGroup {
  type: 'SetSliderGroup'
  sliders: string[]
  group: string
}

/** Put sliders, in their present order, before another one, or at the end; shapes stay where they are. */
export interface MoveSliders {
  type: 'MoveSliders'
  sliders: string[]
  before?: string
}

/** Make two sliders the ends of one that goes both ways. */
export interface JoinSliders {
  type: 'JoinSliders'
  negative: string
  positive: string
  name: string
}

/** Make two sliders of one that goes both ways. */
export interface PartSlider {
  type: 'PartSlider'
  slider: string
  names?: [string, string] | null
}

/** Let solvers move at most one of the two sliders of each pair. */
export interface ExcludeSliders {
  type: 'ExcludeSliders'
  pairs: [string, string][]
}

/** Let solvers move two sliders together that excluded each other. */
export interface AllowSliders {
  type: 'AllowSliders'
  one: string
  other: string
}

/** Keep some sliders as a set of a name; drags and takes that use the set of that name follow. */
export interface KeepSliderSet {
  type: 'KeepSliderSet'
  name: string
  sliders: string[]
}

/** Drop a named set; drags and takes that use it keep its sliders. */
export interface DropSliderSet {
  type: 'DropSliderSet'
  name: string
}

/** Say where on the face a marker belongs; the third pair brings a loose take onto the face. */
export interface PairMarker {
  type: 'PairMarker'
  marker: string
  triangle: number
  barycentric: [number, number, number]
}

/** Remove pairs; all where none are named. */
export interface UnpairMarkers {
  type: 'UnpairMarkers'
  markers?: string[] | null
}

/** Bind the take's markers by what their names say; pairs count more. */
export interface BindByNames {
  type: 'BindByNames'
}

/** Loosen all markers from the face. */
export interface Unbind {
  type: 'Unbind'
}

/** Let solves do without markers, or with them again. */
export interface IgnoreMarkers {
  type: 'IgnoreMarkers'
  markers: string[]
  ignored: boolean
}

/** Correct what the file says wrongly; what is not given stays. neutral: frames at rest, none: to be found. */
export interface ChangeTake {
  type: 'ChangeTake'
  unit?: string | null
  rate?: number | null
  neutral?: number[] | null
  rest_pose?: 'neutral' | 'shown' | 'solved' | null
}

/** Choose the sliders that takes are solved with: a set's name, names, or "" for what the markers ask for. */
export interface SetTakeSliders {
  type: 'SetTakeSliders'
  sliders: string | string[]
}

/** The face without its take; clips stay. */
export interface RemoveTake {
  type: 'RemoveTake'
}

/** Give keys of the current clip another tangent: some keys, all keys of some curves, or all keys. */
export interface SetTangents {
  type: 'SetTangents'
  tangent: 'auto' | 'broken' | 'flat' | 'free' | 'linear' | 'step'
  keys?: KeyChoice[] | null
  sliders?: string[] | null
}

/** Turn the tangent of a key: both sides, or, where it is or becomes broken, one. */
export interface TurnHandle {
  type: 'TurnHandle'
  slider: string
  time: number
  slope: number
  leaving: boolean
  broken?: boolean
}

/** Let curves of the current clip, some or all, hold their ends, repeat, or repeat from where they came to. */
export interface SetOutside {
  type: 'SetOutside'
  outside: 'cycle' | 'hold' | 'offset'
  sliders?: string[] | null
}

/** Remove the texture of some shapes. */
export interface RemoveTexture {
  type: 'RemoveTexture'
  shapes: string[]
}

/** Let the texture of some shapes come in with others. */
export interface MoveTexture {
  type: 'MoveTexture'
  shapes: string[]
  to: string[]
}

/** All of the face may change. */
export interface RemoveMask {
  type: 'RemoveMask'
}

/** The parts that the textures are on; none: all. */
export interface SetTexturedParts {
  type: 'SetTexturedParts'
  parts: string[]
}

/** A face without textures of expressions, as its file says. */
export interface RemoveAllTextures {
  type: 'RemoveAllTextures'
}

/** The textures of the embedded people, on one of them. */
export interface ApplyEmbeddedSkin {
  type: 'ApplyEmbeddedSkin'
}

/** Let solvers move a slider no further than another. */
export interface TieSliders {
  type: 'TieSliders'
  slider: string
  to: string
}

/** Let solvers move a slider regardless of the one that it was tied to. */
export interface UntieSliders {
  type: 'UntieSliders'
  slider: string
  to: string
}

/** Go to a time: sliders with a curve in the current clip take its values. It leaves no step. */
export interface Scrub {
  type: 'Scrub'
  time: number
}

/** Make a clip (or none: "") the current one. It leaves no step. */
export interface ChooseClip {
  type: 'ChooseClip'
  clip: string
}

/** Change the offsets of a shape along a stroke over the face as it is posed. */
export interface TouchUpShape {
  type: 'TouchUpShape'
  shape: string
  kind: 'erase' | 'grab' | 'relax' | 'smooth'
  path: [number, number, number, number][]
  radius: number
  strength: number
  symmetric?: boolean
  move?: [number, number, number]
}

/** Set the sliders of a shape to the values where it is fully on; the others stay. */
export interface ShowShape {
  type: 'ShowShape'
  shape: string
}

/** State the unit of all lengths in the document; "" is one that is not known. The numbers stay. */
export interface SetUnit {
  type: 'SetUnit'
  unit: '' | 'cm' | 'dm' | 'ft' | 'in' | 'm' | 'mm'
}

/** An action. */
export interface Act {
  type: 'Act'
  seq?: number
  action: SolveBuild | StopBuild | SolveAlong | ProposePairs | RegisterTemplate | CloseComparison | DrawFilm | StopFilm | FindInterference | StopInterference | StartLive | StopLive | ChooseLiveSource | AdjustLive | CalibrateLive | RecordLive | FinishLive | StopLoading | UseNameMap | MapName | UnmapName | ForgetNameMap | MakePerfectSync | StopPerfectSync | KeepPoseInFolder | DeletePoseInFolder | ReadPoseFolder | LearnPrior | CheckRules | StopRuleCheck | TrackScan | StopTrack | SetDragOptions | SetKeying | Remember | CloseShapeFile | RegisterSculpt | TakeShapes | TakeSculpt | SolveTake | StopSolve
}

/** Build the rig now. */
export interface SolveBuild {
  type: 'SolveBuild'
}

/** Stop, and keep the last whole iteration. */
export interface StopBuild {
  type: 'StopBuild'
}

/** Whether to solve by itself after each change. */
export interface SolveAlong {
  type: 'SolveAlong'
  on: boolean
}

/** Let pairs be found. */
export interface ProposePairs {
  type: 'ProposePairs'
}

/** Register the template to the neutral by the pairs. */
export interface RegisterTemplate {
  type: 'RegisterTemplate'
}

/** Compare no more; the second rig is dropped. */
export interface CloseComparison {
  type: 'CloseComparison'
}

/** Draw a clip as a film: State.film tells how far it is. */
export interface DrawFilm {
  type: 'DrawFilm'
  clip: string
  kind?: 'gif' | 'mp4' | 'zip'
  start?: number | null
  end?: number | null
  rate?: number
  width?: number
  height?: number
  view?: string
  plane?: boolean
  kept_view?: string
}

/** Stop drawing; the film ends with the frames that are drawn. */
export interface StopFilm {
  type: 'StopFilm'
}

/** Compare all sliders and shapes: State.interference tells how far it is, and what was found. */
export interface FindInterference {
  type: 'FindInterference'
}

/** Stop comparing sliders and shapes. */
export interface StopInterference {
  type: 'StopInterference'
}

/** Listen for faces on one interface; State.live tells who sends. */
export interface StartLive {
  type: 'StartLive'
  kind?: 'facemotion3d' | 'ifacialmocap' | 'json' | 'livelink' | 'vmc'
  port?: number | null
  host?: string
  phone?: string
}

/** Listen no more: the face has its own pose again. A take that is being recorded is kept. */
export interface StopLive {
  type: 'StopLive'
}

/** Show the face of another sender. */
export interface ChooseLiveSource {
  type: 'ChooseLiveSource'
  source: string
}

/** Smoothing, gains of sliders, and whether the face stands still; what is null stays. */
export interface AdjustLive {
  type: 'AdjustLive'
  smooth?: number | null
  gains?: Record<string, number> | null
  frozen?: boolean | null
}

/** Take the face of this moment for rest, or the motion since then for the whole range; none: forget both. */
export interface CalibrateLive {
  type: 'CalibrateLive'
  what: 'none' | 'range' | 'rest'
}

/** Begin to record a take after a countdown in seconds. */
export interface RecordLive {
  type: 'RecordLive'
  countdown?: number
  name?: string
}

/** End the recording, which becomes a clip, or is not kept. */
export interface FinishLive {
  type: 'FinishLive'
  keep?: boolean
}

/** Stop reading the file that is being read, and those that wait. */
export interface StopLoading {
  type: 'StopLoading'
}

/** Go by a map: rows curve,slider or curve,slider,factor. Names that it does not mention go by their meaning. */
export interface UseNameMap {
  type: 'UseNameMap'
  name: string
  table: string
}

/** Let a name drive a slider, or none (""), in place of what the map or its meaning says. */
export interface MapName {
  type: 'MapName'
  source: string
  target: string
  factor?: number
}

/** Let a name go by its meaning again. */
export interface UnmapName {
  type: 'UnmapName'
  source: string
}

/** Go by the meaning of names alone again. */
export interface ForgetNameMap {
  type: 'ForgetNameMap'
}

/** Make the 52 expressions of ARKit, and the shapes that they need: State.perfect_sync tells how far it is. */
export interface MakePerfectSync {
  type: 'MakePerfectSync'
}

/** Stop making the expressions of ARKit. */
export interface StopPerfectSync {
  type: 'StopPerfectSync'
}

/** Write a pose of the document into the folder, with its picture, in place of the one of its name. */
export interface KeepPoseInFolder {
  type: 'KeepPoseInFolder'
  pose: string
}

/** Delete a pose of the folder. */
export interface DeletePoseInFolder {
  type: 'DeletePoseInFolder'
  file: string
}

/** Look into the folder of poses again: another program may have changed it. */
export interface ReadPoseFolder {
  type: 'ReadPoseFolder'
}

/** Learn from the document's clips which poses are likely; the prior comes as a step. */
export interface LearnPrior {
  type: 'LearnPrior'
}

/** Search for the poses that break the rules most: State.rule_check tells when they are found. */
export interface CheckRules {
  type: 'CheckRules'
}

/** Stop searching for poses that break rules. */
export interface StopRuleCheck {
  type: 'StopRuleCheck'
}

/** Follow the face in the background: State.tracking tells how far it is, and the clip comes as a step. */
export interface TrackScan {
  type: 'TrackScan'
  own_face?: boolean
  keys?: number
}

/** Stop following the face, and keep the frames so far. */
export interface StopTrack {
  type: 'StopTrack'
}

/** How drags are solved from now on: a method of `Welcome.methods`, or landweber(20) for more or fewer steps.
 *
 * It counts instead of the document's own, which `SetDragMethod` sets, unless it is bounded. */
export interface SetDragOptions {
  type: 'SetDragOptions'
  method: string
  damped?: boolean
}

/** Whether steps that change the pose are keyed by themselves, and the tangents of new keys, from now on. */
export interface SetKeying {
  type: 'SetKeying'
  auto_key: boolean
  tangent: 'auto' | 'broken' | 'flat' | 'free' | 'linear' | 'step'
}

/** What the page wants to find again: camera, panels, chosen sliders. Not undoable; at most 64 KB. */
export interface Remember {
  type: 'Remember'
  view: Record<string, unknown>
}

/** Take no more shapes from the file. */
export interface CloseShapeFile {
  type: 'CloseShapeFile'
}

/** Fit the face to the file's sculpt, which has another topology. */
export interface RegisterSculpt {
  type: 'RegisterSculpt'
}

/** Add some shapes of the file's rig, or replace one of the face's by one of them. */
export interface TakeShapes {
  type: 'TakeShapes'
  shapes: string[]
  replace?: string
}

/** Use the file's sculpt.
 *
 * shape: as a new shape. replace: as what the face is with a shape fully on. in_pose: as what the face is in the
 * present pose, by changing that shape. corrective: the same by a new combination or in-between. */
export interface TakeSculpt {
  type: 'TakeSculpt'
  how: 'corrective' | 'in_pose' | 'replace' | 'shape'
  name?: string
  sliders?: string[] | null
}

/** Solve the take in the background: State.solving tells how far it is, and the clip comes as a step. */
export interface SolveTake {
  type: 'SolveTake'
  smooth?: string
  keys?: number
  residual?: boolean
  gaze?: boolean | null
  head?: 'solved' | 'still'
  steady?: number
  by_region?: boolean
  level?: number
}

/** Stop solving, and keep what is solved so far. */
export interface StopSolve {
  type: 'StopSolve'
}

/** A query, answered by a frame. */
export interface Ask {
  type: 'Ask'
  seq?: number
  query: AskCompared | AskMeeting | AskSplit | AskOffsets | AskSymmetry | AskFit | SampleClip
}

/** Ask for both faces: with a shape, by its names in each rig, or without any names in the present pose of the whole
 * face. Answered by a ComparedFaces frame. */
export interface AskCompared {
  type: 'AskCompared'
  shape?: string
  other?: string
}

/** Ask how two sliders meet: answered by a PairMeeting frame. */
export interface AskMeeting {
  type: 'AskMeeting'
  first: string
  second: string
}

/** Ask for the halves that `SplitShape` would make: answered by a SplitField frame. */
export interface AskSplit {
  type: 'AskSplit'
  shape: string
  falloff: number
}

/** Ask how far a shape moves each vertex: answered by an OffsetField frame. */
export interface AskOffsets {
  type: 'AskOffsets'
  shape: string
}

/** Ask for the mirror images of the vertices: answered by a SymmetryMap frame. */
export interface AskSymmetry {
  type: 'AskSymmetry'
}

/** Ask how near a clip ("": none) comes to the take: answered by a TakeFitTable frame. */
export interface AskFit {
  type: 'AskFit'
  clip: string
}

/** Ask for a clip frame by frame, to play it: answered by a ClipTable frame. */
export interface SampleClip {
  type: 'SampleClip'
  clip: string
}

/** Undo the last step. */
export interface Undo {
  type: 'Undo'
  seq?: number
  session?: 'build' | 'document'
}

/** Redo the next step. */
export interface Redo {
  type: 'Redo'
  seq?: number
  session?: 'build' | 'document'
}

/** Undo or redo to a place in the history: 0 is before all entries. */
export interface GoTo {
  type: 'GoTo'
  seq?: number
  at: number
  session?: 'build' | 'document'
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

/** Open the rig that was built: as a document of its own, or (keep) under the open pose and clips. */
export interface OpenBuilt {
  type: 'OpenBuilt'
  seq?: number
  how?: 'clips' | 'keep' | 'new'
}

/** Save as .fwface: where it came from (no path), or below a named folder. */
export interface Save {
  type: 'Save'
  seq?: number
  path?: string | null
  replace?: boolean
}

/** Ask whether the server is there. */
export interface Ping {
  type: 'Ping'
  seq?: number
}

/** The first message of a connection. */
export interface Welcome {
  type: 'Welcome'
  protocol: number
  version: string
  methods: string[]
  upload_limit: number
  formats: string[]
  suffixes: Record<string, string[]>
  folders: string[]
}

/** The values and all about them. Complete at first; then only what changed, the rest left out. */
export interface State {
  type: 'State'
  revision: number
  build?: BuildInfo
  build_progress?: BuildProgress | null
  control_list?: ControlInfo[]
  controls?: Record<string, number>
  head?: HeadInfo
  rig?: RigInfo
  ties?: [string, string][]
  comparison?: ComparisonInfo | null
  correctives?: CorrectiveInfo[]
  expressions?: ExpressionInfo[]
  perfect_sync?: CheckProgress | null
  film?: FilmInfo | null
  history?: HistoryInfo
  file?: FileInfo
  opened?: number
  view?: Record<string, unknown>
  interference?: InterferenceInfo
  layers?: LayerInfo[]
  layered?: Record<string, number> | null
  layer?: string
  live_kinds?: LiveKindInfo[]
  live?: LiveInfo | null
  loading?: LoadingInfo | null
  name_map?: NameMapInfo | null
  pins?: PinInfo[]
  held?: HeldInfo
  drag?: DragOptions
  locked?: string[]
  drag_sliders?: string | string[]
  drag_method?: string
  poses?: PoseInfo[]
  folder_poses?: PoseInfo[]
  key_poses?: PoseInfo[]
  prior?: PriorInfo
  sound?: SoundInfo | null
  plane?: PlaneInfo | null
  bookmarks?: BookmarkEntry[]
  rule_check?: RuleCheckInfo
  scan?: ScanInfo | null
  tracking?: SolvingInfo | null
  shape_file?: ShapeFileInfo | null
  shapes?: ShapeDetail[]
  slider_sets?: SliderSet[]
  take_sliders?: string | string[]
  take?: TakeInfo | null
  solving?: SolvingInfo | null
  textures?: TexturesInfo | null
  clips?: ClipInfo[]
  clip?: string
  keying?: KeyingInfo
  time?: number
  unit?: UnitInfo
}

/** All about the build; sent whole, whenever anything of it is different. */
export interface BuildInfo {
  template: BuildFace
  source: string
  sliders: BuildSlider[]
  neutral: BuildFace | null
  rest: BuildFace | null
  size: number
  obstacle: string
  other_topology: boolean
  pairs: PointPair[]
  proposed: boolean
  registration: RegistrationInfo | null
  mesh: string
  notes: string[]
  poses: BuildPose[]
  trust: number
  up: string
  upright: string
  prior: string
  along: boolean
  quick: boolean
  waits: string
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

/** The template, registered to the neutral. */
export interface RegistrationInfo {
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
  aligned: boolean
  obstacle: string
  can_be_aligned: boolean
  view: string
  fit: PoseFitInfo | null
}

/** A pose beside the rig's own version of it. Lengths are scene units of the neutral. */
export interface PoseFitInfo {
  weights: Record<string, number>
  relative: number
  typical: number
  worst: number
  reached: boolean
  verdict: string
  reach: string
  more: Record<string, number>
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
  taken_from: string[]
  taken: TakenShape[]
}

/** How far a shape is from the template's because of each pose, as shares of the shape. */
export interface TakenShape {
  name: string
  shares: number[]
  learned: number
}

/** How far the job is. */
export interface BuildProgress {
  step: number
  steps: number
  error: number
}

/** A control of head, neck or eyes; lengths have no range. */
export interface ControlInfo {
  name: string
  group: string
  unit: string
  low: number | null
  high: number | null
  rest: number
}

/** Where head and neck turn, how far eyes do (radians: to the side, up, down), and joints of the file by role. */
export interface HeadInfo {
  head: [number, number, number]
  neck: [number, number, number]
  eye_limits: [number, number, number]
  joints: Record<string, string>
}

/** The rig without its arrays, which are at `GET /api/geometry/{id}`. */
export interface RigInfo {
  id: string
  base: string
  vertices: number
  triangles: number
  size: number
  linear: boolean
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

/** A shape and what drives it: the target of a slider at a value, or, if additive, the product of factors. */
export interface ShapeInfo {
  name: string
  sliders: number[]
  at: number[]
  additive: boolean
}

/** A part of the face, as a range of rig vertices. */
export interface PartInfo {
  name: string
  start: number
  stop: number
}

/** What is different between the document's rig and a second one. */
export interface ComparisonInfo {
  name: string
  obstacle: string
  notes: string[]
  shapes: ComparedShape[]
}

/** A shape of either rig. */
export interface ComparedShape {
  name: string
  other: string
  distance: number
  furthest: number
  driven_alike: boolean
}

/** An in-between, a combination, or the end target of a slider that has in-betweens. */
export interface CorrectiveInfo {
  name: string
  kind: string
  index: number
  additive: boolean
  factors: FactorInfo[]
  corners: number[][]
}

/** A slider that drives a shape: where it is full, where it falls to 0, and its curve, straight between points. */
export interface FactorInfo {
  slider: string
  at: number
  low: number | null
  high: number | null
  own: boolean
  straight: boolean
  curve: [number, number][]
}

/** An expression, and the sliders that it moves: index, and value where it is 1. */
export interface ExpressionInfo {
  name: string
  preset: string
  binds: BindInfo[]
  is_binary: boolean
  blink: 'blend' | 'block' | 'none'
  look: 'blend' | 'block' | 'none'
  mouth: 'blend' | 'block' | 'none'
  more: boolean
  sliders: [number, number][]
}

/** A shape that an expression drives; one that the rig does not have is not `known`. */
export interface BindInfo {
  shape: string
  value: number
  part: string
  known: boolean
}

/** How far a check of the rig is. */
export interface CheckProgress {
  done: number
  total: number
  note: string
}

/** A film that is being drawn, or that was. */
export interface FilmInfo {
  number: number
  clip: string
  kind: 'gif' | 'mp4' | 'zip'
  done: number
  total: number
  stopping: boolean
  ready: boolean
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

/** The comparison of all sliders and shapes. */
export interface InterferenceInfo {
  progress: CheckProgress | null
  current: boolean
  found: FoundInterference | null
}

/** What came of comparing all sliders and shapes. */
export interface FoundInterference {
  id: string
  sliders: string[]
  fighting: number
  pairs: PairInfo[]
  shapes: ShapeFinding[]
}

/** Two sliders that interfere; the numbers are those of `inspect --report`. */
export interface PairInfo {
  first: string
  second: string
  interference: number
  shared: number
  direction: number
  twin: [string, string] | null
  advice: string
}

/** Something unusual about a shape. */
export interface ShapeFinding {
  kind: string
  names: string[]
  sentence: string
}

/** A layer without its keys. */
export interface LayerInfo {
  name: string
  kind: 'additive' | 'override'
  weight: number
  weight_times: number[]
  muted: boolean
  solo: boolean
  played: boolean
  sliders: number
  keys: number
}

/** A kind of packets that can be listened for. */
export interface LiveKindInfo {
  kind: string
  label: string
  port: number
  called: boolean
}

/** What is listened to, who sends, and what becomes of it. */
export interface LiveInfo {
  kind: string
  host: string
  port: number
  source: string
  sources: LiveSourceInfo[]
  bad: number
  problem: string
  latency: number
  frozen: boolean
  smooth: number
  gains: Record<string, number>
  calibrated: 'none' | 'range' | 'rest'
  countdown: number
  recorded: number | null
  mapped: number
  left: string[]
  takes: LiveTakeInfo[]
}

/** A sender. */
export interface LiveSourceInfo {
  name: string
  address: string
  rate: number
  loss: number
  delay: number
  seen: boolean
}

/** A take that was recorded. */
export interface LiveTakeInfo {
  clip: string
  frames: number
  seconds: number
  lost: number
}

/** A file that is being read. */
export interface LoadingInfo {
  name: string
  waiting: number
}

/** A map that is in use. */
export interface NameMapInfo {
  name: string
  rows: number
  listed: MappedNameInfo[]
}

/** A row of the map: a name and the slider that it drives. */
export interface MappedNameInfo {
  source: string
  target: string
  factor: number
}

/** A pin on the surface. Where it is in space is in the Pose frame. */
export interface PinInfo {
  id: number
  vertex: number | null
  triangle: number | null
  barycentric: [number, number, number] | null
  axes: string
  strength: number
  hold: boolean
  free: boolean
}

/** Points that stay still while sliders and pins move, as long as `on`. */
export interface HeldInfo {
  vertices: number[]
  axes: number[]
  on: boolean
  alpha: number | null
  default_alpha: number
}

/** How drags are solved. `method` counts instead of `State.drag_method` unless it is bounded. */
export interface DragOptions {
  method: string
  damped: boolean
}

/** A pose of a library. */
export interface PoseInfo {
  name: string
  tags: string[]
  weights: Record<string, number>
  picture: string
  file: string
  time: number | null
}

/** What natural faces go by. */
export interface PriorInfo {
  text: string
  own: boolean
  learning: boolean
}

/** The sound that plays along. */
export interface SoundInfo {
  id: string
  name: string
  seconds: number
  rate: number
  channels: number
  offset: number
  volume: number
  muted: boolean
  missing: boolean
}

/** The picture or video with the face. */
export interface PlaneInfo {
  id: string
  name: string
  media: string
  placement: 'behind' | 'beside'
  x: number
  y: number
  scale: number
  opacity: number
  offset: number
  missing: boolean
}

/** A view of the camera; angles in radians, the field of view in degrees, lengths in sizes of the face. */
export interface BookmarkEntry {
  name: string
  yaw: number
  pitch: number
  distance: number
  target: [number, number, number]
  field_of_view: number
  orthographic: boolean
}

/** The search for poses that break rules. */
export interface RuleCheckInfo {
  progress: CheckProgress | null
  current: boolean
  breaches: BreachInfo[] | null
}

/** A rule, and the pose that breaks it most. Distances are shares of the face's size. */
export interface BreachInfo {
  rule: string
  vertex: number
  distance: number
  allowed: number
  pose: Record<string, number>
}

/** The sequence without its frames: times and residuals are at `GET /api/scan/{id}`, a frame's cloud at
 * `GET /api/scan/{id}/{frame}`. */
export interface ScanInfo {
  id: string
  name: string
  kind: string
  frames: number
  rate: number
  seconds: number
  dropped: number
  rest: number[]
  found: boolean
  millimetres: number
  notes: string[]
  tracked: TrackedInfo | null
}

/** The clip that was tracked in the sequence; its residuals are in the ScanTable. */
export interface TrackedInfo {
  clip: string
  frames: number
  words: string[]
  counts: number[]
  worst_frames: number[]
  typical: number
  most: number
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

/** A file that shapes can be taken from. */
export interface ShapeFileInfo {
  name: string
  shapes: string[]
  vertices: number
  fits: boolean
  words: string
  registering: boolean
}

/** A shape in the list of the workbench. */
export interface ShapeDetail {
  name: string
  sliders: string[]
  at: number[]
  group: string
  reach: number
  support: number
  uses: string
  dependent: string[]
  picture: string
}

/** A set of sliders that was made by hand. */
export interface SliderSet {
  name: string
  sliders: string[]
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
  neutral: number[]
  rest_pose: string
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

/** Textures of expressions. Smooth parts are LowBand frames at /api/textures/low/{layout}/{picture id}. */
export interface TexturesInfo {
  id: string
  layout: string
  neutral: PictureInfo
  maps: MapInfo[]
  mask: PictureInfo | null
  parts: string[]
  regions: DetailRegionsInfo | null
  kind: string
  surfaces: TexturesInfo[]
}

/** A picture: the file is at /api/textures/picture/{id}, a small one at /api/textures/thumb/{id}. */
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

/** Regions of the textures. Their shares are a DetailShares frame at /api/textures/regions/{id}. */
export interface DetailRegionsInfo {
  id: string
  relevance: number[][]
  means: number[][]
}

/** A clip without its keys. */
export interface ClipInfo {
  name: string
  rate: number
  start: number
  end: number
  sliders: string[]
  layers: number
}

/** How keys are set. */
export interface KeyingInfo {
  auto_key: boolean
  tangent: 'auto' | 'broken' | 'flat' | 'free' | 'linear' | 'step'
}

/** A unit, "" where it is not known, and in words what follows from it. */
export interface UnitInfo {
  unit: string
  units: [string, string][]
  words: string
}

/** A message was carried out, and is kept even if the server dies now. */
export interface Done {
  type: 'Done'
  seq: number
}

/** A message was not carried out; everything is as it was. `message` is for the person. */
export interface Refused {
  type: 'Refused'
  seq: number
  message: string
  can_replace: boolean
}

/** Something the person should know. */
export interface Notice {
  type: 'Notice'
  message: string
}

/** Something that is wrong for as long as it is not said to be over: autosave does not work, say. "": it is over. */
export interface Trouble {
  type: 'Trouble'
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
  recent: OpenableFile[]
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
  brings: 'binding' | 'clip' | 'face' | 'prior' | 'scan' | 'take'
}

/** POST /api/kind: what a file holds, by its name and its beginning or all of it. */
export interface RecognisedFile {
  kind: 'rig' | 'clip' | 'take' | 'binding' | 'regions' | 'landmarks' | 'pose' | 'pins' | 'poses' | 'picture' | 'numbers' | 'prior' | 'sound' | 'video' | 'scan' | null
  problem: string
  whole: boolean
  known: string[]
}

/** POST /api/build/faces: what the faces are called that were taken; the Build that says all about them follows. */
export interface Taken {
  names: string[]
}

export type PageMessage =
  | Begin
  | Commit
  | Discard
  | Do
  | Act
  | Ask
  | Undo
  | Redo
  | GoTo
  | OpenSample
  | OpenPath
  | OpenBuilt
  | Save
  | Ping

export type ServerMessage =
  | Welcome
  | State
  | Done
  | Refused
  | Notice
  | Trouble
  | Busy
  | Pong

export type HttpAnswer =
  | Problem
  | Health
  | SampleList
  | FileList
  | Uploaded
  | RecognisedFile
  | Taken

export type AnyEdit =
  | SetBookmark
  | RenameBookmark
  | RemoveBookmark
  | ChooseTemplate
  | RemoveNeutral
  | RemovePoses
  | GuessPose
  | GuessPosesBy
  | GuessAnew
  | AlignPose
  | AddMissing
  | TrustExamples
  | PairPoints
  | ChooseMesh
  | LayUpright
  | ClearBuild
  | CreateClip
  | RenameClip
  | DeleteClip
  | SetRate
  | SetControls
  | ClearControls
  | ChooseJoint
  | SetEyeLimits
  | MakeCorrective
  | DriveCorrective
  | ConvertInBetweens
  | PoseCorner
  | SetExpression
  | AddExpression
  | RenameExpression
  | DeleteExpression
  | BindShape
  | UnbindShape
  | SetExpressionOptions
  | HoldVertices
  | SetHoldAxes
  | SetHolding
  | AddPairCorrective
  | ScaleKeys
  | SnapKeys
  | SmoothKeys
  | ReduceKeys
  | TweenKeys
  | BlendKeys
  | PasteKeys
  | SetKeys
  | KeyChanges
  | KeyValues
  | MoveKeys
  | PlaceKeys
  | CopyKeys
  | DeleteKeys
  | AddLayer
  | HoldOverClip
  | ChooseLayer
  | RenameLayer
  | DeleteLayer
  | MoveLayer
  | MergeLayer
  | SetLayerKind
  | SetLayerWeight
  | KeyLayerWeight
  | MuteLayer
  | SoloLayer
  | AddPin
  | MovePin
  | ChangePins
  | DeletePins
  | MirrorPins
  | DragPins
  | SetWeights
  | ResetWeights
  | MirrorPose
  | LockSliders
  | SetDragSliders
  | SetDragMethod
  | KeepPose
  | ApplyPose
  | PastePose
  | RenamePose
  | TagPose
  | DeletePose
  | MirrorSide
  | ForgetPrior
  | PlaceSound
  | RemoveSound
  | PlacePlane
  | RemovePlane
  | FindRegions
  | RemoveRegions
  | RenameRegion
  | MergeRegion
  | SplitRegion
  | PaintRegion
  | RenameShape
  | DuplicateShape
  | DeleteShape
  | MoveShape
  | ScaleShape
  | PruneShape
  | AddRule
  | PaintRule
  | SetRule
  | RenameRule
  | DeleteRule
  | ChangeScan
  | RemoveScan
  | AddPoseShape
  | FitShapeToPose
  | ShowPose
  | MirrorShape
  | FlipShape
  | SymmetriseShape
  | SplitShape
  | MergeShapes
  | RenameSlider
  | SetBounds
  | SetSliderGroup
  | MoveSliders
  | JoinSliders
  | PartSlider
  | ExcludeSliders
  | AllowSliders
  | KeepSliderSet
  | DropSliderSet
  | PairMarker
  | UnpairMarkers
  | BindByNames
  | Unbind
  | IgnoreMarkers
  | ChangeTake
  | SetTakeSliders
  | RemoveTake
  | SetTangents
  | TurnHandle
  | SetOutside
  | RemoveTexture
  | MoveTexture
  | RemoveMask
  | SetTexturedParts
  | RemoveAllTextures
  | ApplyEmbeddedSkin
  | TieSliders
  | UntieSliders
  | Scrub
  | ChooseClip
  | TouchUpShape
  | ShowShape
  | SetUnit

export type AnyAction =
  | SolveBuild
  | StopBuild
  | SolveAlong
  | ProposePairs
  | RegisterTemplate
  | CloseComparison
  | DrawFilm
  | StopFilm
  | FindInterference
  | StopInterference
  | StartLive
  | StopLive
  | ChooseLiveSource
  | AdjustLive
  | CalibrateLive
  | RecordLive
  | FinishLive
  | StopLoading
  | UseNameMap
  | MapName
  | UnmapName
  | ForgetNameMap
  | MakePerfectSync
  | StopPerfectSync
  | KeepPoseInFolder
  | DeletePoseInFolder
  | ReadPoseFolder
  | LearnPrior
  | CheckRules
  | StopRuleCheck
  | TrackScan
  | StopTrack
  | SetDragOptions
  | SetKeying
  | Remember
  | CloseShapeFile
  | RegisterSculpt
  | TakeShapes
  | TakeSculpt
  | SolveTake
  | StopSolve

export type AnyQuery =
  | AskCompared
  | AskMeeting
  | AskSplit
  | AskOffsets
  | AskSymmetry
  | AskFit
  | SampleClip
