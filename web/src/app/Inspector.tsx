/** The panel on the right: one tab for each kind of work. */
import { tab } from '../core/view'
import { FEATURES } from './features'
import { openTab, TABS } from './tabs'

const SECTIONS = FEATURES.flatMap((feature) => feature.sections ?? [])

export function Inspector() {
  const { key: shown, label, Stage } = openTab.value
  const own = SECTIONS.filter((section) => section.tab === shown)
  const common = Stage ? [] : SECTIONS.filter((section) => section.tab === '*')
  return (
    <aside class={`panel inspector of-${shown}`} aria-label={label}>
      <div class="tabs" role="tablist" aria-label="Kinds of work" onKeyDown={step}>
        {TABS.map(({ key, label, tip }) => (
          <button
            key={key}
            type="button"
            role="tab"
            id={`tab-${key}`}
            aria-selected={key === shown}
            tabIndex={key === shown ? 0 : -1}
            data-tip={tip}
            onClick={() => {
              tab.value = key
            }}
          >
            {label}
          </button>
        ))}
      </div>
      <div class="scroll" role="tabpanel" aria-labelledby={`tab-${shown}`}>
        {[...own, ...common].map(({ Body }) => (
          <Body key={Body.name} />
        ))}
      </div>
    </aside>
  )
}

/** The arrow keys go from tab to tab. */
function step(event: KeyboardEvent): void {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (!by) return
  const next = TABS[(TABS.indexOf(openTab.value) + by + TABS.length) % TABS.length]
  tab.value = next.key
  document.getElementById(`tab-${next.key}`)?.focus()
  event.preventDefault()
  event.stopPropagation()
}
