import { expect, test } from 'vitest'
import { earliest } from './keytimes'

test('the first of very many keys is found', () => {
  const times = Array.from({ length: 300_000 }, (_, i) => 3 + i / 30)
  expect(
    earliest([
      { slider: 'a', times },
      { slider: 'b', times: [2, 9] },
    ]),
  ).toBe(2)
})
