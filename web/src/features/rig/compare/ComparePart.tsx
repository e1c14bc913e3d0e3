/** A second rig of the same topology beside the document's: a list of shapes with their distance. */
import { rig } from '../../../core/document'
import type { ComparedShape, ComparisonInfo } from '../../../core/protocol.gen'
import { act } from '../../../core/server'
import { Button, Check, Section, Segments } from '../../../widgets/controls'
import { ChooseSecond } from './ChooseSecond'
import './compare.css'
import { chosenShapes, comparison, isChosen, listed, listing, sameCount } from './state'

const ORDERS = [
  ['distance', 'Furthest first', 'The shapes that differ most come first'],
  ['order', 'In order', 'Shapes in the order of the rig'],
] as const

export function ComparePart() {
  const info = comparison.value
  if (!info) return <ChooseSecond />
  const aside = (
    <span class="actions">
      <Button
        icon="close"
        tip="Compare no more; the second rig is dropped"
        onClick={() => void act({ type: 'CloseComparison' })}
      />
    </span>
  )
  return (
    <>
      <Section title={info.name} aside={aside} named>
        {info.obstacle && <p class="rule-state stale">{info.obstacle}</p>}
        {info.notes.map((note) => (
          <p key={note} class="rule-state">
            {note}
          </p>
        ))}
        {!info.obstacle && <p class="rule-state">{summary(info)}</p>}
      </Section>
      {!info.obstacle && <ShapeList info={info} />}
    </>
  )
}

function ShapeList({ info }: { info: ComparisonInfo }) {
  const { by, differing } = listing.value
  const rows = listed(info.shapes, listing.value)
  const set = (change: Partial<typeof listing.value>) => {
    listing.value = { ...listing.value, ...change }
  }
  return (
    <Section title={`Shapes ${rows.length}`}>
      <Segments value={by} options={ORDERS} label="Order of the list" onChange={(next) => set({ by: next })} />
      <Check
        label="Only those that differ"
        on={differing}
        tip="Leave out shapes that are the same in both rigs"
        onChange={(next) => set({ differing: next })}
      />
      <ul class="list compared" aria-label="Compared shapes">
        <li class={chosenShapes.value ? '' : 'chosen'} data-compared="">
          <button
            type="button"
            class="item"
            aria-pressed={!chosenShapes.value}
            data-tip="Show both in the present pose: move the sliders"
            onClick={() => {
              chosenShapes.value = null
            }}
          >
            <span class="names">
              <b>The present pose</b>
            </span>
          </button>
        </li>
        {rows.map((shape) => (
          <ShapeRow key={`${shape.name}\n${shape.other}`} shape={shape} />
        ))}
      </ul>
    </Section>
  )
}

function ShapeRow({ shape }: { shape: ComparedShape }) {
  const { name, other, distance, furthest, driven_alike } = shape
  const chosen = isChosen(shape)
  const only = !name ? 'only in the second rig' : !other ? 'not in the second rig' : ''
  const more = only || (name === other ? '' : `there ${other}`) || (driven_alike ? '' : 'driven otherwise')
  const far = `${Number(((100 * furthest) / (rig.value?.size || 1)).toPrecision(2))} % of the face`
  return (
    <li class={chosen ? 'chosen' : ''} data-compared={name || other}>
      <button
        type="button"
        class="item"
        aria-pressed={chosen}
        data-tip={
          only
            ? `${name || other} is ${only}`
            : `${name} differs by ${percent(distance)} of its own motion, at most by ${far}`
        }
        onClick={() => {
          chosenShapes.value = chosen ? null : { name, other }
        }}
      >
        <span class="names">
          <b>{name || other}</b>
          {more && <small>{more}</small>}
          <i class="amount" style={{ width: `${100 * Math.min(distance, 1)}%` }} />
        </span>
        <small>{only ? '' : percent(distance)}</small>
      </button>
    </li>
  )
}

const percent = (share: number) => (share === 0 ? '0 %' : share < 0.001 ? '<0.1 %' : `${(100 * share).toFixed(1)} %`)

function summary({ shapes }: ComparisonInfo): string {
  const both = shapes.filter(({ name, other }) => name && other)
  const words = [`${sameCount(both)} of ${both.length} shapes are the same`]
  const [here, there] = [shapes.filter(({ other }) => !other).length, shapes.filter(({ name }) => !name).length]
  if (here) words.push(`${here} only here`)
  if (there) words.push(`${there} only there`)
  return `${words.join(', ')}.`
}
