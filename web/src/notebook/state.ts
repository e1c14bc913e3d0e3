/** The state of one view on a page: signals that follow the widget in Python, and are sent back when the user acts. */
import { batch, computed, effect, signal, type Signal } from '@preact/signals'
import { decodeAs, type FrameOf, type Geometry } from '../core/frames'
import type { Rigid } from '../core/controls'
import type { Camera } from '../core/gestures/orbit'
import { clockTime, row } from '../core/playing'
import type { SliderInfo } from '../core/protocol.gen'
import { FRONT } from '../core/view'
import { spaceOf, type Space } from '../scene/space'
import { shapeValues, type Drivers } from './drivers'
import { bufferOf, floatsOf, traitOf, type Model, type PackedFace, type Traits } from './model'

const SENT_AFTER = 40 // milliseconds in which changes are gathered
const TOLD_EVERY = 200 // milliseconds between news of the time while a clip plays
const ALIKE = 2 // faces whose sizes differ by less are shown in one scale

export interface Slider {
  index: number
  info: SliderInfo
  weight: Signal<number>
}

/** A face of the view, ready to be drawn. */
export interface ShownFace {
  packed: PackedFace
  frame: Geometry
  drivers: Drivers
  space: Space
}

export interface ShownClip {
  start: number
  end: number
  times: Float32Array // (f,)
  weights: Float32Array // (f, n)
  head: Float32Array | null // (f, 12)
}

export class ViewState {
  readonly faces: ShownFace[]
  readonly sliders: Slider[]
  readonly camera = signal(FRONT)
  readonly search = signal('')
  readonly onlyMoved = signal(false) // sliders at 0 are not listed
  readonly folded = signal<string[]>([])
  readonly panel = signal(true) // the sliders are shown
  readonly wire = signal(false)
  readonly divider = signal(0.5)
  readonly strength = signal(0.5) // of the second face over the first
  unframed = true // the camera is still to be set to see the whole face
  framed = (yaw: number, pitch: number): Camera => ({ ...FRONT, yaw, pitch }) // as the canvas knows it once it is there
  readonly problem = signal('')

  readonly weights: Signal<Float32Array>
  readonly otherPose: Signal<Float32Array | null>
  readonly heat: Signal<Float32Array | null>
  readonly heatRange: Signal<Traits['heat_range']>
  readonly heatLabel: Signal<string>
  readonly clip: Signal<ShownClip | null>
  readonly time: Signal<number>
  readonly playing: Signal<boolean>
  readonly loop: Signal<boolean>
  readonly arrangement: Signal<Traits['arrangement']>
  readonly height: Signal<number>

  private readonly jumps = signal(0) // counts times that did not come by playing
  private readonly stops: (() => void)[] = []
  private readonly unsent = new Map<keyof Traits, unknown>() // what the user did since Python was told
  private sending = false // a trait is being set from here
  private timer: ReturnType<typeof setTimeout> | undefined

  constructor(private readonly model: Model) {
    const packed = traitOf(model, '_faces')
    const first = shownFace(packed[0], null)
    this.faces = [first, ...packed.slice(1).map((each) => shownFace(each, first.space))]
    this.sliders = packed[0].rig.sliders.map((info, index) => ({ index, info, weight: signal(0) }))
    this.weights = this.follow('pose', (pose) => new Float32Array(pose))
    this.otherPose = this.follow('other_pose', (pose) => pose && new Float32Array(pose))
    this.heat = this.follow('heat', (heat) => heat && floatsOf(heat))
    this.heatRange = this.follow('heat_range', (range) => range)
    this.heatLabel = this.follow('heat_label', (label) => label)
    this.clip = this.follow('_clip', (clip) => shownClip(clip, this.sliders.length))
    this.time = this.follow('time', (time) => time)
    this.playing = this.follow('playing', (playing) => playing)
    this.loop = this.follow('loop', (loop) => loop)
    this.arrangement = this.follow('arrangement', (arrangement) => arrangement)
    this.height = this.follow('height', (height) => height)
    this.stops.push(
      effect(() => this.showWeights(this.weights.value)),
      effect(() => {
        void this.jumps.value
        if (this.playing.value && this.clip.value) return this.run(this.clip.value)
      }),
      effect(() => {
        void this.arrangement.value
        this.unframed = true
      }),
    )
  }

  /** Whether two faces are shown. */
  readonly compares = computed(() => this.faces.length > 1 || this.otherPose.value !== null)

  /** The weights of the second face: its own, or those of the first by name. */
  readonly otherWeights = computed(() => {
    const { otherPose, weights, faces } = this
    if (otherPose.value || faces.length < 2) return otherPose.value ?? weights.value
    const column = new Map(this.sliders.map(({ info, index }) => [info.name, index]))
    return Float32Array.from(faces[1].packed.rig.sliders, ({ name }) => weights.value[column.get(name) ?? -1] ?? 0)
  })

  /** What the second face is called. */
  get otherName(): string {
    return traitOf(this.model, 'other_name')
  }

  /** A face of the view; the second is the first one in another pose where there is no other. */
  face(which: number): ShownFace {
    return this.faces[which] ?? this.faces[0]
  }

  /** The values of the shapes of a face. */
  values(which: number): Float32Array {
    return shapeValues(this.face(which).drivers, which ? this.otherWeights.value : this.weights.value)
  }

  /** Where the clip has the head now, or else the document. */
  head(which: number): Rigid | null {
    const clip = this.clip.value
    if (clip?.head) return [...row(clip, clip.head, this.time.value)]
    const { head } = this.face(which).packed
    return head.length ? head : null
  }

  /** Values by slider, from the user's hand: a clip that plays stops. */
  put(values: Readonly<Record<string, number>>): void {
    const next = this.weights.peek().slice()
    for (const { info, index } of this.sliders) if (info.name in values) next[index] = values[info.name]
    batch(() => {
      this.stop()
      this.weights.value = next
    })
    this.send('pose', [...next])
  }

  reset(): void {
    this.put(Object.fromEntries(this.sliders.map(({ info }) => [info.name, 0])))
  }

  play(on: boolean): void {
    this.playing.value = on
    this.send('playing', on)
    this.tell()
  }

  /** Show a moment of the clip; one that plays goes on from there. */
  goTo(time: number): void {
    if (this.clip.value) this.showAt(this.clip.value, time)
    this.jumps.value += 1
    this.tell()
  }

  arrange(arrangement: Traits['arrangement']): void {
    this.arrangement.value = arrangement
    this.send('arrangement', arrangement)
  }

  setLoop(loop: boolean): void {
    this.loop.value = loop
    this.send('loop', loop)
  }

  dispose(): void {
    for (const stop of this.stops) stop()
    clearTimeout(this.timer)
    this.timer = undefined
  }

  /** A signal with the value of a trait, now and from now on. */
  private follow<T extends keyof Traits, V>(trait: T, read: (value: Traits[T]) => V): Signal<V> {
    const made = signal(read(traitOf(this.model, trait)))
    const listener = () => {
      if (this.sending) return
      this.unsent.delete(trait) // what Python says last counts
      made.value = read(traitOf(this.model, trait))
      if (trait === 'pose') this.stop() // Python has posed the face
      if (trait === 'time') this.jumps.value += 1
      if (trait === 'playing' && !made.peek()) this.tell() // where it has come to
    }
    this.model.on(`change:${trait}`, listener)
    this.stops.push(() => this.model.off(`change:${trait}`, listener))
    return made
  }

  private stop(): void {
    if (!this.playing.peek()) return
    this.playing.value = false
    this.send('playing', false)
  }

  /** Let Python know soon, with what comes meanwhile. */
  private send<T extends keyof Traits>(trait: T, value: Traits[T]): void {
    this.unsent.set(trait, value)
    this.timer ??= setTimeout(() => this.flush(), SENT_AFTER)
  }

  private flush(): void {
    this.timer = undefined
    if (!this.unsent.size) return
    this.sending = true
    for (const [trait, value] of this.unsent) this.model.set(trait, value)
    this.sending = false
    this.unsent.clear()
    this.model.save_changes()
  }

  private showWeights(weights: Float32Array): void {
    batch(() => {
      for (const { weight, index } of this.sliders) weight.value = weights[index]
    })
  }

  /** Pose the face as the clip has it at a time. */
  private showAt(clip: ShownClip, time: number): void {
    batch(() => {
      this.time.value = time
      this.weights.value = row(clip, clip.weights, time)
    })
  }

  /** Let Python know of the time, and of the pose that comes of it. */
  private tell(): void {
    this.send('time', this.time.peek())
    this.send('pose', [...this.weights.peek()])
  }

  /** Play from where the time is, until it is stopped. */
  private run(clip: ShownClip): () => void {
    const from = this.time.peek() >= clip.end ? clip.start : this.time.peek()
    const began = performance.now()
    let [frame, told] = [0, began]
    const step = (now: number) => {
      const at = clockTime(from, Math.max(now - began, 0) / 1000, clip, this.loop.peek())
      this.showAt(clip, at ?? clip.end)
      if (at === null) return this.play(false)
      if (now - told >= TOLD_EVERY) {
        told = now
        this.tell()
      }
      frame = requestAnimationFrame(step)
    }
    frame = requestAnimationFrame(step)
    return () => cancelAnimationFrame(frame)
  }
}

function shownFace(packed: PackedFace, beside: Space | null): ShownFace {
  const frame = decodeAs('Geometry', bufferOf(packed.geometry))
  const own = spaceOf(frame.arrays.positions)
  const alike = beside !== null && Math.max(own.size / beside.size, beside.size / own.size) < ALIKE
  const drivers: FrameOf<'ShapeDrivers'> = decodeAs('ShapeDrivers', bufferOf(packed.drivers))
  return { packed, frame, drivers: drivers.arrays, space: alike ? beside : own }
}

function shownClip(clip: Traits['_clip'], sliders: number): ShownClip | null {
  if (!('weights' in clip)) return null
  const weights = floatsOf(clip.weights)
  const frames = sliders ? weights.length / sliders : 0
  const step = (clip.end - clip.start) / Math.max(frames - 1, 1)
  const times = Float32Array.from({ length: frames }, (_, k) => clip.start + k * step)
  const { start, end, head } = clip
  return { start, end, times, weights, head: head.byteLength ? floatsOf(head) : null }
}
