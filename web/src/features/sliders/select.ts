/** Selecting sliders: one by a click, more with Ctrl, all up to one with Shift, or a whole group. */
import { locked } from '../../core/document'
import { chosenName } from '../../core/regions'
import { chosen } from '../../core/selection'
import { byName, mirrorOf, type Slider } from '../../core/sliders'
import { edit } from '../../core/server'
import { say } from '../../core/toasts'
import { toggle } from '../../core/view'
import type { Member, Range } from '../../core/gestures/dragSlider'
import { linked } from './state'

let last = '' // where a range begins

/** Select a slider as a click on it says. */
export function selectSlider(name: string, { ctrlKey, metaKey, shiftKey }: Record<Modifier, boolean>): void {
  if (shiftKey && last) return selectRange(name)
  if (ctrlKey || metaKey) toggle(chosen, name)
  else chosen.value = chosen.value.length === 1 && chosen.value[0] === name ? [] : [name]
  last = name
}

type Modifier = 'ctrlKey' | 'metaKey' | 'shiftKey'

/** Select all sliders that are listed between the last one that was clicked and another, besides those selected. */
function selectRange(name: string): void {
  const listed = [...document.querySelectorAll<HTMLElement>('[data-slider]')].map((row) => row.dataset.slider!)
  const [from, to] = [listed.indexOf(last), listed.indexOf(name)].sort((a, b) => a - b)
  const between = from < 0 ? [name] : listed.slice(from, to + 1)
  chosen.value = [...new Set([...chosen.value, ...between])]
}

/** Select the sliders of a group, besides others if `add`; those of a group that is selected already, no longer. */
export function selectGroup(names: readonly string[], add: boolean): void {
  const others = chosen.value.filter((name) => !names.includes(name))
  const all = names.every((name) => chosen.value.includes(name)) && (add || !others.length)
  chosen.value = [...(add ? others : []), ...(all ? [] : names)]
  last = names[0] ?? ''
}

/** A slider and what moves with it: all selected sliders that are not locked, where it is one of them. */
export function movedWith(slider: Slider): Member[] {
  const others = chosen.value.includes(slider.info.name) ? chosen.value : []
  const along = others.flatMap((name) => byName.value.get(name) ?? [])
  return [slider, ...along.filter((each) => each !== slider && !locked.value.has(each.info.name))].map(member)
}

const member = (slider: Slider): Member => ({
  ...rangeOf(slider),
  value: slider.weight.value,
  partner: linked.value ? partnerOf(slider) : null,
})

function partnerOf(slider: Slider): Range | null {
  const other = mirrorOf(slider)
  return other && rangeOf(other)
}

const rangeOf = ({ info: { name, low, high } }: Slider): Range => ({ name, low, high })

/** The selected sliders back to 0; in a region, to what they are around it. */
export function resetSelected(): void {
  const sliders = chosen.value.filter((name) => byName.value.has(name) && !locked.value.has(name))
  if (sliders.length) void edit({ type: 'ResetWeights', sliders, region: chosenName.value })
  else say('Select sliders first: click one, Ctrl or Shift adds more.')
}
