/** All sliders, by the part of the face they move. */
import { useComputed, useSignal } from '@preact/signals'
import { locked, rigId, time } from '../../core/document'
import { grouped, matches, type Group } from '../../core/groups'
import { choose, chosenName, chosenNode, regions } from '../../core/regions'
import { chosen } from '../../core/selection'
import { activeCount, isActive, isMoved, movedCount, sliders, type Slider } from '../../core/sliders'
import { toggle } from '../../core/view'
import { edit } from '../../core/server'
import { toFrame } from '../../core/time'
import { Button } from '../../widgets/controls'
import { Icon } from '../../widgets/icons'
import { resetSelected, selectGroup } from './select'
import { SliderRow } from './SliderRow'
import { folded, linked, search } from './state'

type Shown = 'all' | 'active' | 'moved' | 'chosen'

export function SlidersPanel() {
  const shown = useSignal<Shown>('all')
  const groups = useComputed(() =>
    grouped(
      sliders.value.filter(
        (slider) => matches(slider.info.name, search.value) && passes(slider.info.name, shown.value),
      ),
      (slider) => slider.info,
    ),
  )
  const filters: [Shown, string, string][] = [
    ['all', `All ${sliders.value.length}`, 'Show every slider'],
    ['active', `Active ${activeCount.value}`, 'Show only sliders that are not at 0, all over the face or in a region'],
    ['moved', `Moved ${movedCount.value}`, 'Show only sliders that the last drag moved'],
    [
      'chosen',
      `Selected ${chosen.value.length}`,
      'Show only selected sliders; click a slider to select it, with Ctrl to add it',
    ],
  ]
  return (
    <aside class="panel sliders" aria-label="Sliders">
      <div class="toolbar">
        <label class="search" data-tip="Find sliders by parts of their names" data-keys="/">
          <Icon name="search" />
          <input
            id="search"
            type="search"
            placeholder="Find a slider"
            aria-label="Find a slider"
            value={search.value}
            onInput={(event) => {
              search.value = event.currentTarget.value
            }}
            onKeyDown={(event) => {
              if (event.key === 'Escape') {
                search.value = ''
                event.currentTarget.blur()
              }
            }}
          />
        </label>
        <Button
          icon="link"
          pressed={linked.value}
          tip="Move left and right sliders together"
          keys="Shift+L"
          onClick={() => {
            linked.value = !linked.value
          }}
        />
        <Button
          icon="mirror"
          tip="Mirror the pose: exchange left and right"
          keys="Shift+X"
          onClick={() => edit({ type: 'MirrorPose' })}
        />
        <Button
          icon="reset"
          tip={
            chosenName.value
              ? 'All sliders of this region that are not locked back to what they are around it'
              : 'All sliders that are not locked back to 0'
          }
          keys="Shift+R"
          onClick={() => edit({ type: 'ResetWeights', region: chosenName.value })}
        />
      </div>
      {chosenName.value && <RegionStrip />}
      {chosen.value.length > 1 && <SelectionStrip />}
      <div class="filters" role="radiogroup" aria-label="Which sliders are shown">
        {filters.map(([key, text, tip]) => (
          <button
            key={key}
            type="button"
            role="radio"
            aria-checked={shown.value === key}
            data-tip={tip}
            onClick={() => {
              shown.value = key
            }}
          >
            {text}
          </button>
        ))}
      </div>
      <div class="scroll">
        {groups.value.map((group) => (
          <SliderGroup key={group.name} group={group} />
        ))}
        {!groups.value.length && <p class="empty">{emptyText(shown.value, search.value)}</p>}
      </div>
    </aside>
  )
}

function passes(name: string, shown: Shown): boolean {
  if (shown === 'all') return true
  if (shown === 'chosen') return chosen.value.includes(name)
  const slider = sliders.value.find((each) => each.info.name === name)!
  return shown === 'active' ? isActive(slider) : isMoved(slider)
}

function emptyText(shown: Shown, search: string): string {
  if (search) return `No slider's name has “${search}” in it.`
  if (shown === 'moved') return 'No drag has moved a slider yet: click the face and drag.'
  if (shown === 'chosen') return 'Click a slider to select it, with Ctrl to add more.'
  return shown === 'active' ? 'All sliders are at 0.' : 'This face has no sliders.'
}

/** What can be done with all selected sliders at once. */
function SelectionStrip() {
  const free = chosen.value.filter((name) => !locked.value.has(name))
  return (
    <div class="selection-strip" data-tip="Drag one of the selected sliders, and all of them move along">
      <span>
        <b>{chosen.value.length}</b> selected
      </span>
      <Button
        icon="reset"
        label="Reset"
        tip="Selected sliders that are not locked back to 0, or to what they are around the region"
        disabled={!free.length}
        onClick={resetSelected}
      />
      <Button
        icon="key"
        label="Key"
        tip="Key the selected sliders at the current frame"
        keys="K"
        onClick={() => edit({ type: 'SetKeys', time: toFrame(time.value), sliders: chosen.value })}
      />
      <Button icon="close" tip="Select no slider" keys="Esc" onClick={() => (chosen.value = [])} />
    </div>
  )
}

/** Says that the sliders are those of a region. */
function RegionStrip() {
  return (
    <div
      class="region-strip"
      data-tip="These are the values of this region. Marked sliders have values of their own here"
    >
      <i class="swatch" style={{ background: regions.value[chosenNode.value]?.color }} />
      <span>
        Sliders of <b>{chosenName.value}</b>
      </span>
      <button
        type="button"
        class="quiet"
        aria-label="Back to the whole face"
        data-tip="Back to the whole face"
        data-keys="Esc"
        onClick={() => choose(null)}
      >
        <Icon name="close" />
      </button>
    </div>
  )
}

function SliderGroup({ group }: { group: Group<Slider> }) {
  const names = group.members.map((slider) => slider.info.name)
  const open = !folded.value.includes(group.name)
  const allLocked = names.every((name) => locked.value.has(name))
  return (
    <section class="group">
      <header>
        <button
          type="button"
          class="fold"
          aria-expanded={open}
          data-tip={open ? 'Fold this group' : 'Unfold this group'}
          onClick={() => toggle(folded, group.name)}
        >
          <Icon name="fold" />
          <h2>{group.name}</h2>
          <span class="count">{names.length}</span>
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={`Select all ${group.name} sliders`}
          aria-pressed={names.every((name) => chosen.value.includes(name))}
          data-tip="Select this group, with Ctrl besides what is selected; selected sliders move together"
          onClick={({ ctrlKey, metaKey, shiftKey }) => selectGroup(names, ctrlKey || metaKey || shiftKey)}
        >
          <Icon name="select" />
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={`Lock all ${group.name} sliders`}
          aria-pressed={allLocked}
          data-tip={allLocked ? 'Unlock this group' : 'Lock this group'}
          onClick={() => edit({ type: 'LockSliders', sliders: names, locked: !allLocked })}
        >
          <Icon name={allLocked ? 'lock' : 'unlock'} />
        </button>
        <button
          type="button"
          class="quiet"
          aria-label={`Reset all ${group.name} sliders`}
          data-tip={chosenName.value ? 'This group back to what it is around the region' : 'This group back to 0'}
          onClick={() => edit({ type: 'ResetWeights', sliders: names, region: chosenName.value })}
        >
          <Icon name="reset" />
        </button>
      </header>
      {open && group.members.map((slider) => <SliderRow key={`${rigId.value} ${slider.index}`} slider={slider} />)}
    </section>
  )
}
