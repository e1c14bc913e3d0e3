/** The regions of the face: finding, showing, choosing and changing them. */
import { useEffect, useRef } from 'preact/hooks'
import { findRegions, removeRegions } from './actions'
import { posedRegions } from '../../core/local'
import { choose, chosenNode, hovered, levels, regions, setLevel, shownLevel, shownNodes } from '../../core/regions'
import { busy } from '../../core/toasts'
import { Button, Choice, Range, Section } from '../../widgets/controls'
import { ChosenRegion } from './ChosenRegion'
import { Icon } from '../../widgets/icons'
import { RegionName } from './RegionName'
import { cue, regionsShown, threshold, type RegionCue } from './state'

export function RegionsTab() {
  const some = regions.value.length > 0
  return (
    <>
      <Section title={some ? `Regions ${shownNodes.value.length}` : 'Regions'} aside={some && <Actions />}>
        {!some && (
          <p class="empty">
            A face can be divided into regions that move each in their own way: brows, lids, cheeks, lips. Find them,
            choose one, and all that you drag or slide stays inside it.
          </p>
        )}
        <FindField again={some} />
        {some && <LevelField />}
        {some && <RegionList />}
        {some && posedRegions.value.length > 0 && (
          <p class="about">{posedText(posedRegions.value.length)} In exported files extra shapes say so.</p>
        )}
      </Section>
      {chosenNode.value >= 0 && <ChosenRegion node={chosenNode.value} />}
    </>
  )
}

const posedText = (count: number) =>
  count === 1 ? 'One region has a pose of its own.' : `${count} regions have poses of their own.`

function Actions() {
  return (
    <span class="actions">
      <Button
        icon={regionsShown.value ? 'eye' : 'eyeOff'}
        pressed={regionsShown.value}
        tip="Show the regions on the face"
        keys="V"
        onClick={() => {
          regionsShown.value = !regionsShown.value
        }}
      />
      <Button
        icon="trash"
        tip="Take all regions away, and with them what they add to the pose"
        onClick={removeRegions}
      />
    </span>
  )
}

const CUES: readonly (readonly [RegionCue, string])[] = [
  ['motion', 'motion'],
  ['motion and texture', 'motion and texture'],
  ['threshold', 'deformation above a threshold'],
]

function FindField({ again }: { again: boolean }) {
  const find = (
    <Button
      id="find-regions"
      icon="regions"
      tone={again ? 'plain' : 'strong'}
      label={again ? undefined : 'Find regions'}
      disabled={busy.value !== ''}
      tip={
        again
          ? 'Find regions again, as finely as this; poses of regions are carried over'
          : 'Divide the face by how its shapes deform it'
      }
      onClick={() => void findRegions()}
    />
  )
  return (
    <>
      <div class="field ends">
        <span>few</span>
        <Range
          label="How finely the face is divided"
          value={threshold.value}
          low={0}
          high={1}
          step={0.05}
          tip={`${threshold.value.toFixed(2)}: the share of the face that counts as hardly moving; more of it leaves more and smaller regions`}
          onChange={(next) => {
            threshold.value = next
          }}
        />
        <span>many</span>
        {again && find}
      </div>
      <div class="field">
        <span>By</span>
        <Choice
          value={cue.value}
          options={CUES}
          tip="What regions are found by: neighbours that move alike; the same, with borders that follow the colours of the texture; or the threshold alone, as in the paper"
          onChange={(next) => {
            cue.value = next
          }}
        />
      </div>
      {!again && <div class="row">{find}</div>}
    </>
  )
}

/** From coarse, on the left, to the finest. */
function LevelField() {
  const last = levels.value.length - 1
  return (
    <div class="field">
      <span>Level</span>
      <Range
        label="Level of the regions"
        value={last - shownLevel.value}
        low={0}
        high={Math.max(last, 0)}
        step={1}
        disabled={last < 1}
        tip={`${shownNodes.value.length} regions; further to the right they are smaller: ${levels.value
          .map((nodes) => nodes.length)
          .reverse()
          .join(', ')}`}
        keys="Page Up and Down"
        onChange={(next) => setLevel(last - next)}
      />
      <output class="count">{shownNodes.value.length}</output>
    </div>
  )
}

function RegionList() {
  const chosen = chosenNode.value
  return (
    <ul
      class={`list regions${chosen < 0 ? ' alone' : ''}`}
      aria-label="Regions"
      onPointerLeave={() => {
        hovered.value = null
      }}
    >
      <li
        class={chosen < 0 ? 'chosen' : ''}
        onPointerEnter={() => {
          hovered.value = null
        }}
      >
        <button
          type="button"
          class="item"
          aria-pressed={chosen < 0}
          data-tip="Pose the whole face"
          data-keys="Esc"
          onClick={() => choose(null)}
        >
          <Icon name="face" />
          Whole face
        </button>
      </li>
      {shownNodes.value.map((node) => (
        <RegionRow key={regions.value[node].name} node={node} chosen={chosen === node} />
      ))}
    </ul>
  )
}

function RegionRow({ node, chosen }: { node: number; chosen: boolean }) {
  const { name, color } = regions.value[node]
  const posed = posedRegions.value.includes(node)
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (chosen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <li
      ref={row}
      class={`${chosen ? 'chosen' : ''}${hovered.value === node ? ' hovered' : ''}`}
      data-region={name}
      onPointerEnter={() => {
        hovered.value = node
      }}
    >
      <RegionName name={name} chosen={chosen} onChoose={() => choose(chosen ? null : node)}>
        <i class="swatch" style={{ background: color }} />
      </RegionName>
      {posed && <i class="posed" data-tip="This region has a pose of its own" />}
    </li>
  )
}
