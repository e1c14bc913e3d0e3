/** Solving the take: options, progress, result. */
import type { TakeInfo } from '../../core/protocol.gen'
import { clips, solving, takeSliders } from '../../core/document'
import { regions, shownNodes } from '../../core/regions'
import { edit } from '../../core/server'
import { solve, stopSolving } from './actions'
import { Button, Check, Choice, NumberField, Section } from '../../widgets/controls'
import { SolveProgress } from '../../widgets/SolveProgress'
import { SliderSets } from '../../widgets/SliderSets'
import { Notes } from '../../widgets/Notes'
import { solveOptions } from './state'

const SMOOTHING = [
  ['', 'as solved'],
  ['12', 'lightly, 12 Hz'],
  ['8', '8 Hz'],
  ['6', '6 Hz'],
  ['4', 'strongly, 4 Hz'],
  ['euro', 'One Euro (no look ahead)'],
] as const

const GAZE = [
  ['told', 'as the markers tell'],
  ['solved', 'gaze and tongue'],
  ['rest', 'at rest'],
] as const

export function SolveSection({ take }: { take: TakeInfo }) {
  const options = solveOptions.value
  const set = (change: Partial<typeof options>) => {
    solveOptions.value = { ...options, ...change }
  }
  const smooth = SMOOTHING.some(([key]) => key === options.smooth) ? options.smooth : ''
  return (
    <Section title="Solve">
      <div class="field">
        <span>Smooth</span>
        <Choice
          value={smooth}
          options={SMOOTHING}
          tip="Take what is faster than this out of the curves; what is solved is steady already"
          onChange={(next) => set({ smooth: next })}
        />
      </div>
      <div class="field">
        <span>Keys</span>
        <NumberField
          value={options.keys}
          digits={3}
          step={0.001}
          low={0}
          high={1}
          tip="Keys are left out where a curve changes by less than this; 0 keeps one on every frame"
          onChange={(keys) => set({ keys })}
        />
        <span class="faint small">{options.keys > 0 ? 'tolerance' : 'one a frame'}</span>
      </div>
      <SliderSets
        kept={takeSliders.value}
        tip="Which sliders the take may move. Usual: gaze, tongue, visemes and whole expressions only where nothing else moves a marker"
        onChange={(sliders) => edit({ type: 'SetTakeSliders', sliders })}
      />
      <Check
        label="Still head"
        on={options.head === 'still'}
        tip="The head does not move in this take, as with a camera on a helmet: all that the markers do is the face. Off: the head's motion is solved with the face"
        onChange={(still) => set({ head: still ? 'still' : 'solved' })}
      />
      {regions.value.length > 1 && (
        <Check
          label="By region"
          on={options.by_region}
          tip={`Each of the ${shownNodes.value.length} regions of the level that the Regions tab shows gets weights of its own, near those of the whole face`}
          onChange={(by_region) => set({ by_region })}
        />
      )}
      <div class="field">
        <span>Gaze</span>
        <Choice
          value={options.gaze === null ? 'told' : options.gaze ? 'solved' : 'rest'}
          options={GAZE}
          tip="Whether sliders of the gaze are solved. As the markers tell: where those at the lids bear it out. Gaze and tongue: both, though markers on skin see them only by chance"
          onChange={(gaze) => set({ gaze: gaze === 'told' ? null : gaze === 'solved' })}
        />
      </div>
      <Check
        label="Residual shapes"
        on={options.residual}
        tip="Add shapes to the face for what its sliders cannot do, so that the markers are met. They come in a group of their own, and undo takes them away"
        onChange={(residual) => set({ residual })}
      />
      {solving.value ? (
        <SolveProgress job={solving.value} stopId="stop-solving" onStop={stopSolving} />
      ) : (
        <Button
          id="solve"
          icon="play"
          label={take.solved ? 'Solve again' : 'Solve'}
          tone="strong"
          disabled={!take.bound}
          tip={
            take.bound
              ? 'Find a clip whose face follows the markers. The face can be worked on meanwhile'
              : 'Bind the take first: by names, or by three clicked pairs'
          }
          keys="Shift+B"
          onClick={solve}
        />
      )}
      {take.solved && clips.value.some((clip) => clip.name === take.solved!.clip) && (
        <>
          <p class="fact faint">
            Solved as “{take.solved.clip}”,{' '}
            {take.solved.frames === take.frames ? 'all' : take.solved.frames.toLocaleString('en')} of{' '}
            {take.frames.toLocaleString('en')} frames
          </p>
          <Notes notes={take.solved.notes.filter((note) => !take.notes.includes(note))} />
        </>
      )}
    </Section>
  )
}
