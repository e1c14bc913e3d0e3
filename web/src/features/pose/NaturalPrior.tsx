/** What a natural face goes by, and what can be done about it. */
import { useRef } from 'preact/hooks'
import { clips, prior } from '../../core/document'
import { openFile, suffixesOf } from '../../core/files'
import { recognised } from '../../core/routes'
import { act, edit } from '../../core/server'
import { complain, say } from '../../core/toasts'
import { Button } from '../../widgets/controls'
import { FileInput } from '../../widgets/FileInput'

export function NaturalPrior() {
  const input = useRef<HTMLInputElement>(null)
  const { text, own, learning } = prior.value
  return (
    <>
      <p class="goes-by" role="status">
        {learning ? 'Learning…' : `Natural, ${text}`}
      </p>
      <div class="prior">
        <Button
          label="Learn from this face’s clips"
          tone="strong"
          tip={
            clips.value.length
              ? 'Learn from the clips in the timeline which sliders go together on this face'
              : 'Learn which sliders go together on this face; it needs a clip: load a take, or set keys'
          }
          disabled={learning}
          onClick={() => act({ type: 'LearnPrior' })}
        />
        <Button
          label="Open a prior…"
          tone="strong"
          tip="Go by what was learned before: a .json file, as facewright prior learn writes it"
          onClick={() => input.current?.click()}
        />
        {own && (
          <Button
            label="Forget"
            tone="strong"
            tip="Go by the names of the sliders again"
            onClick={() => edit({ type: 'ForgetPrior' })}
          />
        )}
      </div>
      <FileInput
        input={input}
        label="A prior to open"
        accept={suffixesOf('prior')}
        onFile={(file) => openPrior(file).catch(complain)}
      />
    </>
  )
}

/** Open a file if it holds a prior: any other would replace the face. */
async function openPrior(file: File): Promise<void> {
  const { kind, problem } = await recognised(file)
  if (kind === 'prior') await openFile(file, 'keep')
  else say(problem || `${file.name} holds no prior; “facewright prior learn” writes such files.`, 'problem')
}
