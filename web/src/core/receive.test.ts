import { signal } from '@preact/signals'
import { expect, test } from 'vitest'
import type { State } from './protocol.gen'
import { coreReceiver } from './receive'
import { trouble } from './toasts'

test('trouble of a server is forgotten when the connection breaks, and shown again when it is said again', () => {
  const { messages, disconnected } = coreReceiver({})
  messages!.Trouble!({ type: 'Trouble', message: 'Autosave does not work.' })
  expect(trouble.value).toBe('Autosave does not work.')
  disconnected!()
  expect(trouble.value).toBe('')
  messages!.Trouble!({ type: 'Trouble', message: 'Autosave does not work.' })
  expect(trouble.value).toBe('Autosave does not work.')
})

test('what was to be remembered while the connection was lost is told when it is back', () => {
  const told: Record<string, unknown>[] = []
  const level = signal(0)
  const { messages, disconnected } = coreReceiver({ level }, (view) => told.push(view))
  const state = (view: Record<string, unknown>) => messages!.State!({ type: 'State', view } as State)
  state({ level: 2 })
  expect(level.value).toBe(2)
  disconnected!()
  level.value = 3
  state({ level: 2 })
  expect(told).toEqual([{ level: 3 }])
  state({ level: 5 }) // of another page: each looks in its own way
  expect(told).toEqual([{ level: 3 }])
  expect(level.value).toBe(3)
})
