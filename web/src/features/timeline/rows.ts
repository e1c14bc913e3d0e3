/** The rows of the timeline: all keys, then the curves by group, folded and filtered. Both views have the same ones. */
import { computed } from '@preact/signals'
import type { CurveInfo } from '../../core/curve'
import { controlOf } from '../../core/controls'
import { clipCurves } from '../../core/document'
import { grouped, matches } from '../../core/groups'
import { chosen } from '../../core/selection'
import { byName, sliderOf } from '../../core/sliders'
import { foldedLanes, laneSearch } from './state'

export interface Row {
  kind: 'all' | 'group' | 'curve'
  name: string
  curves: readonly CurveInfo[]
}

const MOST_CURVES = 12 // in the graph, where nothing is selected

export function rowsOf(
  curves: readonly CurveInfo[],
  groupOf: (curve: CurveInfo) => { group: string } | undefined,
  folded: readonly string[],
): Row[] {
  const groups = grouped(curves, groupOf).flatMap<Row>(({ name, members }) => [
    { kind: 'group', name, curves: members },
    ...(folded.includes(name)
      ? []
      : members.map<Row>((curve) => ({ kind: 'curve', name: curve.slider, curves: [curve] }))),
  ])
  return [{ kind: 'all', name: 'All keys', curves }, ...groups]
}

const found = computed(() => clipCurves.value.filter((curve) => matches(curve.slider, laneSearch.value)))

export const rows = computed(() =>
  rowsOf(
    found.value,
    (curve) => byName.value.get(sliderOf(curve.slider))?.info ?? controlOf.value.get(curve.slider),
    foldedLanes.value,
  ),
)

/** The curves that the graph draws: those of the selected sliders, or else those that move most. */
export const graphCurves = computed(() => {
  const picked = found.value.filter((curve) => chosen.value.includes(sliderOf(curve.slider)))
  return picked.length ? picked : lively(found.value)
})

/** Curves that move, those with the largest range first. */
function lively(all: readonly CurveInfo[]): CurveInfo[] {
  const travels = new Map(all.map((curve) => [curve, travel(curve.values)]))
  const moving = all.filter((curve) => travels.get(curve)! > 1e-4)
  return [...(moving.length ? moving : all)].sort((a, b) => travels.get(b)! - travels.get(a)!).slice(0, MOST_CURVES)
}

function travel(values: readonly number[]): number {
  let low = Infinity
  let high = -Infinity
  for (const value of values) {
    if (value < low) low = value
    if (value > high) high = value
  }
  return high - low
}

/** The range of values that the graph shows: the bounds of its sliders, and all keys. */
export const valueRange = computed(() => {
  let [low, high] = [0, 1]
  for (const curve of graphCurves.value) {
    const info = byName.value.get(sliderOf(curve.slider))?.info
    low = Math.min(low, info?.low ?? 0)
    high = Math.max(high, info?.high ?? 1)
    for (const value of curve.values) {
      if (value < low) low = value
      if (value > high) high = value
    }
  }
  return { low, high }
})
