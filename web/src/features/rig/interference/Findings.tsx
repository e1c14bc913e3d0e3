/** Shapes that are unusual: dead, equal to another, a sum of others, or not the same on both sides. */
import { shapes } from '../../../core/document'
import type { ShapeFinding } from '../../../core/protocol.gen'
import { Section } from '../../../widgets/controls'
import { chosenShape, part } from '../state'

const SHOWN = 24 // of each kind

export function Findings({ findings }: { findings: readonly ShapeFinding[] }) {
  const kinds = [...new Set(findings.map(({ kind }) => kind))]
  const there = new Set(shapes.value.map(({ name }) => name))
  return (
    <Section title={findings.length ? `Shapes to look at ${findings.length}` : 'Shapes to look at'}>
      {!findings.length && <p class="empty">No shape is dead, double, a sum of others or uneven.</p>}
      {kinds.map((kind) => (
        <div key={kind} class="findings">
          <h3>{kind}</h3>
          <ul class="list">
            {findings
              .filter((each) => each.kind === kind)
              .slice(0, SHOWN)
              .map(({ names, sentence }) => (
                <li key={names.join('\n')}>
                  <button
                    type="button"
                    class="item"
                    disabled={!there.has(names[0])}
                    data-tip={`Choose ${names[0]} in the list of shapes`}
                    onClick={() => {
                      chosenShape.value = names[0]
                      part.value = 'shapes'
                    }}
                  >
                    {sentence}
                  </button>
                </li>
              ))}
          </ul>
          {rest(findings, kind) > 0 && <p class="rule-state">and {rest(findings, kind)} more</p>}
        </div>
      ))}
    </Section>
  )
}

const rest = (findings: readonly ShapeFinding[], kind: string) =>
  findings.filter((each) => each.kind === kind).length - SHOWN
