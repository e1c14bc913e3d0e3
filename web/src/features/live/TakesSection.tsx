/** Takes of the live face: one after the other, each after a countdown, each a clip. */
import { clipName, clips } from '../../core/document'
import type { LiveInfo } from '../../core/protocol.gen'
import { act, edit } from '../../core/server'
import { Button, Section, Segments } from '../../widgets/controls'
import { NameField } from '../../widgets/NameField'
import { countdown, takeName } from './state'
import { recordingWords, takeWords } from './words'

const COUNTDOWNS = [
  ['0', 'At once', 'Record from the click on'],
  ['3', '3 s', 'Record after three seconds'],
  ['5', '5 s', 'Record after five seconds'],
  ['10', '10 s', 'Record after ten seconds'],
] as const

export function TakesSection({ info }: { info: LiveInfo }) {
  const recording = info.recorded !== null
  const record = () => act({ type: 'RecordLive', countdown: countdown.value, name: takeName.value })
  const kept = info.takes.filter((take) => clips.value.some((clip) => clip.name === take.clip))
  return (
    <Section title="Takes">
      <NameField
        label="Name"
        name={takeName.value}
        tip="What takes are called; the second and those after it get a number"
        onChange={(name) => {
          if (name.trim()) takeName.value = name.trim()
        }}
      />
      <Segments
        value={String(countdown.value)}
        options={COUNTDOWNS}
        label="When the recording begins"
        onChange={(next) => {
          countdown.value = Number(next)
        }}
      />
      <div class="live-record">
        <Button
          icon={recording ? 'stop' : 'record'}
          label={recording ? 'Finish take' : 'Record take'}
          tone="strong"
          tip={recording ? 'Keep the take as a clip; one undo removes it' : 'Record every frame at its own time'}
          onClick={() => (recording ? act({ type: 'FinishLive' }) : record())}
        />
        {recording && (
          <Button
            icon="trash"
            tip="End without keeping the take"
            onClick={() => act({ type: 'FinishLive', keep: false })}
          />
        )}
        <span class="live-count" role="status">
          {recordingWords(info)}
        </span>
      </div>
      <ul class="list live-takes" aria-label="Takes that were recorded">
        {kept.map((take) => (
          <li key={take.clip} class={take.clip === clipName.value ? 'chosen' : ''}>
            <button
              type="button"
              class="item"
              data-tip="Look at this take; the live face waits meanwhile"
              onClick={() => {
                void act({ type: 'AdjustLive', frozen: true })
                void edit({ type: 'ChooseClip', clip: take.clip })
              }}
            >
              {take.clip}
              <span class="faint">{takeWords(take)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
