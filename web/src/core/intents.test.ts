import { expect, test } from 'vitest'
import { Intents } from './intents'
import type { Wish } from './link'

function recorded(answer: () => Promise<void> = () => Promise.resolve()) {
  const sent: Wish[] = []
  const problems: string[] = []
  const put = (wish: Wish) => {
    sent.push(wish)
    return sent.length
  }
  const link = {
    send: put,
    stream: put,
    ask: (wish: Wish) => {
      put(wish)
      return answer()
    },
    dropUpdate: () => undefined,
  }
  return { sent, problems, intents: new Intents(link, (problem) => problems.push(problem.message)) }
}

const move = { type: 'SetWeights', weights: { jawOpen: 0.5 } } as const

test('a gesture is a begin, updates with its number and a commit', () => {
  const { sent, intents } = recorded()
  intents.send({ type: 'GestureBegan', label: 'jawOpen' })
  intents.send({ type: 'GestureUpdated', edit: move })
  intents.send({ type: 'GestureEnded' })
  expect(sent).toEqual([
    { type: 'Begin', gesture: 1, label: 'jawOpen' },
    { ...move, gesture: 1 },
    { type: 'Commit', gesture: 1 },
  ])
})

test('every gesture has a number of its own', () => {
  const { sent, intents } = recorded()
  for (const label of ['a', 'b']) {
    intents.send({ type: 'GestureBegan', label })
    intents.send({ type: 'GestureCancelled' })
  }
  expect(sent.map((wish) => 'gesture' in wish && wish.gesture)).toEqual([1, 1, 2, 2])
})

test('after the connection broke nothing of the old gesture is sent', () => {
  const { sent, intents } = recorded()
  intents.send({ type: 'GestureBegan', label: 'drag pin' })
  expect(intents.lost()).toBe(true)
  intents.send({ type: 'GestureUpdated', edit: move })
  intents.send({ type: 'GestureEnded' })
  expect(sent).toHaveLength(1)
  expect(intents.lost()).toBe(false)
})

test('what the server refuses is told to the person', async () => {
  const { problems, intents } = recorded(() => Promise.reject(new Error('no slider named x')))
  intents.send({ type: 'Edited', edit: move })
  await Promise.resolve().then(() => undefined)
  expect(problems).toEqual(['no slider named x'])
})
