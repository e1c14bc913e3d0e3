/** A choice of the sliders that solves may use; the selected sliders, or a set made of them before, is one. */
import { rig } from '../core/document'
import { chosen } from '../core/selection'
import { Choice } from './controls'

const MADE = 'made' // the key of a set made by hand

interface Props {
  kept: string | string[] // a set's name, names, or '': the usual ones
  tip: string
  onChange: (sliders: string | string[]) => void
}

export function SliderSets({ kept, tip, onChange }: Props) {
  const groups = [...new Set(rig.value?.sliders.map((each) => each.group))].filter((group) => group !== 'other')
  const made = typeof kept === 'string' ? chosen.value : kept
  const options: [string, string][] = [
    ['', 'Usual'],
    ['all', 'All'],
    ['arkit', 'ARKit'],
    ...groups.map((group): [string, string] => [group, group[0]!.toUpperCase() + group.slice(1)]),
  ]
  if (made.length)
    options.push([MADE, typeof kept === 'string' ? `Selected (${made.length})` : `Some (${made.length})`])
  return (
    <div class="field">
      <span>Sliders</span>
      <Choice
        value={typeof kept === 'string' ? kept : MADE}
        options={options}
        tip={tip}
        onChange={(next) => onChange(next === MADE ? chosen.value : next)}
      />
    </div>
  )
}
