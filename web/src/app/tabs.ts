/** The tabs of all features, and the one that is open. */
import { computed } from '@preact/signals'
import { tab } from '../core/view'
import { FEATURES } from './features'

export const TABS = FEATURES.flatMap((feature) => feature.tab ?? [])

/** A tab that is not there any more, such as a remembered one, is the first. */
export const openTab = computed(() => TABS.find(({ key }) => key === tab.value) ?? TABS[0])

/** What is shown in place of the viewport, the sliders and the timeline; null: nothing. */
export const stageShown = computed(() => openTab.value.Stage ?? null)
