/** How a live face is listened for and recorded. */
import { signal } from '@preact/signals'
import type { StartLive } from '../../core/protocol.gen'

export const TAB = 'live'

export type Kind = NonNullable<StartLive['kind']>

export const kind = signal<Kind>('livelink')
export const host = signal('127.0.0.1')
export const port = signal<number | null>(null) // null: that of the kind
export const phone = signal('') // the address of one that is asked to send
export const countdown = signal(3) // seconds
export const takeName = signal('live')
