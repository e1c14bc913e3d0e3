import { expect, test } from 'vitest'
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
