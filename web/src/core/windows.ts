/** Which windows are open over the page. */
import { signal } from '@preact/signals'

const SEEN = 'facewright.welcomed'

function seen(): boolean {
  try {
    return localStorage.getItem(SEEN) === 'yes'
  } catch {
    return false // storage may be switched off
  }
}

export const opening = signal(false)
export const saving = signal(false)
export const choosing = signal<'neutral' | 'pose' | null>(null) // faces for a build
export const helping = signal(false)
export const welcoming = signal(!seen())

export function welcomed(): void {
  welcoming.value = false
  try {
    localStorage.setItem(SEEN, 'yes')
  } catch {
    return
  }
}

export const anyOpen = () =>
  opening.value || saving.value || choosing.value !== null || helping.value || welcoming.value
