import { expect, test } from 'vitest'
import { chooseStyle, published, STYLES, styleOf } from './method'

/** What is sent when a style is chosen while a method is preferred. */
function sent(style: 'bounded' | 'natural', method: string) {
  const found: object[] = []
  const send = (message: object) => void found.push(message)
  chooseStyle(style, { method, damped: true }, { act: send, edit: send })
  return found
}

test('drags have the style of the document, unless a published method is preferred', () => {
  expect(styleOf('bounded', 'natural')).toBe('natural')
  expect(styleOf('bounded', 'bounded')).toBe('bounded')
  expect(styleOf('natural', 'bounded')).toBe('natural')
  expect(styleOf('landweber(20)', 'natural')).toBe('')
})

test('a style is an edit of the document, and ends a published method, damping as it was', () => {
  expect(sent('natural', 'bounded')).toEqual([{ type: 'SetDragMethod', method: 'natural' }])
  expect(sent('bounded', 'pinv')).toEqual([
    { type: 'SetDragOptions', method: 'bounded', damped: true },
    { type: 'SetDragMethod', method: 'bounded' },
  ])
})

test('methods are offered once, in words or in the list', () => {
  const all = ['bounded', 'natural', 'automatic', 'convex', 'pinv']
  expect(published(all)).toEqual(['bounded', 'convex', 'pinv'])
  expect(published([])).toEqual(['bounded'])
  expect(STYLES.map(([style]) => style)).toEqual(['automatic', 'bounded', 'natural'])
})
