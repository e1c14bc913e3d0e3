/** The chosen region: where it belongs, what it is made of, what can be done with it. */
import { beginPainting, isFinest, mergeWith, resetRegion, splitRegion } from './actions'
import { posedRegions } from '../../core/local'
import { choose, hovered, neighboursOf, partsOf, pathOf, regions } from '../../core/regions'
import { tool } from '../../core/view'
import { BrushSize } from '../../widgets/brush'
import { Button, Choice, Section } from '../../widgets/controls'

export function ChosenRegion({ node }: { node: number }) {
  const { name } = regions.value[node]
  const around = pathOf(node).slice(1)
  const parts = partsOf(node)
  const aside = (
    <span class="actions">
      <Button
        icon="reset"
        tip="Pose this region, and all inside it, like what is around it"
        disabled={![node, ...below(node)].some((each) => posedRegions.value.includes(each))}
        onClick={resetRegion}
      />
      <Button icon="close" tip="Back to the whole face" keys="Esc" onClick={() => choose(null)} />
    </span>
  )
  return (
    <Section title={name} aside={aside} named>
      {around.length > 0 && <Names label="part of" nodes={around} tip="Choose this larger region" />}
      {parts.length > 0 && <Names label="made of" nodes={parts} tip="Choose this finer region" />}
      <div class="row">
        <Button
          icon="split"
          label="Split"
          disabled={!isFinest()}
          tip={
            isFinest()
              ? 'Cut it in two across its longest side; at the next level it is still whole'
              : 'Made of finer regions already'
          }
          onClick={() => void splitRegion()}
        />
        <Button
          icon="brush"
          label="Paint"
          disabled={!isFinest()}
          pressed={tool.value === 'paint'}
          tip={
            isFinest()
              ? 'Paint on the face what belongs to it; Shift gives it to its neighbours'
              : 'Only the finest regions are painted'
          }
          keys="P"
          onClick={beginPainting}
        />
      </div>
      <MergeField node={node} />
      {tool.value === 'paint' && <BrushSize />}
    </Section>
  )
}

const below = (node: number): number[] => partsOf(node).flatMap((part) => [part, ...below(part)])

function Names({ label, nodes, tip }: { label: string; nodes: number[]; tip: string }) {
  return (
    <p class="related">
      <span>{label}</span>
      {nodes.map((node) => (
        <button
          key={node}
          type="button"
          data-tip={tip}
          onPointerEnter={() => {
            hovered.value = node
          }}
          onPointerLeave={() => {
            hovered.value = null
          }}
          onClick={() => choose(node)}
        >
          {regions.value[node].name}
        </button>
      ))}
    </p>
  )
}

function MergeField({ node }: { node: number }) {
  const beside = neighboursOf(node)
  const options = [
    ['', 'with a neighbour …'] as const,
    ...beside.map((each) => [regions.value[each].name, regions.value[each].name] as const),
  ]
  return (
    <div class="field">
      <span>Merge</span>
      <Choice
        value=""
        options={options}
        disabled={!beside.length}
        tip="Make it one with a region beside it; both together have its name and its pose, finer ones inside go"
        onChange={(other) => {
          if (other) mergeWith(other)
        }}
      />
    </div>
  )
}
