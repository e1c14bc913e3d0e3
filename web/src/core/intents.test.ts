import { expect, test } from 'vitest'
import { Sender } from './intents'
import type { Message } from './link'

function recorded(answer: () => Promise<void> = () => Promise.resolve()) {
  const sent: Message[] = []
  const problems: string[] = []
  const put = (message: Message) => {
    sent.push(message)
    return sent.length
  }
  const link = {
    stream: put,
    ask: (message: Message) => {
      put(message)
      return answer()
    },
    dropUpdate: () => undefined,
  }
  return { sent, problems, sender: new Sender(link, (problem) => problems.push(problem.message)) }
}

const move = { type: 'SetWeights', weights: { jawOpen: 0.5 } } as const

test('a gesture is a begin, updates with its number and a commit', () => {
  const { sent, sender } = recorded()
  sender.intend({ type: 'GestureBegan', label: 'jawOpen' })
  sender.intend({ type: 'GestureUpdated', edit: move })
  sender.intend({ type: 'GestureEnded' })
  expect(sent).toEqual([
    { type: 'Begin', gesture: 1, label: 'jawOpen' },
    { type: 'Edit', edit: move, gesture: 1 },
    { type: 'Commit', gesture: 1 },
  ])
})

test('a gesture can be of the build', () => {
  const { sent, sender } = recorded()
  sender.intend({ type: 'GestureBegan', label: 'Trust examples', session: 'build' })
  expect(sent).toEqual([{ type: 'Begin', gesture: 1, label: 'Trust examples', session: 'build' }])
})

test('every gesture has a number of its own', () => {
  const { sent, sender } = recorded()
  for (const label of ['a', 'b']) {
    sender.intend({ type: 'GestureBegan', label })
    sender.intend({ type: 'GestureCancelled' })
  }
  expect(sent.map((message) => 'gesture' in message && message.gesture)).toEqual([1, 1, 2, 2])
})

test('after the connection broke nothing of the old gesture is sent', () => {
  const { sent, sender } = recorded()
  sender.intend({ type: 'GestureBegan', label: 'drag pin' })
  expect(sender.lost()).toBe(true)
  sender.intend({ type: 'GestureUpdated', edit: move })
  sender.intend({ type: 'GestureEnded' })
  expect(sent).toHaveLength(1)
  expect(sender.lost()).toBe(false)
})

test('what the server refuses is told to the person', async () => {
  const { problems, sender } = recorded(() => Promise.reject(new Error('no slider named x')))
  sender.intend({ type: 'Edited', edit: move })
  await Promise.resolve().then(() => undefined)
  expect(problems).toEqual(['no slider named x'])
})

test('whoever sends a message learns whether it was carried out', async () => {
  expect(await recorded().sender.send({ type: 'Undo' })).toBe(true)
  const { problems, sender } = recorded(() => Promise.reject(new Error('nothing to undo')))
  expect(await sender.send({ type: 'Undo' })).toBe(false)
  expect(problems).toEqual(['nothing to undo'])
})

test('of a gesture whose beginning is refused nothing more is sent', async () => {
  const { sent, problems, sender } = recorded(() => Promise.reject(new Error('another window is in the middle of it')))
  sender.intend({ type: 'GestureBegan', label: 'jawOpen' })
  await Promise.resolve().then(() => undefined)
  await Promise.resolve()
  sender.intend({ type: 'GestureUpdated', edit: move })
  sender.intend({ type: 'GestureEnded' })
  expect(sent.map(({ type }) => type)).toEqual(['Begin'])
  expect(problems).toEqual(['another window is in the middle of it'])
})
