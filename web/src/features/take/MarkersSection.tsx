/** All markers of the take, to choose, to leave out, and to see how far off each of them is. */
import { useSignal } from '@preact/signals'
import { markers } from './seenMarkers'
import type { MarkerInfo, TakeInfo } from '../../core/protocol.gen'
import { rampColor, rampTop } from '../../widgets/ramp'
import { chosenMarker, hoveredMarker, liveFit, partOf, type Part } from './state'
import { chooseMarker, ignore } from './actions'
import { Section } from '../../widgets/controls'
import { Icon } from '../../widgets/icons'

const SEARCHED = 12 // markers from which on they can be searched

const ABOUT: Record<Part, string> = {
  paired: 'Bound by hand. Click it, then its place on the face, to set it elsewhere',
  bound: 'Bound. Click it, then its place on the face, to correct it',
  loose: 'Not bound yet. Click it, then its place on the face',
  ignored: 'Left out of solves',
  unusable: 'Not named, or hardly ever seen: it cannot be bound',
}

export function MarkersSection({ take }: { take: TakeInfo }) {
  const search = useSignal('')
  const shown = take.markers.filter((marker) => marker.name.toLowerCase().includes(search.value.toLowerCase()))
  return (
    <Section title={`Markers ${take.markers.length}`}>
      {take.markers.length > SEARCHED && (
        <input
          class="find"
          type="search"
          placeholder="Find a marker"
          aria-label="Find a marker"
          data-tip="Part of a marker's name"
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value
          }}
        />
      )}
      <ul class="list marker-list">
        {shown.map((marker) => (
          <Row key={marker.name} marker={marker} index={take.markers.indexOf(marker)} bound={take.bound} />
        ))}
      </ul>
      {!shown.length && <p class="empty">No marker has “{search.value}” in its name.</p>}
    </Section>
  )
}

function Row({ marker, index, bound }: { marker: MarkerInfo; index: number; bound: boolean }) {
  const { name, ignored, seen } = marker
  const part = partOf(marker, bound)
  const chosen = chosenMarker.value === name
  return (
    <li
      class={`${chosen ? 'chosen' : ''} ${part}`}
      onPointerEnter={() => {
        hoveredMarker.value = name
      }}
      onPointerLeave={() => {
        hoveredMarker.value = ''
      }}
    >
      <button
        type="button"
        class="item"
        aria-pressed={chosen}
        disabled={part === 'unusable'}
        data-tip={`${ABOUT[part]}. Seen in ${(100 * seen).toFixed(seen > 0.995 && seen < 1 ? 1 : 0)} % of the frames`}
        onClick={() => chooseMarker(name)}
      >
        <Dot index={index} part={part} />
        <span class="name">{name}</span>
        <Away index={index} />
      </button>
      <button
        type="button"
        class="quiet"
        aria-pressed={ignored}
        aria-label={`${name} is left out`}
        data-tip={ignored ? 'Let solves go by this marker again' : 'Leave this marker out of solves'}
        onClick={() => ignore(name, !ignored)}
      >
        <Icon name={ignored ? 'eyeOff' : 'eye'} />
      </button>
    </li>
  )
}

/** How far the marker is off in the shown frame, in millimetres; NaN where it is not compared. */
const residualOf = (index: number) => markers.value[index]?.residual ?? NaN

/** The colour that the marker has over the face. */
function Dot({ index, part }: { index: number; part: Part }) {
  const residual = residualOf(index)
  const color = Number.isNaN(residual) ? '' : rampColor(residual / rampTop(liveFit.value?.most ?? 0))
  return <i class={`mark marker ${part}`} style={{ background: color, borderColor: color }} />
}

function Away({ index }: { index: number }) {
  const residual = residualOf(index)
  return Number.isNaN(residual) ? null : <span class="faint">{residual.toFixed(1)}</span>
}
