/** What each shape took from which pose: a table of shapes by poses. A cell shows its pose on the stage. */
import { useSignal } from '@preact/signals'
import type { BuildInfo } from '../../core/protocol.gen'
import { Button, Section } from '../../widgets/controls'
import { choosePose, chosenPose, percent } from './state'

const FEW = 8 // shapes that are shown before all are asked for
const FULL = 0.5 // share of a shape at which a cell has its full colour

export function TakenSection({ build }: { build: BuildInfo }) {
  const all = useSignal(false)
  const picked = useSignal<{ shape: string; pose: string } | null>(null)
  const { built } = build
  if (!built || !built.taken_from.length) return null
  if (!built.taken.length)
    return (
      <Section title="What shapes took">
        <p class="about">No shape is far from the template’s.</p>
      </Section>
    )
  const shapes = all.value ? built.taken : built.taken.slice(0, FEW)
  const one = picked.value && shareOf(build, picked.value.shape, picked.value.pose)
  return (
    <Section title="What shapes took">
      <p class="about">
        {picked.value && one !== null ? (
          <>
            <b>{picked.value.shape}</b> is {percent(one)} of itself away from the template’s because of{' '}
            <b>{picked.value.pose}</b>.
          </>
        ) : (
          'How far each shape left the template’s because of what all poses have in common, and of each pose, as a share of the shape. Click to see the pose.'
        )}
      </p>
      <div class="taken-scroll">
        <table class="taken">
          <thead>
            <tr>
              <th scope="col">shape</th>
              <th scope="col" data-tip="What all poses have in common" aria-label="all poses together">
                <span>all together</span>
              </th>
              {built.taken_from.map((pose) => (
                <th
                  key={pose}
                  scope="col"
                  class={chosenPose.value?.name === pose ? 'chosen' : ''}
                  data-tip={pose}
                  aria-label={pose}
                >
                  <span>{pose}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shapes.map(({ name, shares, learned }) => (
              <tr key={name}>
                <th scope="row" data-tip={name}>
                  {name}
                </th>
                <td>
                  <div
                    class="learned"
                    style={{ background: shade(learned) }}
                    role="img"
                    aria-label={`${name} took ${percent(learned)} from all poses together`}
                    data-tip={`${name}: ${percent(learned)} because of what all poses have in common`}
                  />
                </td>
                {shares.map((share, i) => {
                  const pose = built.taken_from[i]
                  return (
                    <td key={pose}>
                      <button
                        type="button"
                        style={{ background: shade(share) }}
                        aria-label={`${name} took ${percent(share)} from ${pose}`}
                        data-tip={`${name}: ${percent(share)} because of ${pose}`}
                        onClick={() => {
                          picked.value = { shape: name, pose }
                          choosePose(pose)
                        }}
                      />
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {built.taken.length > FEW && (
        <Button
          label={all.value ? 'Fewer' : `All ${built.taken.length} shapes that changed`}
          tip="Shapes are listed by how far they left the template’s"
          onClick={() => {
            all.value = !all.value
          }}
        />
      )}
    </Section>
  )
}

/** The colour of a cell. */
function shade(share: number): string {
  return `rgb(83 200 180 / ${Math.min(Math.max(share, 0) / FULL, 1).toFixed(2)})`
}

/** What a shape took from a pose; null where the rig was solved anew without one of them. */
function shareOf({ built }: BuildInfo, shape: string, pose: string): number | null {
  const at = built?.taken_from.indexOf(pose) ?? -1
  return built?.taken.find(({ name }) => name === shape)?.shares[at] ?? null
}
