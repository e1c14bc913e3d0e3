import { expect, test } from 'vitest'
import type { Pointer } from '../../core/gestures/pointer'
import type { Intent } from '../../core/intents'
import { dragHandle } from './dragHandle'
import type { Handle } from './laneLayout'

const at = (x: number, y: number, alt = false): Pointer => ({ x, y, button: 0, shift: false, ctrl: false, alt })

function turned(handle: Handle | null) {
  const sent: Intent[] = []
  const place = ({ x, y }: Pointer) => ({ time: x, value: y })
  const world = { handleAt: () => handle, place, leastSeconds: () => 0.1, hold: () => undefined }
  return { sent, drag: dragHandle({ world, send: (intent) => sent.push(intent) }) }
}

const curve = {
  clip: 'a',
  slider: 'jawOpen',
  times: [1, 2],
  values: [0, 1],
  interpolation: 'cubic' as const,
  slopes: null,
  tangents: null,
  outside: 'hold' as const,
  keys: 0,
}

test('the slope is that of the line from the key to the pointer, on either side', () => {
  const { sent, drag } = turned({ curve, key: 1, leaving: false, x: 0, y: 0 })
  expect(drag.down(at(1.5, 0.5))).toBe(true)
  drag.move(at(1.5, 0))
  drag.up(at(1.5, 0))
  expect(sent).toEqual([
    { type: 'GestureBegan', label: 'Turn tangent' },
    {
      type: 'GestureUpdated',
      edit: { type: 'TurnHandle', slider: 'jawOpen', time: 2, slope: 2, leaving: false, broken: false },
    },
    { type: 'GestureEnded' },
  ])
})

test('a handle never turns past upright, and with alt the sides part', () => {
  const { sent, drag } = turned({ curve, key: 0, leaving: true, x: 0, y: 0 })
  drag.down(at(1.5, 0))
  drag.move(at(0, 1, true))
  expect(sent.at(-1)).toMatchObject({ edit: { slope: 10, broken: true } })
})

test('where there is no handle nothing is taken', () => {
  const { sent, drag } = turned(null)
  expect(drag.down(at(0, 0))).toBe(false)
  drag.move(at(5, 5))
  drag.up(at(5, 5))
  expect(sent).toEqual([])
})
