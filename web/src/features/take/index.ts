/** Takes of markers: shown over the face, bound to it, solved to a clip, compared with it. */
import { solving, take as current } from '../../core/document'
import { intend } from '../../core/server'
import { flip } from '../../core/shortcuts'
import { tool } from '../../core/view'
import { viewport } from '../../scene/current'
import type { Feature, Tool } from '../feature'
import { beginBinding, goToWorst, solve } from './actions'
import { bindMarker } from './bindMarker'
import { followTake } from './follow'
import { MarkerLayer } from './MarkerLayer'
import { ResidualLane } from './ResidualLane'
import { markerUnder, seenMarkers } from './seenMarkers'
import { chosenMarker, fit, fitOf, headMotion, liveFit, markersOnFace, markersShown, solveOptions } from './state'
import './take.css'
import { TakeTab } from './TakeTab'

const bindTool: Tool = {
  name: 'bind',
  button: {
    icon: 'marker',
    label: 'Bind',
    tip: 'Click a marker, then its place on the face',
    keys: 'B',
    shown: () => current.value !== null,
    onClick: beginBinding,
  },
  gesture: (viewport) =>
    bindMarker({
      markerAt: (pointer) => markerUnder(viewport, pointer),
      surfaceAt(pointer) {
        const hit = viewport.surfaceAt(pointer)
        return hit && { triangle: hit.triangle, barycentric: hit.barycentric }
      },
      chosen: () => chosenMarker.value,
      choose(marker) {
        chosenMarker.value = marker
      },
      send: intend,
    }),
}

export const take: Feature = {
  name: 'take',
  tab: { key: 'take', label: 'Take', tip: 'Markers recorded on an actor: bind them, solve them, compare' },
  sections: [{ tab: 'take', Body: TakeTab }],
  tools: [bindTool],
  layers: [MarkerLayer],
  lanes: [ResidualLane],
  shortcuts: [
    { group: 'Take', keys: 'B', does: 'Bind markers by clicks', run: beginBinding },
    { group: 'Take', keys: 'Shift+B', does: 'Solve the take', run: solve },
    { group: 'Take', keys: 'J', does: 'To the next of the worst frames', run: () => goToWorst(1) },
    { group: 'Take', keys: 'Shift+J', does: 'To the one before', run: () => goToWorst(-1) },
    { group: 'Take', keys: 'Shift+M', does: 'Markers', run: flip(markersShown) },
    { group: 'Take', keys: 'N', does: 'Head motion', run: flip(headMotion) },
  ],
  deselect() {
    if (!chosenMarker.value && tool.value === 'bind') tool.value = 'pose'
    chosenMarker.value = ''
  },
  remembered: { markersShown, markersOnFace, headMotion, solveOptions },
  frames: {
    TakeFitTable(frame) {
      fit.value = fitOf(frame)
    },
  },
  watched: {
    get take() {
      return current.value && { ...current.value }
    },
    get solving() {
      return solving.value && { ...solving.value }
    },
    get fit() {
      const found = liveFit.value
      return found && { clip: found.clip, typical: found.typical, worst: [...found.worstFrames], mean: [...found.mean] }
    },
    /** Markers as they are shown, in pixels of the page. */
    get markers() {
      const { left, top } = document.querySelector('.viewport canvas')!.getBoundingClientRect()
      return seenMarkers(viewport.value!).map(({ name, x, y, glued, behind, gap, marker }) => ({
        name,
        x: x + left,
        y: y + top,
        glued: glued && { x: glued.x + left, y: glued.y + top },
        behind,
        gap,
        residual: marker.residual,
      }))
    },
  },
  start: followTake,
}
