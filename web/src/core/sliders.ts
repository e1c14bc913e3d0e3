/** Each slider with signals of its own, so that a change touches one row and nothing else. */
import { batch, computed, signal, type Signal } from '@preact/signals'
import type { SliderInfo } from './protocol.gen'
import { rig } from './document'

export interface Slider {
  readonly index: number
  readonly info: SliderInfo
  readonly weight: Signal<number>
  readonly change: Signal<number> // by the last drag
  readonly local: Signal<boolean> // the chosen region has a value of its own; without one, any region has
}

/** The sliders of the rig; new ones only when those of the rig are others. */
export const sliders = computed<Slider[]>(() => {
  const infos = rig.value?.sliders ?? []
  return infos.map((info, index) => ({ index, info, weight: signal(0), change: signal(0), local: signal(false) }))
})

export const byName = computed(() => new Map(sliders.value.map((slider) => [slider.info.name, slider])))

/** The slider that a curve moves, all over the face or, such as `jawOpen @ mouth`, in a region. */
export const sliderOf = (curve: string): string => (byName.value.has(curve) ? curve : curve.split(' @ ')[0])

const NOTICEABLE = 5e-4 // half of the last digit that is shown

export const isMoved = (slider: Slider) => Math.abs(slider.change.value) >= NOTICEABLE
export const isActive = (slider: Slider) => Math.abs(slider.weight.value) >= NOTICEABLE || slider.local.value

interface Counted {
  of: readonly Slider[] // the count is that of these, and of no others
  count: number
}

/** A count of sliders that is made when a pose comes, not for each slider; 0 for the sliders of another rig. */
function counted() {
  const last = signal<Counted>({ of: [], count: 0 })
  const now = computed(() => (last.value.of === sliders.value ? last.value.count : 0))
  return [now, (count: number) => (last.value = { of: sliders.value, count })] as const
}

/** How many the last drag moved. */
export const [movedCount, setMoved] = counted()
export const [activeCount, setActive] = counted()

export function showWeights(weights: Float32Array): void {
  batch(() => {
    const all = sliders.value
    if (weights.length !== all.length) return
    for (const slider of all) slider.weight.value = weights[slider.index]
  })
}

/** Which sliders have values of their own in a region; after `showWeights`, as both say which are active. */
export function showLocal(indices: ReadonlySet<number>): void {
  batch(() => {
    let active = 0
    for (const slider of sliders.value) {
      slider.local.value = indices.has(slider.index)
      if (isActive(slider)) active += 1
    }
    setActive(active)
  })
}

/** Whether the sliders stand like this already. */
export function isShown(weights: Float32Array): boolean {
  return sliders.value.every((slider) => Math.abs(slider.weight.value - weights[slider.index]) < 1e-6)
}

/** What the last drag did; an empty array forgets it. */
export function showChange(change: Float32Array): void {
  batch(() => {
    let moved = 0
    for (const slider of sliders.value) {
      const by = change[slider.index] ?? 0
      slider.change.value = by
      if (Math.abs(by) >= NOTICEABLE) moved += 1
    }
    setMoved(moved)
  })
}

/** The slider of the other side. */
export function mirrorOf(slider: Slider): Slider | null {
  return slider.info.mirror < 0 ? null : (sliders.value[slider.info.mirror] ?? null)
}
