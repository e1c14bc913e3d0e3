/** The panel on the right: one tab for each kind of work, and below all of them what was done. */
import type { ComponentChildren } from 'preact'
import { building } from '../features/build/state'
import { tab, type Tab } from '../core/view'
import { BuildTab } from '../features/build/BuildTab'
import { DragSection } from '../features/pose/DragSection'
import { HistorySection } from '../features/history/HistorySection'
import { HoldSection } from '../features/held/HoldSection'
import { LookTab } from '../features/textures/TexturesTab'
import { PartsSection } from '../features/view/PartsSection'
import { PinsSection } from '../features/pose/PinsSection'
import { RegionsTab } from '../features/regions/RegionsTab'
import { TakeTab } from '../features/take/TakeTab'

interface TabInfo {
  key: Tab
  label: string
  tip: string
  body(): ComponentChildren
}

/** A new kind of work is one more line here. */
const TABS: readonly TabInfo[] = [
  {
    key: 'pose',
    label: 'Pose',
    tip: 'Drag pins, hold points still, show and hide parts',
    body: () => (
      <>
        <DragSection />
        <PinsSection />
        <HoldSection />
        <PartsSection />
      </>
    ),
  },
  {
    key: 'regions',
    label: 'Regions',
    tip: 'Divide the face into regions and pose each for itself',
    body: () => <RegionsTab />,
  },
  {
    key: 'take',
    label: 'Take',
    tip: 'Markers recorded on an actor: bind them, solve them, compare',
    body: () => <TakeTab />,
  },
  { key: 'look', label: 'Look', tip: 'Textures that come in with expressions', body: () => <LookTab /> },
  {
    key: 'build',
    label: 'Build',
    tip: 'Make a rig from a neutral face and some poses of it',
    body: () => <BuildTab />,
  },
]

export function Inspector() {
  const shown = TABS.find((each) => each.key === tab.value) ?? TABS[0]
  return (
    <aside class={`panel inspector${building.value ? ' building' : ''}`} aria-label={shown.label}>
      <div class="tabs" role="tablist" aria-label="Kinds of work" onKeyDown={(event) => step(event, shown)}>
        {TABS.map(({ key, label, tip }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`tab-${key}`}
            aria-selected={key === shown.key}
            tabIndex={key === shown.key ? 0 : -1}
            data-tip={tip}
            onClick={() => {
              tab.value = key
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div class="scroll" role="tabpanel" aria-labelledby={`tab-${shown.key}`}>
        {shown.body()}
        {!building.value && <HistorySection />}
      </div>
    </aside>
  )
}

/** The arrow keys go from tab to tab. */
function step(event: KeyboardEvent, shown: TabInfo): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!by) return
  const next = TABS[(TABS.indexOf(shown) + by + TABS.length) % TABS.length]
  tab.value = next.key
  document.getElementById(`tab-${next.key}`)?.focus()
  event.preventDefault()
  event.stopPropagation()
}
