/** The list of shapes, and what can be done with the chosen one. */
import { rig, shapes } from '../../core/document'
import { Section } from '../../widgets/controls'
import { ChosenShape } from './ChosenShape'
import { ShapeRow } from './ShapeRow'
import { filter, shape } from './state'

export function ShapesPart() {
  const wanted = filter.value.trim().toLowerCase()
  const listed = shapes.value.filter(({ name, group, sliders }) =>
    [name, group, ...sliders].some((text) => text.toLowerCase().includes(wanted)),
  )
  return (
    <>
      {shape.value && <ChosenShape shape={shape.value} />}
      <Section title={`Shapes ${listed.length}`}>
        <label class="shape-filter" data-tip="List the shapes whose name, group or slider has this text">
          <input
            type="search"
            placeholder="Filter"
            aria-label="Filter shapes"
            value={filter.value}
            onInput={(event) => {
              filter.value = event.currentTarget.value
            }}
          />
        </label>
        {!listed.length && <p class="empty">{wanted ? 'No shape has this text.' : 'This rig has no shapes yet.'}</p>}
        <ul class="list shapes" aria-label="Shapes">
          {listed.map((each) => (
            <ShapeRow key={each.name} shape={each} size={rig.value?.size ?? 1} />
          ))}
        </ul>
      </Section>
    </>
  )
}
