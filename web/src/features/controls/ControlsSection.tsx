/** Head, neck, eyes, what they look at, and the joints of the file that stand for them. */
import { target } from '../../core/controls'
import { controlList, headRig } from '../../core/document'
import { edit } from '../../core/server'
import { hasEyes } from '../../scene/current'
import { Button, Choice, NumberField, Section, Segments } from '../../widgets/controls'
import { clearAll, dropTarget, EYES, keyControls, placeTarget, targetAtCamera } from './actions'
import { ControlRow } from './ControlRow'
import { joints, open } from './state'

const LOOKS = [
  ['pose', 'Pose', 'Eyes look where the pose, or their own angles, say'],
  ['target', 'Target', 'Eyes and lids stay on a place, which has a handle in the view'],
] as const

export function ControlsSection() {
  const of = (group: string) => controlList.value.filter((one) => one.group === group && one.unit === 'angle')
  return (
    <Section
      title="Head and eyes"
      aside={
        <>
          <Button icon="key" tip="Key head, neck and eyes at the current frame" onClick={keyControls} />
          <Button icon="reset" tip="Head, neck and eyes back to rest, now and in the current clip" onClick={clearAll} />
        </>
      }
    >
      <h3>Head</h3>
      {of('head').map((info) => (
        <ControlRow key={info.name} info={info} group="Head" />
      ))}
      <h3>Neck</h3>
      {of('neck').map((info) => (
        <ControlRow key={info.name} info={info} group="Neck" />
      ))}
      {hasEyes.value && <Eyes />}
      {joints.value.length > 0 && <Joints />}
    </Section>
  )
}

function Eyes() {
  const weight = controlList.value.find((one) => one.unit === 'share')
  const has = target.value !== null
  return (
    <>
      <h3>Eyes</h3>
      <Segments
        value={has ? 'target' : 'pose'}
        options={LOOKS}
        label="What the eyes look at"
        onChange={(key) => (key === 'target' ? placeTarget() : dropTarget())}
      />
      {has ? (
        <>
          {weight && <ControlRow info={weight} group="Gaze" />}
          <Button
            label="Target to the camera"
            tone="strong"
            tip="Put what the eyes look at where the camera is now"
            onClick={targetAtCamera}
          />
        </>
      ) : (
        controlList.value
          .filter((one) => EYES.includes(one.name))
          .map((info) => <ControlRow key={info.name} info={info} group="Eyes" />)
      )}
      <Limits />
    </>
  )
}

function Limits() {
  const rig = headRig.value
  if (!rig) return null
  const [side, up, down] = rig.eye_limits.map((angle) => Math.round((angle * 1800) / Math.PI) / 10)
  const put = (change: Partial<Record<'side' | 'up' | 'down', number>>) =>
    void edit({ type: 'SetEyeLimits', side, up, down, ...change })
  const fields = [
    ['side', 'Sideways', side],
    ['up', 'Up', up],
    ['down', 'Down', down],
  ] as const
  return (
    <details class="limits" open={open.value} onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>How far eyes turn</summary>
      <div class="limit-fields">
        {fields.map(([key, words, value]) => (
          <label key={key}>
            {words}
            <NumberField
              value={value}
              low={0}
              high={90}
              step={1}
              digits={1}
              tip={`Degrees that eyes turn ${words.toLowerCase()} at most`}
              onChange={(to) => put({ [key]: to })}
            />
          </label>
        ))}
      </div>
    </details>
  )
}

const ROLES = [
  ['head', 'Head'],
  ['neck', 'Neck'],
  ['leftEye', 'Left eye'],
  ['rightEye', 'Right eye'],
] as const

/** Which joints of the file move. */
function Joints() {
  const now = headRig.value?.joints ?? {}
  return (
    <>
      <h3>Joints of the file</h3>
      {ROLES.map(([role, words]) => (
        <div key={role} class="field">
          <span>{words}</span>
          <Choice
            value={now[role] ?? ''}
            options={[['', 'none'], ...joints.value.map((name) => [name, name] as const)]}
            tip={`The joint that turns as the ${words.toLowerCase()}, here and in exported files`}
            onChange={(joint) => void edit({ type: 'ChooseJoint', role, joint })}
          />
        </div>
      ))}
    </>
  )
}
