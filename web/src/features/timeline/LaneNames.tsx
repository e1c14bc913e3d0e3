/** The names of the rows: groups that fold, and curves whose sliders are selected by a click. */
import { chosen } from '../../core/selection'
import { sliderOf } from '../../core/sliders'
import { toggle } from '../../core/view'
import { Icon } from '../../widgets/icons'
import { HUES } from './inks'
import { graphCurves, rows, type Row } from './rows'
import { foldedLanes, lane } from './state'

export function LaneNames({ height }: { height: number }) {
  const drawn = lane.value === 'curves' ? graphCurves.value.map((curve) => curve.slider) : []
  return (
    <ol class="lane-names" style={{ '--lane': `${height}px` }}>
      {rows.value.map((row) => (
        <li key={`${row.kind} ${row.name}`} class={`of-${row.kind}`}>
          {row.kind === 'all' ? <span>{row.name}</span> : row.kind === 'group' ? <GroupName row={row} /> : null}
          {row.kind === 'curve' && <CurveName row={row} hue={drawn.indexOf(row.name)} />}
        </li>
      ))}
    </ol>
  )
}

function GroupName({ row: { name, curves } }: { row: Row }) {
  const open = !foldedLanes.value.includes(name)
  return (
    <button
      type="button"
      aria-expanded={open}
      data-tip={open ? 'Fold the lanes of this group' : 'Unfold the lanes of this group'}
      onClick={() => toggle(foldedLanes, name)}
    >
      <Icon name="fold" />
      {name}
      <small>{curves.length}</small>
    </button>
  )
}

function CurveName({ row: { name }, hue }: { row: Row; hue: number }) {
  const slider = sliderOf(name)
  const picked = chosen.value.includes(slider)
  return (
    <button
      type="button"
      aria-pressed={picked}
      data-tip="Click selects this slider, with Ctrl adds it; the curves show the selected ones"
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey) toggle(chosen, slider)
        else chosen.value = picked && chosen.value.length === 1 ? [] : [slider]
      }}
    >
      {hue >= 0 && <i class="hue" style={{ background: HUES[hue % HUES.length] }} />}
      <span>{name}</span>
    </button>
  )
}
