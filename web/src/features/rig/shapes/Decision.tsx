/** What has to be decided before some edits of the chosen shape. */
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { rig, shapes } from '../../../core/document'
import { suffixesOf } from '../../../core/files'
import { heldRange } from '../../../core/gestures/heldRange'
import type { ShapeDetail, SymmetriseShape } from '../../../core/protocol.gen'
import { edit, intend } from '../../../core/server'
import { activeCount } from '../../../core/sliders'
import { Button, Choice, Range } from '../../../widgets/controls'
import { FileInput } from '../../../widgets/FileInput'
import { NameField } from '../../../widgets/NameField'
import { decide, openShapeFile } from './actions'
import { deciding, falloff, pruned, tolerance } from './state'

export function Decision({ shape }: { shape: ShapeDetail }) {
  const Body = BODIES[deciding.value || 'split']
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.scrollIntoView({ block: 'nearest' }), [deciding.value])
  return (
    <div ref={box} class="decision">
      <Body shape={shape} />
    </div>
  )
}

interface Props {
  shape: ShapeDetail
}

function Symmetry({ shape: { name } }: Props) {
  const symmetrise = (side: SymmetriseShape['side']) =>
    void decide(edit({ type: 'SymmetriseShape', shape: name, side }))
  return (
    <>
      <p class="about">
        Take the mean of both sides, or copy one side of the face, its own left or right, to the other.
      </p>
      <div class="row">
        <Button label="Mean" tone="strong" tip="Both sides get the mean of both" onClick={() => symmetrise('both')} />
        <Button label="Left" tip="The left side is copied to the right" onClick={() => symmetrise('left')} />
        <Button label="Right" tip="The right side is copied to the left" onClick={() => symmetrise('right')} />
      </div>
    </>
  )
}

function Split({ shape: { name, sliders } }: Props) {
  if (sliders.length > 1)
    return <p class="about">A combination follows its sliders: split one of {sliders.join(', ')}.</p>
  return (
    <>
      <p class="about">
        The face shows both halves: <b class="left-half">left</b>, <b class="right-half">right</b>, and where they
        overlap.
      </p>
      <div class="field">
        <span>Falloff</span>
        <Range
          label="Width of the falloff"
          value={falloff.value}
          low={0}
          high={0.5}
          step={0.01}
          tip={`Over ${Math.round(100 * falloff.value)} % of the face's size one half fades into the other`}
          onChange={(next) => {
            falloff.value = next
          }}
        />
      </div>
      <div class="row">
        <Button
          label="Split in two"
          tone="strong"
          tip="Both halves together do what the shape did; in-betweens, combinations, clips and textures follow"
          onClick={() => void decide(edit({ type: 'SplitShape', shape: name, falloff: falloff.value }), '')}
        />
      </div>
    </>
  )
}

function Merge({ shape: { name, sliders } }: Props) {
  const others = shapes.value.filter((each) => each.sliders.length === 1 && each.sliders[0] !== sliders[0])
  const mirror = rig.value?.sliders.find((each) => each.name === sliders[0])?.mirror ?? -1
  const opposite = rig.value?.sliders[mirror]?.name
  const other = useSignal(others.find((each) => each.sliders[0] === opposite)?.name ?? '')
  const given = useSignal('')
  if (sliders.length > 1) return <p class="about">A combination follows its sliders: merge those.</p>
  return (
    <>
      <div class="field">
        <span>With</span>
        <Choice
          value={other.value}
          options={[['', 'choose a shape'], ...others.map((each) => [each.name, each.name] as const)]}
          tip="The shape to merge it with"
          onChange={(next) => {
            other.value = next
          }}
        />
      </div>
      <NameField
        label="New name"
        name=""
        tip="The name of the merged shape; empty: what both names have in common"
        onChange={(next) => {
          given.value = next.trim()
        }}
      />
      <div class="row">
        <Button
          label="Merge both"
          tone="strong"
          disabled={!other.value}
          tip="One slider does then what both did together; clips and textures follow"
          onClick={() =>
            void decide(edit({ type: 'MergeShapes', shape: name, other: other.value, name: given.value }), '')
          }
        />
      </div>
    </>
  )
}

function Strength({ shape: { name } }: Props) {
  const factor = useSignal(1)
  const drag = useRef(
    heldRange({
      begun: { label: `Strength of ${name}` },
      send: intend,
      edit: (next) => ({ type: 'ScaleShape', shape: name, factor: next }),
      ended: () => {
        factor.value = 1
      },
    }),
  ).current
  useEffect(() => drag.letGo, []) // also where it is closed in the middle of a gesture
  return (
    <>
      <div class="field">
        <span>Strength</span>
        <Range
          label="Strength of the shape"
          value={factor.value}
          low={0.05}
          high={2}
          step={0.05}
          tip={`${Math.round(100 * factor.value)} % of what it does now; let go to keep it`}
          onChange={(next) => {
            factor.value = next
            drag.move(next)
          }}
          held={drag}
        />
        <output>{Math.round(100 * factor.value)} %</output>
      </div>
      <div class="row">
        <Button
          label="Show it"
          tip="Set its sliders so that it is fully on"
          onClick={() => void edit({ type: 'ShowShape', shape: name })}
        />
        <Button
          label="Invert"
          tip="Let it move the face the other way"
          onClick={() => void edit({ type: 'ScaleShape', shape: name, factor: -1 })}
        />
      </div>
    </>
  )
}

function Prune({ shape: { name } }: Props) {
  const found = pruned.value
  const share = 100 * 10 ** tolerance.value
  return (
    <>
      <div class="field">
        <span>Below</span>
        <Range
          label="Tolerance of pruning"
          value={tolerance.value}
          low={-6}
          high={-1.5}
          step={0.05}
          tip={`Offsets up to ${+share.toPrecision(2)} % of the face's size are dropped`}
          onChange={(next) => {
            tolerance.value = next
          }}
        />
        <output>{+share.toPrecision(2)} %</output>
      </div>
      <p class="about" role="status">
        {found
          ? `${found.small} of ${found.all} vertices move less than that; they are red on the face.`
          : 'Counting …'}
      </p>
      <div class="row">
        <Button
          label="Drop them"
          tone="strong"
          disabled={!found?.small}
          tip={`Drop the offsets of ${name} that are that small`}
          onClick={() => void decide(edit({ type: 'PruneShape', shape: name, tolerance: 10 ** tolerance.value }))}
        />
        <Button
          label="In all shapes"
          tip="Drop offsets that are that small from all shapes"
          onClick={() => void decide(edit({ type: 'PruneShape', tolerance: 10 ** tolerance.value }))}
        />
      </div>
    </>
  )
}

function Replace({ shape: { name } }: Props) {
  return (
    <>
      <p class="about">Where {name} is fully on, the face becomes what it is now, or what a file shows.</p>
      <div class="row">
        <Button
          label="By the pose"
          tone="strong"
          disabled={!activeCount.value}
          tip={activeCount.value ? `Fully on, ${name} gives the face as it is posed now` : 'Pose the face first'}
          onClick={() => void decide(edit({ type: 'FitShapeToPose', shape: name }))}
        />
        <label class="button strong" data-tip="A sculpt, or a rig of which one shape is taken">
          <FileInput
            label={`Replace ${name} by a file`}
            accept={suffixesOf('rig')}
            onFile={(file) => void openShapeFile(file)}
          />
          <span>By a file …</span>
        </label>
      </div>
    </>
  )
}

const BODIES = { symmetry: Symmetry, split: Split, merge: Merge, strength: Strength, prune: Prune, replace: Replace }
