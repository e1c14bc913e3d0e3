/** Points that belong together, by which the template is registered to a face of another topology. */
import { setPairs } from './actions'
import type { BuildInfo } from '../../core/protocol.gen'
import { half, pairing, pairingWanted } from './state'
import { act, edit } from '../../core/server'
import { Button, Choice, Section } from '../../widgets/controls'
import { Icon } from '../../widgets/icons'

const LEAST = 3
const MESHES = [
  ['auto', 'its own mesh; a scan, the template’s'],
  ['own', 'its own mesh'],
  ['template', 'the template’s mesh'],
] as const

export function PairsSection({ build }: { build: BuildInfo }) {
  const { pairs, proposed, registration, doing } = build
  const aside = (
    <span class="actions">
      {registration && (
        <Button
          icon="link"
          tip={pairingWanted.value ? 'Back to the poses' : 'See and change the pairs'}
          pressed={pairing.value}
          onClick={() => {
            pairingWanted.value = !pairingWanted.value
          }}
        />
      )}
      <Button
        icon="search"
        tip="Find pairs anew, from openings of eyes and mouth or shapes of the same name"
        disabled={!!doing}
        onClick={() => act({ type: 'ProposePairs' })}
      />
      <Button icon="trash" tip="Take all pairs away" disabled={!pairs.length} onClick={() => setPairs([])} />
    </span>
  )
  return (
    <Section title={`Pairs of points ${pairs.length || ''}`} aside={aside}>
      {pairing.value && <p class={half.value ? 'asking' : 'about'}>{asked(pairs.length)}</p>}
      {proposed && pairs.length > 0 && pairing.value && (
        <p class="about">Found by the program. Remove what is wrong, click to add more.</p>
      )}
      {pairing.value && pairs.length > 0 && (
        <ol class="pairs">
          {pairs.map((pair, i) => (
            <li key={`${pair.source} ${pair.target}`}>
              <i>{i + 1}</i>
              <span>{pair.name || `vertices ${pair.source} and ${pair.target}`}</span>
              <button
                type="button"
                class="quiet"
                aria-label={`Remove pair ${i + 1}`}
                data-tip="Take this pair away"
                onClick={() => setPairs(pairs.filter((other) => other !== pair))}
              >
                <Icon name="close" />
              </button>
            </li>
          ))}
        </ol>
      )}
      <div class="field">
        <span>Rig has</span>
        <Choice
          value={build.mesh}
          options={MESHES}
          tip="Whose vertices and polygons the rig has. A scan is better rigged on the template’s mesh, a face made to be animated on its own"
          disabled={doing === 'registering'}
          onChange={(mesh) => edit({ type: 'ChooseMesh', mesh: mesh as 'auto' | 'own' | 'template' })}
        />
      </div>
      {registration && (
        <p class={registration.good ? 'verdict' : 'obstacle'} role="status">
          {said(registration.verdict)}
          {registration.good &&
            (registration.own ? ' The rig has the face’s own mesh.' : ' The rig has the template’s mesh.')}
          {registration.current ? '' : ' The pairs have changed since.'}
        </p>
      )}
      {(pairing.value || (registration && !registration.good)) && (
        <Button
          label={registration ? 'Register it again' : 'Register the template'}
          tone="strong"
          disabled={pairs.length < LEAST || doing === 'registering'}
          tip={
            pairs.length < LEAST
              ? `At least ${LEAST} pairs are needed, eight or more are better`
              : 'Bend the template’s mesh onto the face, coarse to fine'
          }
          onClick={() => act({ type: 'RegisterTemplate' })}
        />
      )}
    </Section>
  )
}

function asked(count: number): string {
  if (half.value) return `Now click the same point on the ${half.value.side === 'source' ? 'face' : 'template'}.`
  return count < LEAST
    ? 'Click a point on the template, then the same point on the face: corners of eyes and mouth, tip of the nose, chin.'
    : 'Click a point on either side, then on the other, to add a pair.'
}

/** A verdict as a sentence. */
const said = (verdict: string) => `${verdict[0].toUpperCase()}${verdict.slice(1)}.`
