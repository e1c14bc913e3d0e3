/** The canvas of the face: draws it when something changed, and finds what is under a pixel. */
import { Matrix4, PerspectiveCamera, Scene, Vector3, WebGLRenderer } from 'three'
import type { Camera } from '../core/gestures/orbit'
import type { OnSurface } from '../core/gestures/pointer'
import { moved, takenOut, turnedBack, type Head } from './head'
import { aim, onLine, onPlane, rayAt, seen, type Seen, type Size } from './aim'
import type { Aim } from '../core/controls'
import type { ShapeChange } from '../core/frames'
import type { Shares } from '../core/regions'
import { Character, type CharacterFrame } from './character'
import { Face } from './face'
import { framingFace, framingPlaces } from './framing'
import type { FaceData } from './geometry'
import { SurfaceMaps, type SurfaceKind } from './textures/surfaceMaps'
import { TextureSet, type Mixing } from './textures/textureSet'
import type { DetailBy } from './textures/detail'
import type { TexturesInfo } from '../core/protocol.gen'
import type { Vec } from '../core/vec'
import type { Ray } from './pick'
import { PosedSurface, type Surface } from './posedSurface'
import { backBufferOf } from './backBuffer'
import { backdrop } from './backdrop'
import { PointCloud } from './pointCloud'
import { PicturePlane } from './picturePlane'
import { drawsInSoftware } from './card'
import { findOpenness } from './openness'
import { readPositions } from './readback'
import { Redraw } from './redraw'
import { Lighting, type LightName, type SurfaceName } from './lighting'
import { Shadow } from './shadow'

type At = { x: number; y: number }

const vecOf = ({ x, y, z }: Vector3): Vec => [x, y, z]

export class Viewport {
  face: Face | null = null
  size: Size = { width: 1, height: 1 }
  finished = false // all that is computed once for a face is there
  readonly camera = new PerspectiveCamera()
  readonly textures: TextureSet
  readonly surfaces: SurfaceMaps
  readonly redraw: Redraw
  readonly plane = new PicturePlane(() => this.ask())
  readonly cloud = new PointCloud(() => this.ask())
  readonly lighting = new Lighting()
  private aim: Aim | null = null // of the eyes; its target is a place in the scene
  scriptTime = 0 // milliseconds that the last frame took, without the graphics card
  private textureInfo: TexturesInfo | null = null
  private readonly renderer: WebGLRenderer
  private readonly scene = new Scene()
  private readonly shadowScene = new Scene()
  private readonly shadow = new Shadow()
  private view: Camera
  private values = new Float32Array(0)
  private picked: PosedSurface | null = null // of a head that is held
  private stopSearch: () => void = () => undefined // for how open the vertices lie
  private head: Head | null = null // null: held
  private neck: Head | null = null
  character: Character | null = null // what is drawn with the face

  constructor(
    private readonly canvas: HTMLCanvasElement,
    view: Camera,
    private readonly drawn: () => void,
    failed: (problem: unknown) => void,
  ) {
    this.view = view
    this.textures = new TextureSet(() => this.ask(), failed)
    this.surfaces = new SurfaceMaps(this.textures.uniforms, () => this.ask(), failed)
    const buffer = backBufferOf(canvas)
    this.renderer = new WebGLRenderer({
      canvas: buffer.canvas,
      antialias: !drawsInSoftware(),
      preserveDrawingBuffer: false,
      powerPreference: 'high-performance',
    })
    this.renderer.autoClear = false
    this.redraw = new Redraw(
      this.renderer,
      () => this.size,
      () => this.draw(),
      () => buffer.show(),
    )
    this.scene.add(backdrop(), this.plane.mesh, this.cloud.points)
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas
    if (!clientWidth || !clientHeight) return
    this.size = { width: clientWidth, height: clientHeight }
    this.setCamera(this.view)
  }

  setCamera(view: Camera): void {
    this.view = view
    aim(this.camera, view, this.size)
    this.ask()
  }

  /** Show another face. `address`: of an image of its materials, where the studio's server has none. */
  load(data: FaceData, address?: (image: number) => string): Face {
    if (this.face) {
      this.scene.remove(this.face.root)
      this.shadowScene.remove(this.face.casting)
      this.face.dispose()
    }
    this.face = new Face(data, this.shadow, this.textures.uniforms, this.lighting.uniforms)
    this.picked = new PosedSurface(this.face)
    this.scene.add(this.face.root)
    this.shadowScene.add(this.face.casting)
    this.face.applyMaterials(() => this.ask(), address)
    this.findOpenness(data)
    this.face.turn(this.head, this.neck)
    this.cloud.place(data.space, this.head)
    this.pose(this.values)
    return this.face
  }

  /** Show what the file has besides the face that is shown. */
  accompany(frame: CharacterFrame, address?: (image: number) => string): void {
    if (this.character) {
      this.scene.remove(this.character.root)
      this.character.dispose()
      this.character = null
    }
    this.face?.follow(frame.arrays.face, frame.joints)
    this.face?.turn(this.head, this.neck)
    this.lookAgain()
    if (this.face && frame.ranges.length) {
      const { shadow, textures, lighting } = this
      const loaded = () => this.ask()
      this.character = new Character(frame, this.face, shadow, textures.uniforms, lighting.uniforms, loaded, address)
      this.character.turn(this.head, this.neck)
      this.scene.add(this.character.root)
    }
    this.ask()
  }

  /** Draw the face alone, or all that the file has. */
  isolate(on: boolean): void {
    if (this.character) this.character.root.visible = !on
    this.ask()
  }

  /** Put another version of one shape in place of it, where the face is the one that it is meant for. */
  changeShape(change: ShapeChange): void {
    if (!this.face || !change.base || this.face.data.rig !== change.base) return
    this.face.change(change)
    this.pose(this.values)
  }

  pose(values: Float32Array): void {
    this.values = values as Float32Array<ArrayBuffer>
    this.picked?.poseChanged()
    this.face?.pose(values, this.aimed())
    this.poseTextures()
    this.ask()
  }

  /** Show the face where the head is. Places and directions stay those of a face whose head is held. */
  turn(head: Head | null, neck: Head | null = null): void {
    this.picked?.jointsChanged()
    this.head = head
    this.neck = neck
    this.face?.turn(head, neck)
    this.character?.turn(head, neck)
    this.cloud.place(this.face?.data.space ?? null, head)
    if (this.aim?.target) this.lookAgain()
    this.ask()
  }

  /** Show textures of expressions; null: none. */
  showTextures(info: TexturesInfo | null): void {
    this.textureInfo = info
    this.textures.use(info)
    this.surfaces.use(info)
    this.poseTextures()
    this.ask()
  }

  /** Let the eyes follow an aim, whose target is a place in the scene; null: the pose has them. */
  look(aim: Aim | null): void {
    this.aim = aim
    this.lookAgain()
  }

  /** Where a place of the face at rest is in the scene, with the head's turn. */
  placed(place: Vec): Vec {
    return this.head ? moved(this.head, place) : place
  }

  /** Where the camera is in the scene. */
  cameraPlace(): Vec {
    return this.face ? this.face.data.space.toRig(this.camera.position) : [0, 0, 0]
  }

  /** Light the face, and show its surface, as one of the presets does. */
  light(preset: LightName, surface: SurfaceName): void {
    this.lighting.use(preset, surface)
    this.ask()
  }

  mix(mixing: Mixing, splitAt: number, by: DetailBy): void {
    this.textures.set(mixing, splitAt, by)
    this.surfaces.detailBy(by)
    this.ask()
  }

  /** The texture as it is shown, flat (h, w, 4). */
  flat(mixing: Mixing, width: number, height: number): Uint8Array {
    return this.textures.flat(this.renderer, mixing, width, height)
  }

  /** A map of the surface as it is shown, as bytes of a file (h, w, 4). */
  flatSurface(kind: SurfaceKind, width: number, height: number): Uint8Array {
    return this.surfaces.sets[kind].flat(this.renderer, 'bands', width, height)
  }

  /** Regions of the face, for poses that differ between them. */
  divide(shares: Shares | null): void {
    this.face?.divide(shares)
    this.picked?.poseChanged()
    this.ask()
  }

  /** Where the face's vertices (v, 3) of the rig are now, as they are picked. */
  positions(): Float32Array {
    return this.picked!.positions()
  }

  /** The surface as it is picked, with the head held: positions (r, 3) and triangles (t, 3). */
  surface(): { positions: Float32Array; triangles: ArrayLike<number> } {
    return this.picked!.soup()
  }

  /** The same, as the shaders place them. */
  drawnPositions(): Float32Array {
    return readPositions(this.renderer, this.face!)
  }

  /** The same of what is drawn besides the face, in the scene. */
  carriedPositions(): Float32Array {
    if (this.face) this.character?.look(this.face.own.toEyes.value)
    return this.character?.positions() ?? new Float32Array(0)
  }

  /** The camera that sees the whole face from an angle. */
  framed(yaw: number, pitch = 0): Camera {
    return framingFace(this.face?.data ?? null, this.view, this.size, yaw, pitch)
  }

  /** The camera that sees some places in rig space from where it looks now. */
  framedOn(places: Iterable<Vec>): Camera {
    const toScene = (place: Vec) => vecOf(this.face!.data.space.toScene(this.placed(place)))
    return framingPlaces([...places].map(toScene), this.view, this.size)
  }

  ask(): void {
    this.redraw.ask()
  }

  /** Let the graphics card have everything back; nothing can be drawn afterwards. */
  dispose(): void {
    this.stopSearch()
    this.redraw.stop()
    this.redraw.cover(true)
    this.character?.dispose()
    this.face?.dispose()
    this.renderer.dispose()
    this.renderer.forceContextLoss()
  }

  /** What is seen now, as a file. */
  picture(): Promise<Blob | null> {
    this.redraw.now()
    return new Promise((resolve) => this.canvas.toBlob(resolve, 'image/png'))
  }

  surfaceAt(at: At): Surface | null {
    return this.picked?.hit(this.ray(at)) ?? null
  }

  /** Rig vertices within a radius (in sizes of the face) of what is under a pixel; of `single` with radius 0 one. */
  verticesUnder(at: At, radius: number, single: boolean): number[] {
    const hit = this.surfaceAt(at)
    if (!hit) return []
    return single && radius === 0 ? [hit.vertex] : this.picked!.near(hit, radius).concat(hit.vertex)
  }

  /** Outwards at a pin. */
  normalOf(pin: { triangle: number | null; vertex: number | null }): Vec {
    return this.picked!.normalAt(pin) ?? this.direction()
  }

  /** Whether the surface at a pin faces away from the camera. */
  isBehind(pin: { triangle: number | null; vertex: number | null }): boolean {
    const [n, d] = [this.normalOf(pin), this.direction(pin)]
    return n[0] * d[0] + n[1] * d[1] + n[2] * d[2] > 0.15
  }

  /** Where a place is seen, of the head, or where the joints have it that move a point of the surface. */
  seen(place: Vec, of?: OnSurface): Seen {
    const by = this.jointsOf(of)
    const at = by ? vecOf(new Vector3(...place).applyMatrix4(by)) : place
    return seen(this.camera, this.face!.data.space, this.size, this.head ? moved(this.head, at) : at)
  }

  /** Where a place in the scene is seen, whatever the head does. */
  seenInScene(place: Vec): Seen {
    return seen(this.camera, this.face!.data.space, this.size, place)
  }

  /** The place in the scene under a pixel, as far from the camera as another. */
  inScene(at: At, through: Vec): Vec {
    const { x, y, z } = this.camera.getWorldDirection(this.camera.position.clone())
    return onPlane(rayAt(this.camera, this.face!.data.space, this.size, at), through, [x, y, z])
  }

  /** Pixels that a length (in sizes of the face) takes at the target. */
  pixels(length: number): number {
    return (length / this.view.distance / 2 / Math.tan((this.camera.fov * Math.PI) / 360)) * this.size.height
  }

  onPlane(at: At, through: Vec, of?: OnSurface): Vec {
    return onPlane(this.ray(at, of), through, this.direction(of))
  }

  onLine(at: At, through: Vec, along: Vec, of?: OnSurface): Vec {
    return onLine(this.ray(at, of), through, along)
  }

  direction(of?: OnSurface): Vec {
    const { x, y, z } = this.camera.getWorldDirection(this.camera.position.clone())
    const seen: Vec = this.head ? turnedBack(this.head, [x, y, z]) : [x, y, z]
    const by = this.jointsOf(of)
    return by ? vecOf(new Vector3(...seen).transformDirection(by.invert())) : seen
  }

  /** The ray through a pixel, as a face whose head is held would meet it, at a point of the surface that joints move. */
  private ray(at: At, of?: OnSurface): Ray {
    const { origin, direction } = rayAt(this.camera, this.face!.data.space, this.size, at)
    const ray: Ray = this.head
      ? { origin: takenOut(this.head, origin), direction: turnedBack(this.head, direction) }
      : { origin, direction }
    const back = this.jointsOf(of)?.invert()
    if (!back) return ray
    return {
      origin: vecOf(new Vector3(...ray.origin).applyMatrix4(back)),
      direction: vecOf(new Vector3(...ray.direction).transformDirection(back)),
    }
  }

  /** How joints move a point of the surface of a head that is held; null: they do not. */
  private jointsOf(of?: OnSurface): Matrix4 | null {
    return (of && this.picked?.jointsAt(of)) ?? null
  }

  private draw(): void {
    if (!this.size.width) return
    const began = performance.now()
    this.prepareTextures(began)
    this.face?.prepare()
    if (this.face) this.character?.look(this.face.own.toEyes.value)
    this.character?.prepare()
    this.face?.sizeDots(this.renderer.getPixelRatio())
    this.cloud.sizeDots(this.renderer.getPixelRatio())
    if (this.face) this.shadow.draw(this.renderer, this.shadowScene, this.camera, this.lighting.key)
    this.plane.prepare(this.size)
    this.renderer.clear()
    this.renderer.render(this.scene, this.camera)
    this.scriptTime = performance.now() - began
    this.drawn()
  }

  /** The aim as a head that is held would have it. */
  private aimed(): Aim | null {
    const { aim, head } = this
    return aim?.target && head ? { ...aim, target: takenOut(head, aim.target) } : aim
  }

  /** Pose the eyes again: what they look at has moved. */
  private lookAgain(): void {
    this.picked?.poseChanged()
    this.face?.pose(this.values, this.aimed())
    this.ask()
  }

  private poseTextures(): void {
    const shapes = (this.face?.data.shapes.starts.length ?? 1) - 1
    this.textures.pose(this.values, shapes)
    this.surfaces.pose(this.values, shapes)
  }

  private prepareTextures(now: number): void {
    const { ready, moving } = this.textures.prepare(this.renderer, this.renderer.domElement.width, now)
    this.face?.showTextures(ready && this.textureInfo ? this.textureInfo.parts : null)
    const surfacesMove = this.surfaces.prepare(this.renderer, now)
    if (moving || surfacesMove) this.ask()
  }

  private findOpenness(data: FaceData): void {
    this.stopSearch()
    this.finished = false
    const { face } = this
    this.stopSearch = findOpenness(data, (share) => {
      if (face !== this.face) return
      face?.open(share)
      this.finished = true
      this.ask()
    })
  }
}
