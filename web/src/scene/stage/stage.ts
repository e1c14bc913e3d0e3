/** The canvas on which faces are compared: all seen by one camera, drawn when something changed. */
import { PerspectiveCamera, Scene, WebGLRenderer } from 'three'
import type { Camera } from '../../core/gestures/orbit'
import { aim, rayAt, seen, type Seen, type Size } from '../aim'
import type { Vec } from '../../core/vec'
import { firstHit } from '../pick'
import { backBufferOf } from '../backBuffer'
import { backdrop } from '../backdrop'
import { drawsInSoftware } from '../card'
import { Redraw } from '../redraw'
import type { PreviewFace } from './preview'
import { cellAt, cellsOf, stepBack, type Cell, type Layout } from './cells'

type At = { x: number; y: number }

export interface Touched {
  cell: number
  vertex: number // of the rig, the nearest corner
  place: Vec
}

export class Stage {
  size: Size = { width: 1, height: 1 }
  cells: Cell[] = []
  private faces: (PreviewFace | null)[] = []
  private layout: Layout = 'beside'
  private divider = 0.5
  private view: Camera
  readonly redraw: Redraw
  private readonly renderer: WebGLRenderer
  private readonly scene = new Scene()
  private readonly camera = new PerspectiveCamera()

  constructor(
    private readonly canvas: HTMLCanvasElement,
    view: Camera,
    private readonly drawn: () => void,
  ) {
    this.view = view
    const buffer = backBufferOf(canvas)
    this.renderer = new WebGLRenderer({
      canvas: buffer.canvas,
      antialias: !drawsInSoftware(),
      powerPreference: 'high-performance',
    })
    this.renderer.autoClear = false
    this.redraw = new Redraw(
      this.renderer,
      () => this.size,
      () => this.draw(),
      () => buffer.show(),
    )
    this.renderer.setScissorTest(true)
    this.scene.add(backdrop())
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas
    if (!clientWidth || !clientHeight) return
    this.size = { width: clientWidth, height: clientHeight }
    this.arrange(this.layout, this.divider)
  }

  setCamera(view: Camera): void {
    this.view = view
    this.ask()
  }

  /** Faces from left to right; null leaves a place empty. */
  show(faces: readonly (PreviewFace | null)[]): void {
    this.faces = [...faces]
    this.arrange(this.layout, this.divider)
  }

  arrange(layout: Layout, divider: number): void {
    this.layout = layout
    this.divider = divider
    this.cells = cellsOf(this.faces.length, this.size, layout, divider)
    this.ask()
  }

  ask(): void {
    this.redraw.ask()
  }

  /** What is at a pixel of the stage. */
  touched(at: At): Touched | null {
    const cell = cellAt(this.cells, at.x)
    const face = this.faces[cell]
    if (!face) return null
    const size = this.aimAt(cell)
    const ray = rayAt(this.camera, face.space, size, { x: at.x - this.cells[cell].x, y: at.y })
    const { triangles, ranges, vertex } = face.data
    const hit = firstHit({ positions: face.places, triangles, ranges }, ray)
    if (!hit) return null
    const corner = triangles[3 * hit.index + hit.barycentric.indexOf(Math.max(...hit.barycentric))]
    return { cell, vertex: vertex[corner], place: this.placeOf(cell, vertex[corner])! }
  }

  /** Where a vertex of the face in a cell is, in scene units. */
  placeOf(cell: number, vertex: number): Vec | null {
    const face = this.faces[cell]
    const r = face ? face.data.vertex.indexOf(vertex) : -1
    return face && r >= 0 ? [face.places[3 * r], face.places[3 * r + 1], face.places[3 * r + 2]] : null
  }

  /** Where a place on the face in a cell is seen on the stage. */
  seen(cell: number, place: Vec): Seen {
    const size = this.aimAt(cell)
    const found = seen(this.camera, this.faces[cell]!.space, size, place)
    return { ...found, x: found.x + this.cells[cell].x }
  }

  /** Whether the surface at a vertex faces away from the camera. */
  isBehind(cell: number, vertex: number): boolean {
    const face = this.faces[cell]
    const r = face ? face.data.vertex.indexOf(vertex) : -1
    if (!face || r < 0) return true
    this.aimAt(cell)
    const { x, y, z } = this.camera.getWorldDirection(this.camera.position.clone())
    const { normals } = face.data
    return normals[3 * r] * x + normals[3 * r + 1] * y + normals[3 * r + 2] * z > 0.15
  }

  /** Give back what the graphics card holds. */
  dispose(): void {
    this.redraw.stop()
    this.renderer.dispose()
    this.renderer.forceContextLoss()
  }

  /** Let the camera look at a cell; the size of the picture there. */
  private aimAt(cell: number): Size {
    const size = { width: Math.max(this.cells[cell].width, 1), height: this.size.height }
    aim(
      this.camera,
      { ...this.view, distance: this.view.distance * stepBack(this.cells[cell], this.size.height) },
      size,
    )
    return size
  }

  private draw(): void {
    if (this.size.width <= 1) return
    const { height } = this.size
    this.renderer.setViewport(0, 0, this.size.width, height)
    this.renderer.setScissor(0, 0, this.size.width, height)
    this.renderer.clear()
    this.cells.forEach((cell, i) => {
      this.aimAt(i)
      const face = this.faces[i]
      if (face) this.scene.add(face.root)
      this.renderer.setViewport(cell.x, 0, cell.width, height)
      this.renderer.setScissor(cell.from, 0, Math.max(cell.to - cell.from, 0), height)
      this.renderer.render(this.scene, this.camera)
      if (face) this.scene.remove(face.root)
    })
    this.drawn()
  }
}
