import { expect, test } from 'vitest'
import type { Intent } from '../../core/intents'
import { dragTrust } from './dragTrust'

function recorded() {
  const sent: Intent[] = []
  return { sent, drag: dragTrust((intent) => sent.push(intent)) }
}

const began = { type: 'GestureBegan', label: 'Trust examples', session: 'build' }
const moved = (trust: number) => ({ type: 'GestureUpdated', edit: { type: 'TrustExamples', trust } })
const ended = { type: 'GestureEnded' }

test('one drag is one gesture, and two are two', () => {
  const { sent, drag } = recorded()
  for (const trust of [0.6, 0.7]) drag.move(trust)
  drag.chosen()
  drag.letGo() // the slider loses the focus later
  drag.move(0.3)
  drag.chosen()
  expect(sent).toEqual([began, moved(0.6), moved(0.7), ended, began, moved(0.3), ended])
})

test('a key that repeats is one gesture until it is up', () => {
  const { sent, drag } = recorded()
  drag.keyDown('ArrowRight')
  for (const trust of [0.55, 0.6, 0.65]) {
    drag.move(trust)
    drag.chosen()
  }
  drag.keyUp('ArrowRight')
  expect(sent).toEqual([began, moved(0.55), moved(0.6), moved(0.65), ended])
})

test('a key that moves nothing leaves nothing', () => {
  const { sent, drag } = recorded()
  drag.keyDown('ArrowRight')
  drag.keyUp('ArrowRight')
  expect(sent).toEqual([])
})

test('keys that do not move it do not end a drag of the pointer', () => {
  const { sent, drag } = recorded()
  drag.move(0.6)
  for (const key of ['Control', 'z']) drag.keyDown(key)
  for (const key of ['z', 'Control']) drag.keyUp(key)
  drag.move(0.7)
  drag.chosen()
  expect(sent).toEqual([began, moved(0.6), moved(0.7), ended])
})
