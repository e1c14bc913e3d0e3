import { expect, test } from 'vitest'
import { Newest, Stream } from './stream'

function recorded() {
  const sent: string[] = []
  return { sent, stream: new Stream<string>((wish) => sent.push(wish)) }
}

test('of a thousand wishes during one solve only the newest is sent after it', () => {
  const { sent, stream } = recorded()
  for (let i = 0; i < 1000; i++) stream.offer(`wish ${i}`)
  expect(sent).toEqual(['wish 0'])
  stream.answered(1)
  expect(sent).toEqual(['wish 0', 'wish 999'])
})

test('at most one wish is under way at any time', () => {
  const { sent, stream } = recorded()
  stream.offer('a')
  stream.offer('b')
  stream.answered(0)
  expect(sent).toEqual(['a'])
  stream.answered(1)
  stream.answered(1)
  expect(sent).toEqual(['a', 'b'])
  expect(stream.busy).toBe(true)
  stream.answered(2)
  expect(stream.busy).toBe(false)
})

test('what waits is sent before what depends on it', () => {
  const { sent, stream } = recorded()
  stream.offer('a')
  stream.offer('b')
  stream.flush()
  expect(sent).toEqual(['a', 'b'])
})

test('a cancelled drag sends nothing more', () => {
  const { sent, stream } = recorded()
  stream.offer('a')
  stream.offer('b')
  stream.drop()
  stream.answered(1)
  expect(sent).toEqual(['a'])
})

test('an old answer never replaces a newer one, and what answers nobody is always shown', () => {
  const newest = new Newest()
  expect([5, 4, 0, 5, 6, 5].map((seq) => newest.admits(seq))).toEqual([true, false, true, true, true, false])
  newest.reset()
  expect(newest.admits(1)).toBe(true)
})
