/** The examples, each as a card. */
import { give } from './actions'
import { pictureAddress } from './routes'
import type { BuildInfo, BuildPose } from '../../core/protocol.gen'
import { choosePose, choosing, chosenPose, percent } from './state'
import { length } from '../../core/length'
import { prior } from '../../core/document'
import { edit } from '../../core/server'
import { Button, Choice, Section } from '../../widgets/controls'
import { Icon } from '../../widgets/icons'
import { WeightTable } from './WeightTable'

export function PosesSection({ build }: { build: BuildInfo }) {
  const aside = (
    <span class="actions">
      <Button
        icon="plus"
        tip="Add poses: several files at once; dropping them on the stage does the same"
        onClick={() => {
          choosing.value = 'pose'
        }}
      />
    </span>
  )
  return (
    <Section title={`Poses ${build.poses.length || ''}`} aside={aside}>
      {!build.poses.length && (
        <>
          <p class="empty">
            Scans or sculpts of the same face, with the same vertices. Named like a slider (jawOpen.obj) a pose is
            guessed by its name, else by what it does.
          </p>
          <Button
            icon="plus"
            label="Add poses…"
            tone="strong"
            tip="Several files at once; dropping them on the stage does the same"
            onClick={() => {
              choosing.value = 'pose'
            }}
          />
        </>
      )}
      <ul class="poses">
        {build.poses.map((pose) => (
          <PoseCard key={pose.name} pose={pose} build={build} />
        ))}
      </ul>
      {build.poses.length > 0 && <MorePoses />}
      {build.poses.length > 0 && <Guessing build={build} />}
    </Section>
  )
}

/** What guesses of weights go by. */
function Guessing({ build }: { build: BuildInfo }) {
  const learned = build.prior || (prior.value.own ? prior.value.text : 'learned (nothing yet)')
  return (
    <div class="field">
      <span>Guess</span>
      <Choice
        value={build.prior ? 'learned' : 'names'}
        options={[
          ['names', 'by names'],
          ['learned', `by what was ${learned}`],
        ]}
        tip="What poses without weights are guessed by: that left and right go together, or what was learned for the open face (in the tab Pose: learned from its clips, or opened)"
        onChange={(source) => edit({ type: 'GuessPosesBy', source: source as 'names' | 'learned' })}
      />
      <Button
        icon="reset"
        tip="Guess the weights of all poses anew, by what their faces do"
        onClick={() => edit({ type: 'GuessAnew' })}
      />
    </div>
  )
}

function MorePoses() {
  return (
    <label class="add-poses" data-tip="Choose files, or drop them anywhere">
      <input
        type="file"
        multiple
        class="hidden"
        aria-label="More poses"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])]
          event.currentTarget.value = ''
          void give(
            'pose',
            files.map((file) => ({ file })),
          )
        }}
      />
      <Icon name="plus" />
      More poses: choose or drop files
    </label>
  )
}

function PoseCard({ pose, build }: { pose: BuildPose; build: BuildInfo }) {
  const chosen = chosenPose.value?.name === pose.name
  return (
    <li class={`pose${chosen ? ' chosen' : ''}${pose.obstacle ? ' stuck' : ''}`} data-pose={pose.name}>
      <div class="pose-head">
        <button
          type="button"
          class="pose-pick"
          aria-pressed={chosen}
          data-tip="See it beside the rig’s version of it"
          onClick={() => choosePose(pose.name)}
        >
          {pose.view ? (
            <img src={pictureAddress(pose.view)} width={44} height={50} alt="" />
          ) : (
            <span class="no-picture">
              <Icon name="face" />
            </span>
          )}
          <span class="pose-name">
            <b>{pose.name}</b>
            <Fit pose={pose} stale={!build.built?.current} />
          </span>
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={`Remove ${pose.name}`}
          data-tip="Take this pose away"
          onClick={() => edit({ type: 'RemovePoses', poses: [pose.name] })}
        >
          <Icon name="close" />
        </button>
      </div>
      {pose.obstacle && <Obstacle pose={pose} />}
      {pose.fit && (chosen || pose.fit.verdict !== 'expressible') && <Reach pose={pose} />}
      {chosen && !pose.obstacle && <WeightTable pose={pose} sliders={build.sliders} />}
    </li>
  )
}

function Fit({ pose, stale }: { pose: BuildPose; stale: boolean }) {
  const fit = pose.fit
  if (pose.obstacle) return <small class="problem">takes no part</small>
  if (!fit) return <small>not solved yet</small>
  return (
    <small
      class={`fit${fit.reached || fit.added ? '' : ' far'}${stale ? ' stale' : ''}`}
      data-tip={`${percent(fit.relative)} of the pose's motion is left; ${length(fit.typical)} scene units off in the root mean square, ${length(fit.worst)} at the worst vertex`}
    >
      <b>{percent(fit.relative)}</b> left · {length(fit.typical, 2)}, worst {length(fit.worst, 2)}
    </small>
  )
}

function Obstacle({ pose }: { pose: BuildPose }) {
  return (
    <div class="obstacle">
      <p role="alert">{pose.obstacle}</p>
      {pose.can_be_aligned && (
        <Button
          label="Align it to the neutral"
          tip="Turn, move and scale it so that what never moves lies where it does in the neutral"
          onClick={() => edit({ type: 'AlignPose', pose: pose.name, aligned: true })}
        />
      )}
    </div>
  )
}

function Reach({ pose }: { pose: BuildPose }) {
  const { verdict, reach, more, missing, gain, added } = pose.fit!
  const named = Object.entries(more).map(([slider, value]) => `${slider} ${value.toFixed(2)}`)
  return (
    <div class={`reach${verdict === 'expressible' ? ' fine' : ''}`}>
      <p>
        {added
          ? `The rig has a shape of its own for it: ${missing}.`
          : `${reach[0]!.toUpperCase()}${reach.slice(1)}${reach.endsWith('?') ? '' : '.'}`}
      </p>
      {missing &&
        (added ? (
          <Button
            label="Do without it"
            tip="Take the added shape out of the rig again"
            onClick={() => edit({ type: 'AddMissing', pose: pose.name, added: false })}
          />
        ) : (
          <Button
            icon="plus"
            label={missing}
            tip={`Add a shape that makes ${percent(gain)} of what this pose lacks`}
            onClick={() => edit({ type: 'AddMissing', pose: pose.name, added: true })}
          />
        ))}
      {named.length > 0 && (
        <Button
          icon="plus"
          label={`Write down ${named.join(', ')}`}
          tip="These sliders are on in the pose, though its weights do not name them, and take part already; write them down"
          onClick={() => edit({ type: 'GuessPose', pose: pose.name, weights: more })}
        />
      )}
      {verdict === 'not expressible' && !added && (
        <Button
          icon="close"
          label="Leave this pose out"
          tip="Take the pose away, so that nothing of it is in the rig. Can be undone"
          onClick={() => edit({ type: 'RemovePoses', poses: [pose.name] })}
        />
      )}
    </div>
  )
}
