/** Picking sliders on the face: those that move a point light up, and a click offers them. */
import { effect } from '@preact/signals'
import { opened } from '../../core/document'
import { lit } from '../../core/selection'
import { tool } from '../../core/view'
import type { Gesture, Pointer } from '../../core/gestures/pointer'
import type { Viewport } from '../../scene/viewport'
import type { Feature, Tool } from '../feature'
import { PickLayer } from './PickLayer'
import './picker.css'
import { MOST, movers, picked, under } from './state'

const moversAt = (viewport: Viewport, at: Pointer | null) => {
  const hit = at && viewport.surfaceAt(at)
  return hit && movers.value ? movers.value.at(hit.vertex).slice(0, MOST) : []
}

function pick(viewport: Viewport): Gesture {
  return {
    down(pointer) {
      const found = moversAt(viewport, pointer)
      picked.value = found.length ? { x: pointer.x, y: pointer.y, sliders: found.map(({ slider }) => slider) } : null
      return found.length > 0
    },
    move: () => undefined,
    up: () => undefined,
    cancel: () => undefined,
  }
}

const pickTool: Tool = {
  name: 'pick',
  button: {
    icon: 'select',
    label: 'Pick',
    tip: 'Point at the face: the sliders that move this point light up; click for a menu of them',
    keys: 'I',
  },
  gesture: pick,
  hover(viewport, at) {
    if (tool.value === 'pick' || under.peek().length) under.value = moversAt(viewport, at)
  },
  follows: true,
}

function follow(): void {
  effect(() => {
    const names = picked.value?.sliders ?? under.value.map(({ slider }) => slider)
    lit.value = new Set(tool.value === 'pick' ? names : [])
  })
  effect(() => {
    void opened.value
    if (tool.value !== 'pick') picked.value = null
  })
}

export const picker: Feature = {
  name: 'picker',
  tools: [pickTool],
  layers: [PickLayer],
  shortcuts: [{ group: 'Sliders', keys: 'I', does: 'Pick sliders on the face', run: () => void (tool.value = 'pick') }],
  deselect() {
    if (!picked.value && tool.value === 'pick') tool.value = 'pose'
    picked.value = null
  },
  watched: {
    get lit() {
      return [...lit.value]
    },
  },
  start: follow,
}
