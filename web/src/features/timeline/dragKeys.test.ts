import { expect, test } from 'vitest'
import type { Axis, Pointer } from '../../core/gestures/pointer'
import type { Intent } from '../../core/intents'
import type { KeyChoice } from '../../core/protocol.gen'
import { dragKeys, joined, type KeyWorld } from './dragKeys'

const at = (x: number, y = 0, more: Partial<Pointer> = {}): Pointer => ({
  x,
  y,
  button: 0,
  shift: false,
  ctrl: false,
  alt: false,
  ...more,
})

function keyed(keys: KeyChoice[], axis: Axis | null = null) {
  const sent: Intent[] = []
  let selected: KeyChoice[] = []
  const holds: boolean[] = []
  const world: KeyWorld = {
    keysAt: ({ x }) => keys.filter((choice) => choice.times.includes(x)),
    keysIn: (a, b) =>
      keys.filter((choice) => choice.times.some((t) => t >= Math.min(a.x, b.x) && t <= Math.max(a.x, b.x))),
    selected: () => selected,
    select: (next) => {
      selected = next
    },
    frame: () => undefined,
    hold: (on) => holds.push(on),
    axis: () => axis,
    secondsPer: (pixels) => pixels,
    valuePer: (pixels) => pixels / 100,
  }
  return { sent, holds, selected: () => selected, drag: dragKeys({ world, send: (intent) => sent.push(intent) }) }
}

test('keys are moved by the whole way from where they were taken, and stay selected', () => {
  const { sent, selected, drag } = keyed([{ slider: 'jawOpen', times: [10] }])
  drag.down(at(10, 50))
  drag.move(at(15, 40))
  drag.move(at(30, 40))
  drag.up(at(30, 40))
  expect(sent.at(-2)).toEqual({
    type: 'GestureUpdated',
    edit: { type: 'MoveKeys', keys: [{ slider: 'jawOpen', times: [10] }], by: 20, lift: 0.1, beyond: false },
  })
  expect(selected()).toEqual([{ slider: 'jawOpen', times: [30] }])
})

test('with alt copies are moved', () => {
  const { sent, drag } = keyed([{ slider: 'jawOpen', times: [10] }])
  drag.down(at(10, 0, { alt: true }))
  drag.move(at(25))
  expect(sent[1]).toMatchObject({ edit: { type: 'CopyKeys', by: 15 } })
})

test('a box selects and changes nothing', () => {
  const { sent, selected, drag } = keyed([
    { slider: 'a', times: [10] },
    { slider: 'b', times: [90] },
  ])
  drag.down(at(0))
  drag.move(at(50))
  drag.up(at(50))
  expect(selected()).toEqual([{ slider: 'a', times: [10] }])
  expect(sent).toEqual([])
})

test('joining choices keeps every key once, in order', () => {
  expect(
    joined(
      [{ slider: 'a', times: [2, 1] }],
      [
        { slider: 'a', times: [1, 3] },
        { slider: 'b', times: [0] },
      ],
    ),
  ).toEqual([
    { slider: 'a', times: [1, 2, 3] },
    { slider: 'b', times: [0] },
  ])
})

test('what is seen keeps its scale from the beginning of a drag to its end', () => {
  const { holds, drag } = keyed([{ slider: 'jawOpen', times: [10] }])
  drag.down(at(10, 50))
  drag.move(at(10, -500))
  expect(holds).toEqual([true])
  drag.up(at(10, -500))
  expect(holds).toEqual([true, false])
})

test('with shift keys may leave their bounds, and a held axis keeps the other', () => {
  const { sent, drag } = keyed([{ slider: 'jawOpen', times: [10] }], 'y')
  drag.down(at(10, 50))
  drag.move(at(30, 0, { shift: true }))
  expect(sent.at(-1)).toMatchObject({ edit: { by: 0, lift: 0.5, beyond: true } })
})
