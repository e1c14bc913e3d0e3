/** Which dialogs of help are open. The browser remembers that the user has seen the welcome. */
import { signal } from '@preact/signals'

const SEEN = 'facewright.welcomed'

export const helping = signal(false)
export const welcoming = signal(false)

function seen(): boolean {
  try {
    return localStorage.getItem(SEEN) === 'yes'
  } catch {
    return false // storage may be switched off
  }
}

export function welcomeOnce(): void {
  welcoming.value = !seen()
}

export function welcomed(): void {
  welcoming.value = false
  try {
    localStorage.setItem(SEEN, 'yes')
  } catch {
    return
  }
}
