/** Solving the build: trust in the examples, progress, result. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { openBuilt, saveReport } from './actions'
import { dragTrust } from './dragTrust'
import type { BuildInfo } from '../../core/protocol.gen'
import { percent, progress, trustWords } from './state'
import { act, intend } from '../../core/server'
import { Button, Check, Range } from '../../widgets/controls'

export function SolveSection({ build }: { build: BuildInfo }) {
  const { built, doing } = build
  const solving = doing === 'solving' || doing === 'registering'
  const ready = !build.obstacle && build.rest !== null
  return (
    <section class="section build-foot" aria-label="Solving">
      <Trust trust={build.trust} />
      <div class="solve-line">
        {solving ? (
          <Button
            id="stop-build"
            label="Stop"
            tone="strong"
            tip="Stop, and keep the last whole iteration"
            onClick={() => act({ type: 'StopBuild' })}
          />
        ) : (
          <Button
            id="solve-build"
            label="Solve"
            tone="strong"
            tip={ready ? 'Build the rig from all poses that take part' : 'There is nothing to solve yet'}
            disabled={!ready}
            onClick={() => act({ type: 'SolveBuild' })}
          />
        )}
        {doing ? <Progress doing={doing} /> : <Result build={build} />}
      </div>
      <Check
        label="Solve as I work"
        on={build.along}
        tip="Solve again after each change"
        onChange={(on) => act({ type: 'SolveAlong', on })}
      />
      {build.waits && <p class="about waits">{build.waits}</p>}
      <div class="result-actions">
        <Button
          id="open-built"
          icon="face"
          label="Open for posing"
          tone="strong"
          disabled={!built}
          tip="The rig becomes the open face; unsaved work is set aside under recovered files"
          onClick={() => void openBuilt('new')}
        />
        <Button
          id="build-report"
          icon="export"
          label="Report"
          disabled={!built}
          tip="A page with every pose, its error and its weights, as one HTML file"
          onClick={() => void saveReport()}
        />
        <Button
          icon="loop"
          disabled={!built}
          tip="Change the open face to this rig: pose and clips stay where slider names match. Can be undone"
          onClick={() => void openBuilt('keep')}
        />
      </div>
    </section>
  )
}

function Trust({ trust }: { trust: number }) {
  const draft = useSignal<number | null>(null) // where the slider is while it moves
  const drag = useRef(
    dragTrust(intend, () => {
      draft.value = null
    }),
  ).current
  const value = draft.value ?? trust
  return (
    <>
      <div class="field ends trust">
        <span>template</span>
        <Range
          label="Trust in the examples"
          value={value}
          low={0}
          high={1}
          step={0.05}
          tip="To the left shapes stay near the template’s, to the right they meet the examples"
          onChange={(next) => {
            draft.value = next
            drag.move(next)
          }}
          held={drag}
        />
        <span>examples</span>
      </div>
      <p class="about trust-words">{trustWords(value)}.</p>
    </>
  )
}

const WORDS: Record<string, string> = {
  checking: 'Looking at the faces',
  pairing: 'Looking for pairs',
  registering: 'Registering the template',
  solving: 'Solving',
}

function Progress({ doing }: { doing: string }) {
  const now = progress.value
  if (!doing) return null
  const left =
    doing === 'solving' ? `${percent(now?.error ?? 0)} left` : `${percent(now?.error ?? 0)} of the size apart`
  const ends = doing === 'solving' && now !== null && now.step === now.steps
  return (
    <span class="build-progress" role="status">
      {now ? (
        <>
          <span>
            {ends ? `Turning back what is folded, ${left}` : `${WORDS[doing]}: ${now.step} of ${now.steps}, ${left}`}
          </span>
          <progress max={now.steps} value={now.step} />
        </>
      ) : (
        <>
          <span>{WORDS[doing] ?? doing}…</span>
          <progress />
        </>
      )}
    </span>
  )
}

/** Why there is no rig yet. */
function waiting({ obstacle, other_topology, poses }: BuildInfo): string {
  if (obstacle) return other_topology ? 'Register the template first.' : 'The neutral cannot be used.'
  return poses.length ? 'Not solved yet.' : 'Without poses: the template’s own motion.'
}

function Result({ build }: { build: BuildInfo }) {
  const { built, poses } = build
  if (!built) return <p class="about">{waiting(build)}</p>
  const taking = poses.filter((pose) => pose.fit && (pose.fit.reached || pose.fit.added)).length
  const words = [built.finished ? '' : 'stopped early', built.current ? '' : 'changed since'].filter(Boolean).join(', ')
  return (
    <p
      class="result"
      role="status"
      data-tip={`${built.shapes} shapes; ${built.iterations} iterations in ${built.seconds.toFixed(1)} s`}
    >
      {taking > 0 ? (
        <>
          <b>{percent(built.error)}</b> left of {taking} {taking === 1 ? 'pose' : 'poses'}
        </>
      ) : (
        <>{built.shapes} shapes, as the template has them</>
      )}
      {words && <span class="faint"> · {words}</span>}
    </p>
  )
}
