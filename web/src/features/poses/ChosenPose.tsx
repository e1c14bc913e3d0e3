/** The chosen pose: applied in part while a slider is dragged, and what can be done with it. */
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { heldRange } from '../../core/gestures/heldRange'
import type { PoseInfo } from '../../core/protocol.gen'
import { chosenName } from '../../core/regions'
import { chosen as chosenSliders } from '../../core/selection'
import { intend } from '../../core/server'
import { Button, Check, Range, Section } from '../../widgets/controls'
import { apply, applying, copy, keepInDocument, keepInFolder, remove, rename, replaceBy, setTags } from './actions'
import { additive, mirrored, onlyChosen } from './state'

export function ChosenPose({ pose }: { pose: PoseInfo }) {
  const inDocument = !pose.file && pose.time === null
  const aside = (
    <span class="actions">
      {inDocument ? (
        <>
          <Button icon="rename" tip="Give this pose another name" onClick={() => rename(pose)} />
          <Button icon="replace" tip="Replace this pose by the present one" onClick={() => replaceBy(pose)} />
          <Button
            icon="save"
            tip="Put this pose into the folder, for all documents"
            onClick={() => keepInFolder(pose)}
          />
        </>
      ) : (
        <Button icon="plus" tip="Keep this pose in the document" onClick={() => keepInDocument(pose)} />
      )}
      <Button icon="copy" tip="Copy this pose as text" onClick={() => void copy(pose.name, pose.weights, pose.tags)} />
      {pose.time === null && <Button icon="trash" tip="Delete this pose" onClick={() => remove(pose)} />}
    </span>
  )
  return (
    <Section title={pose.name} aside={aside} named>
      <Blend pose={pose} />
      <Check
        label="Mirrored"
        on={mirrored.value}
        tip="Apply it with left and right exchanged"
        onChange={(on) => {
          mirrored.value = on
        }}
      />
      <Check
        label="Additive"
        on={additive.value}
        tip="Add it to the pose that is there"
        onChange={(on) => {
          additive.value = on
        }}
      />
      <Check
        label={`Selected sliders only (${chosenSliders.value.length})`}
        on={onlyChosen.value}
        tip="Apply it to the selected sliders, where some are, and keep only these"
        onChange={(on) => {
          onlyChosen.value = on
        }}
      />
      {inDocument && (
        <label class="field" data-tip="Words to find the pose by, with commas between them">
          <span>Tags</span>
          <input
            type="text"
            class="text-input"
            aria-label="Tags of the pose"
            defaultValue={pose.tags.join(', ')}
            maxLength={2000}
            onKeyDown={(event) => {
              event.stopPropagation()
              if (event.key === 'Enter') event.currentTarget.blur()
            }}
            onChange={(event) => void setTags(pose, event.currentTarget.value)}
          />
        </label>
      )}
      <p class="about">
        {Object.keys(pose.weights).length} sliders{chosenName.value ? `, applied to ${chosenName.value} alone` : ''}
      </p>
    </Section>
  )
}

/** All that the slider moves until it is let go is one step. */
function Blend({ pose }: { pose: PoseInfo }) {
  const share = useSignal(0)
  const drag = useMemo(
    () =>
      heldRange({
        begun: { label: `Apply pose ${pose.name}` },
        edit: (value) => applying(pose, value),
        send: intend,
        ended: () => {
          share.value = 0
        },
      }),
    [pose],
  )
  return (
    <div class="field">
      <span>Blend</span>
      <Range
        value={share.value}
        low={0}
        high={1}
        label={`How much of ${pose.name}`}
        tip="Drag to bring the face towards the pose"
        onChange={(value) => {
          share.value = value
          drag.move(value)
        }}
        held={drag}
      />
      <Button label="Apply" tone="strong" tip="Bring the face to the pose" onClick={() => apply(pose)} />
    </div>
  )
}
