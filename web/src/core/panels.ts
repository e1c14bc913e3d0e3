/** Which side panels are shown. In a narrow window there is room for one; in a small one it lies over the face. */
import { computed, signal } from '@preact/signals'
import { leftOpen, rightOpen } from './view'

export type Side = 'left' | 'right'
export type Room = 'wide' | 'narrow' | 'small'

/** By the width of the window, in pixels. */
export const roomOf = (width: number): Room => (width >= 900 ? 'wide' : width >= 640 ? 'narrow' : 'small')

export const room = signal<Room>('wide')

/** Without room for both: the side that was asked for, or none; null: as the window came to be. */
const asked = signal<Side | 'none' | null>(null)

const shown = computed<Record<Side, boolean>>(() => {
  if (room.value === 'wide') return { left: leftOpen.value, right: rightOpen.value }
  const usual = room.value === 'narrow' && leftOpen.value ? 'left' : 'none'
  const one = asked.value ?? usual
  return { left: one === 'left', right: one === 'right' }
})

export const leftShown = computed(() => shown.value.left)
export const rightShown = computed(() => shown.value.right)

const opened = { left: leftOpen, right: rightOpen }

/** Open a panel, once (an effect that does so goes by nothing here), and fold the other one away where there is no room for both. */
export function openPanel(side: Side): void {
  if (room.peek() === 'wide') opened[side].value = true
  else asked.value = side
}

export function togglePanel(side: Side): void {
  if (!shown.peek()[side]) openPanel(side)
  else if (room.peek() === 'wide') opened[side].value = false
  else asked.value = 'none'
}

/** Go by the width of the window, from now on. */
export function followWidth(): void {
  const measure = () => {
    const next = roomOf(window.innerWidth)
    if (next !== room.peek()) asked.value = null
    room.value = next
  }
  window.addEventListener('resize', measure)
  measure()
}
