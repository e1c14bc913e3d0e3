/** The tie that is about to be made. */

/** A slider and the one that it will go no further than: as chosen, or else the selected sliders in their order. */
export function newTie(
  names: readonly string[],
  selected: readonly string[],
  [one, other]: readonly [string, string],
): [string, string] {
  const known = (name: string | undefined) => (name !== undefined && names.includes(name) ? name : '')
  const slider = known(one) || known(selected[0]) || (names[0] ?? '')
  const to = [known(other), known(selected[1]), ...names].find((name) => name && name !== slider) ?? ''
  return [slider, to]
}
