/** The sliders of a view, by the part of the face that they move. */
import { useComputed } from '@preact/signals'
import { grouped, matches, type Group } from '../core/groups'
import { toggle } from '../core/view'
import { Button } from '../widgets/controls'
import { Icon } from '../widgets/icons'
import { SliderRow } from './SliderRow'
import type { Slider, ViewState } from './state'

export function SliderPanel({ state }: { state: ViewState }) {
  const groups = useComputed(() =>
    grouped(
      state.sliders.filter(
        ({ info, weight }) =>
          matches(info.name, state.search.value) && (!state.onlyMoved.value || Math.abs(weight.value) >= 5e-4),
      ),
      ({ info }) => info,
    ),
  )
  return (
    <aside class="panel sliders" aria-label="Sliders">
      <div class="toolbar">
        <label class="search" data-tip="Find sliders by parts of their names">
          <Icon name="search" />
          <input
            type="search"
            placeholder="Find a slider"
            aria-label="Find a slider"
            value={state.search.value}
            onInput={(event) => {
              state.search.value = event.currentTarget.value
            }}
          />
        </label>
        <Button
          icon="eye"
          tip="Show only sliders that are not at 0"
          pressed={state.onlyMoved.value}
          onClick={() => (state.onlyMoved.value = !state.onlyMoved.value)}
        />
        <Button icon="reset" tip="All sliders back to 0" onClick={() => state.reset()} />
      </div>
      <div class="scroll">
        {groups.value.map((group) => (
          <SliderGroup key={group.name} state={state} group={group} />
        ))}
        {!groups.value.length && <p class="empty">{emptyText(state)}</p>}
      </div>
    </aside>
  )
}

function SliderGroup({ state, group }: { state: ViewState; group: Group<Slider> }) {
  const open = !state.folded.value.includes(group.name)
  return (
    <section class="group">
      <header>
        <button
          type="button"
          class="fold"
          aria-expanded={open}
          data-tip={open ? 'Fold this group' : 'Unfold this group'}
          onClick={() => toggle(state.folded, group.name)}
        >
          <Icon name="fold" />
          <h2>{group.name}</h2>
          <span class="count">{group.members.length}</span>
        </button>
      </header>
      {open && group.members.map((slider) => <SliderRow key={slider.index} state={state} slider={slider} />)}
    </section>
  )
}

function emptyText({ sliders, search, onlyMoved }: ViewState): string {
  if (!sliders.length) return 'This face has no sliders.'
  return onlyMoved.value && !search.value ? 'All sliders are at 0.' : `No slider's name has “${search.value}” in it.`
}
