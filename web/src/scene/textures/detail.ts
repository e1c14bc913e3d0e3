/** Which texture gives the detail, over time: as facewright.texture.detail and facewright.texture.fade have it. */
export type DetailBy = 'dominant' | 'neutral'

export interface Choice {
  by: DetailBy
  margin: number // another texture must outweigh the one that is shown by so much
  fade: number // seconds
}

/** A texture's detail, 0 for the neutral's, and as long as a change takes, also the former one's. */
export interface Detail {
  map: number
  former: number
  share: number // of the new one
}

export const NEUTRAL: Detail = { map: 0, former: 0, share: 1 }
export const choiceBy = (by: DetailBy): Choice => ({ by, margin: 0.1, fade: 0.25 })

/** Weights with the neutral's first: what the others leave of 1. In a region they count by their relevance there, and
 * sum to 1. */
export function shares(weights: ArrayLike<number>, relevance?: readonly number[]): number[] {
  const maps = Array.from(weights, (weight) => Math.max(weight, 0))
  const rest = Math.max(0, 1 - maps.reduce((sum, weight) => sum + weight, 0))
  if (!relevance) return [rest, ...maps]
  const found = [rest, ...maps.map((weight, i) => weight * relevance[i])]
  const total = found.reduce((sum, weight) => sum + weight, 0)
  return found.map((weight) => weight / total)
}

/** The detail of the first pose that is shown: nothing fades. */
export function detailAt(weights: ArrayLike<number>, choice: Choice, relevance?: readonly number[]): Detail {
  return choice.by === 'neutral' ? NEUTRAL : { ...NEUTRAL, map: largest(shares(weights, relevance)) }
}

/** What is shown so much later, at new weights. A change that has begun is finished or reversed. */
export function after(
  detail: Detail,
  seconds: number,
  weights: ArrayLike<number>,
  choice: Choice,
  relevance?: readonly number[],
): Detail {
  if (choice.by === 'neutral') return NEUTRAL
  const standing = shares(weights, relevance)
  const now =
    choice.fade > 0
      ? { ...detail, share: Math.min(1, detail.share + seconds / choice.fade) }
      : { ...NEUTRAL, map: detail.map }
  const wanted = largest(standing)
  if (wanted === now.map || standing[wanted] <= (standing[now.map] ?? 0) + choice.margin) return now
  if (now.share < 1) return wanted === now.former ? { map: now.former, former: now.map, share: 1 - now.share } : now
  return { map: wanted, former: now.map, share: choice.fade > 0 ? 0 : 1 }
}

export const isFading = ({ map, former, share }: Detail) => map !== former && share < 1

/** Inner products of the details of two textures. */
export type Alike = (a: number, b: number) => number

/** How much of which texture's detail is shown. Half-way both are made stronger by what their mean would lose. */
export function shown({ map, former, share }: Detail, alike: Alike): [number, number][] {
  const t = share * share * (3 - 2 * share)
  if (map === former || t >= 1) return [[map, 1]]
  if (t <= 0) return [[former, 1]]
  const [new2, old2, both] = [alike(map, map), alike(former, former), alike(map, former)]
  const wanted = t * new2 + (1 - t) * old2
  const mean = t * t * new2 + 2 * t * (1 - t) * both + (1 - t) * (1 - t) * old2
  const gain = Math.min(Math.max(Math.sqrt(wanted / Math.max(mean, 1e-30)), 1), Math.SQRT2)
  return [
    [map, gain * t],
    [former, gain * (1 - t)],
  ]
}

const largest = (values: readonly number[]) => values.indexOf(Math.max(...values))
