/** A choice of the sliders that solves may use: a usual set, one made by hand, or the selected sliders. */
import { rig, sliderSets } from '../core/document'
import { chosen } from '../core/selection'
import { Choice } from './controls'

const MADE = 'made' // the key of sliders that were selected
const NAMED = 'set ' // before the name of a set made by hand

interface Props {
  label?: string
  kept: string | string[] // a set's name, names, or '': the usual ones
  tip: string
  onChange: (sliders: string | string[]) => void
}

export function SliderSets({ label = 'Sliders', kept, tip, onChange }: Props) {
  const groups = [...new Set(rig.value?.sliders.map((each) => each.group))].filter((group) => group !== 'other')
  const made = typeof kept === 'string' ? chosen.value : kept
  const options: [string, string][] = [
    ['', 'Usual'],
    ['all', 'All'],
    ['arkit', 'ARKit'],
    ...groups.map((group): [string, string] => [group, group[0]!.toUpperCase() + group.slice(1)]),
    ...sliderSets.value.map(({ name }): [string, string] => [NAMED + name, name]),
  ]
  const named = typeof kept === 'string' ? undefined : sliderSets.value.find((each) => isSame(each.sliders, kept))
  if (made.length && !named)
    options.push([MADE, typeof kept === 'string' ? `Selected (${made.length})` : `Some (${made.length})`])
  return (
    <div class="field">
      <span>{label}</span>
      <Choice
        value={typeof kept === 'string' ? kept : named ? NAMED + named.name : MADE}
        options={options}
        tip={tip}
        onChange={(next) => onChange(chosenSet(next))}
      />
    </div>
  )
}

const isSame = (one: readonly string[], other: readonly string[]) => one.join('\n') === other.join('\n')

function chosenSet(key: string): string | string[] {
  if (key === MADE) return chosen.value
  return sliderSets.value.find(({ name }) => NAMED + name === key)?.sliders ?? key
}
