/** The timeline's controls. */
import { useRef } from 'preact/hooks'
import { clip, clipName, clips, layerName, layers, rate, time } from '../../core/document'
import { openFile, takeSuffixes } from '../../core/files'
import { chosen, liveKeys } from '../../core/selection'
import { edit } from '../../core/server'
import { firstMoment, LAST_MOMENT, playing, scrubTo } from '../../core/time'
import { follow } from '../../core/timeAxis'
import { Button, Choice, NumberField } from '../../widgets/controls'
import { FileInput } from '../../widgets/FileInput'
import { deleteKeys, duplicateKeys, goToKey, keyAll, keyChanges } from './actions'
import { playOrStop } from './player'
import { lane, looping, onion } from './state'
import { askName } from '../../widgets/NameDialog'

export function TimelineBar() {
  const input = useRef<HTMLInputElement>(null)
  const none = !clip.value
  return (
    <div class="toolbar timebar" role="toolbar" aria-label="Timeline">
      <Button icon="previous" tip="To the key before" keys="Shift+<" disabled={none} onClick={() => goToKey(-1)} />
      <Button
        id="play"
        icon={playing.value ? 'pause' : 'play'}
        tone="strong"
        tip={playing.value ? 'Stop' : 'Play the clip'}
        keys="Space"
        pressed={playing.value}
        onClick={playOrStop}
      />
      <Button icon="next" tip="To the next key" keys="Shift+>" disabled={none} onClick={() => goToKey(1)} />
      <Button
        icon="loop"
        pressed={looping.value}
        tip="Begin again at the end"
        onClick={() => {
          looping.value = !looping.value
        }}
      />
      <NumberField
        value={Math.round(time.value * rate.value)}
        digits={0}
        low={firstMoment.value * rate.value}
        high={LAST_MOMENT * rate.value}
        suffix="f"
        tip="The frame"
        keys=", and ."
        onChange={(frame) => {
          scrubTo(frame / rate.value)
          follow(frame / rate.value)
        }}
      />
      <span class="clock">{time.value.toFixed(2)} s</span>
      <NumberField
        value={rate.value}
        digits={rate.value % 1 ? 2 : 0}
        low={1}
        high={1000}
        suffix="fps"
        tip="Frames a second; keys stay at their times"
        disabled={none}
        onChange={(next) => edit({ type: 'SetRate', clip: clipName.value, rate: next })}
      />
      <i class="rule" />
      <Button
        id="key"
        icon="key"
        label="Key"
        tip={chosen.value.length ? 'Key the selected sliders at this frame' : 'Key what changed at this frame'}
        keys="K"
        onClick={keyChanges}
      />
      <Button label="Key all" tip="Key all sliders at this frame" keys="Shift+K" onClick={keyAll} />
      <Button
        icon="copy"
        tip="Copies of the selected keys at this frame"
        keys="Ctrl+D"
        disabled={!liveKeys.value.length}
        onClick={duplicateKeys}
      />
      <Button
        icon="trash"
        tip="Delete the selected keys"
        keys="Del"
        disabled={!liveKeys.value.length}
        onClick={deleteKeys}
      />
      <i class="rule" />
      <Button
        icon="curve"
        label="Curves"
        pressed={lane.value === 'curves'}
        tip="Show curves of the selected sliders, or of those that move most"
        keys="C"
        onClick={() => {
          lane.value = lane.value === 'keys' ? 'curves' : 'keys'
        }}
      />
      <Button
        icon="onion"
        pressed={onion.value}
        tip="Show the poses of the keys before and after"
        keys="O"
        onClick={() => {
          onion.value = !onion.value
        }}
      />
      <span class="spring" />
      <ClipControls />
      <Button
        icon="take"
        label="Load a take…"
        tip="Markers (.c3d, .trc, .csv), a weights CSV such as Live Link's, or the clips of a GLB, FBX, USD or .fwface file"
        onClick={() => input.current?.click()}
      />
      <FileInput
        input={input}
        id="take"
        label="A take to load"
        accept={takeSuffixes()}
        onFile={(file) => void openFile(file, 'clips')}
      />
    </div>
  )
}

function ClipControls() {
  const names = clips.value.map((each) => [each.name, each.name] as const)
  const rename = async () => {
    const clip = clipName.value
    const name = await askName('Rename the clip', clip)
    if (name) void edit({ type: 'RenameClip', clip, name })
  }
  return (
    <>
      <Choice
        value={clipName.value}
        options={[['', 'No clip'] as const, ...names]}
        tip="The clip that is worked on"
        onChange={(name) => edit({ type: 'ChooseClip', clip: name })}
      />
      {layers.value.length > 0 && (
        <Choice
          value={layerName.value}
          options={[['', 'Clip itself'] as const, ...layers.value.map(({ name }) => [name, name] as const)]}
          tip="The layer that is posed and keyed"
          keys="Alt+Up, Alt+Down"
          onChange={(layer) => edit({ type: 'ChooseLayer', layer })}
        />
      )}
      <Button
        icon="plus"
        tip="A new, empty clip"
        onClick={() => edit({ type: 'CreateClip', name: free('clip'), rate: rate.value })}
      />
      <Button icon="rename" tip="Give this clip another name" disabled={!clip.value} onClick={rename} />
      <Button
        icon="copy"
        tip="A copy of this clip"
        disabled={!clip.value}
        onClick={() =>
          edit({ type: 'CreateClip', name: free(clipName.value), rate: rate.value, copy_of: clipName.value })
        }
      />
      <Button
        icon="trash"
        tip="Delete this clip"
        disabled={!clip.value}
        onClick={() => edit({ type: 'DeleteClip', clip: clipName.value })}
      />
    </>
  )
}

/** A name that no clip has. */
function free(base: string): string {
  const taken = new Set(clips.value.map((each) => each.name))
  if (!taken.has(base)) return base
  for (let i = 2; ; i++) if (!taken.has(`${base} ${i}`)) return `${base} ${i}`
}
