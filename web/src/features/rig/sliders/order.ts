/** Where sliders go when they are moved, and how a slider of two is called. */

export type Way = 'up' | 'down'

/** The slider before which the selected ones are put, '': the end; null where they are as far as they can go. */
export function placeBefore(all: readonly string[], selected: readonly string[], way: Way): string | null {
  const moves = (name: string) => selected.includes(name)
  if (way === 'up') {
    const first = all.findIndex(moves)
    return first > 0 ? all[first - 1]! : null
  }
  const last = all.findLastIndex(moves)
  if (last < 0 || last + 1 >= all.length) return null
  return all.slice(last + 2).find((name) => !moves(name)) ?? ''
}

const WORD = /[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g

/** What two names begin with, in whole words, or both names where they begin otherwise or it is taken. */
export function joinedName(negative: string, positive: string, taken: readonly string[]): string {
  const [one, other] = [negative.match(WORD) ?? [], positive.match(WORD) ?? []]
  let same = 0
  while (same < Math.min(one.length, other.length) && one[same] === other[same]) same += 1
  const common = one.slice(0, same).join('')
  const free = common && negative.startsWith(common) && !taken.includes(common)
  return free ? common : `${negative}_${positive}`
}
