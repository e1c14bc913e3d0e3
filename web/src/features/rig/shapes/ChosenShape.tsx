/** The chosen shape, and what can be done with it. */
import { rig } from '../../../core/document'
import type { ShapeDetail } from '../../../core/protocol.gen'
import { edit } from '../../../core/server'
import { Button, Section } from '../../../widgets/controls'
import { Icon, type IconName } from '../../../widgets/icons'
import { NameField } from '../../../widgets/NameField'
import { chosenShape } from '../state'
import { deleteShape, duplicateShape, moveShape, renameShape } from './actions'
import { Decision } from './Decision'
import { driversOf, percent, Thumbnail } from './ShapeRow'
import { deciding, groups, type Deciding } from './state'

export function ChosenShape({ shape }: { shape: ShapeDetail }) {
  const { name } = shape
  const aside = (
    <span class="actions">
      <Button icon="up" tip="Move it up in the list" onClick={() => moveShape(name, -1)} />
      <Button icon="down" tip="Move it down in the list" onClick={() => moveShape(name, 1)} />
      <Button icon="copy" tip="Add a copy with a slider of its own" onClick={() => void duplicateShape(name)} />
      <Button icon="trash" tip={`Delete: ${shape.uses}`} onClick={() => deleteShape(name)} />
      <Button
        icon="close"
        tip="Choose no shape"
        onClick={() => {
          chosenShape.value = ''
        }}
      />
    </span>
  )
  return (
    <Section title={name} aside={aside} named>
      <About shape={shape} />
      <NameField
        key={name}
        label="Name"
        name={name}
        tip="Rename the shape, and its slider if it has the same name; clips, locks and textures follow"
        onChange={(wanted) => renameShape(name, wanted)}
      />
      {shape.sliders.length === 1 && <Group shape={shape} />}
      <div class="shape-tools" role="group" aria-label={`What to do with ${name}`}>
        <Tool icon="eye" label="Show" tip="Set its sliders so that it is fully on" run={() => show(name)} />
        <Tool icon="mirror" label="Mirror" tip="Give the other side its mirror image" run={() => mirror(name)} />
        <Tool icon="flip" label="Flip" tip="Turn it to the other side, under its own name" run={() => flip(name)} />
        <Tool icon="symmetry" label="Symmetry" tip="Make it the same on both sides" asks="symmetry" />
        <Tool icon="split" label="Split" tip="Split it into a left and a right shape" asks="split" />
        <Tool icon="merge" label="Merge" tip="Make one shape of it and another one" asks="merge" />
        <Tool icon="strength" label="Strength" tip="Make it stronger or weaker" asks="strength" />
        <Tool icon="prune" label="Prune" tip="Drop its smallest offsets" asks="prune" />
        <Tool icon="replace" label="Replace" tip="Replace what it does by the pose or by a file" asks="replace" />
      </div>
      {deciding.value && <Decision key={shape.name} shape={shape} />}
    </Section>
  )
}

const show = (shape: string) => edit({ type: 'ShowShape', shape })
const mirror = (shape: string) => edit({ type: 'MirrorShape', shape })
const flip = (shape: string) => edit({ type: 'FlipShape', shape })

function About({ shape }: { shape: ShapeDetail }) {
  const drivers = driversOf(shape)
  return (
    <div class="shape-about">
      <Thumbnail picture={shape.picture} />
      <p>
        {drivers ? `Driven by ${drivers}` : 'Driven by its own slider'}
        <br />
        {shape.support} vertices, up to {percent(shape.reach, rig.value?.size ?? 1)} of the face
        <br />
        {sentence(shape.uses)}
      </p>
    </div>
  )
}

function Group({ shape }: { shape: ShapeDetail }) {
  return (
    <label class="field" data-tip="The group of its slider: choose one, or type a new one">
      <span>Group</span>
      <input
        key={`${shape.name} ${shape.group}`}
        type="text"
        class="text-input"
        list="shape-groups"
        aria-label="Group of the shape"
        defaultValue={shape.group}
        maxLength={200}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Enter') event.currentTarget.blur()
        }}
        onChange={(event) => {
          const group = event.currentTarget.value.trim()
          if (group && group !== shape.group) void edit({ type: 'SetSliderGroup', sliders: shape.sliders, group })
        }}
      />
      <datalist id="shape-groups">
        {groups.value.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </label>
  )
}

interface ToolProps {
  icon: IconName
  label: string
  tip: string
  run?(): unknown
  asks?: Deciding
}

/** A tile; one that `asks` opens what has to be decided first. */
function Tool({ icon, label, tip, run, asks }: ToolProps) {
  return (
    <button
      type="button"
      class="tile"
      aria-pressed={asks ? deciding.value === asks : undefined}
      data-tip={tip}
      onClick={() => {
        if (asks) deciding.value = deciding.value === asks ? '' : asks
        else run?.()
      }}
    >
      <Icon name={icon} />
      <span>{label}</span>
    </button>
  )
}

const sentence = (words: string) => words.charAt(0).toUpperCase() + words.slice(1)
