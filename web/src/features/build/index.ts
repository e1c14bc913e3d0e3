/** Building a rig from a template, a neutral face and some poses of it. */
import { computed } from '@preact/signals'
import { stage } from '../../scene/current'
import type { Feature } from '../feature'
import { giveFiles } from './actions'
import './build.css'
import { BuildStage } from './BuildStage'
import { BuildTab } from './BuildTab'
import { ChooseFaces } from './ChooseFaces'
import { showBuild, shown } from './shown'
import { applyBuild, build as current, building, choosing, compared, half, progress, TAB } from './state'

export const build: Feature = {
  name: 'build',
  tab: { key: TAB, label: 'Build', tip: 'Make a rig from a neutral face and some poses of it', Stage: BuildStage },
  sections: [{ tab: TAB, Body: BuildTab }],
  dialogs: [{ isOpen: () => choosing.value !== null, Body: ChooseFaces }],
  deselect() {
    half.value = null
  },
  history: computed(() =>
    building.value ? { session: 'build', undo: current.value?.undo ?? '', redo: current.value?.redo ?? '' } : null,
  ),
  files: { claims: () => building.value, open: giveFiles },
  remembered: { compared },
  messages: {
    State({ build, build_progress }) {
      if (build) applyBuild(build)
      if (build_progress !== undefined) progress.value = build_progress
    },
  },
  watched: {
    get build() {
      return current.value && { ...current.value }
    },
    get staged() {
      return shown.value.map(({ title, note }) => ({ title, note }))
    },
    /** Where a vertex of a face on the stage is on the page, in pixels. */
    stagedVertex(cell: number, vertex: number) {
      const canvas = document.querySelector('.stage canvas')!.getBoundingClientRect()
      const { x, y } = stage.value!.seen(cell, stage.value!.placeOf(cell, vertex)!)
      return { x: x + canvas.left, y: y + canvas.top }
    },
  },
  start: showBuild,
}
