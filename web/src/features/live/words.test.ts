import { expect, test } from 'vitest'
import type { LiveInfo } from '../../core/protocol.gen'
import { badWords, recordingWords, sourceWords, takeWords } from './words'

const sender = { name: 'phone', address: '10.0.0.2:1', rate: 59.9, loss: 0, delay: 0.0021, seen: true }
const info: LiveInfo = {
  kind: 'livelink',
  host: '127.0.0.1',
  port: 11111,
  source: 'phone',
  sources: [sender],
  bad: 0,
  problem: '',
  latency: 0.002,
  frozen: false,
  smooth: 0.3,
  gains: {},
  calibrated: 'none',
  countdown: 0,
  recorded: null,
  mapped: 52,
  left: [],
  takes: [],
}

test('a sender is told by its rate, its loss and its delay', () => {
  expect(sourceWords(sender)).toBe('60 Hz · nothing lost · 2 ms late')
  expect(sourceWords({ ...sender, loss: 0.0123, delay: 0.03 })).toBe('60 Hz · 1.2 % lost · 30 ms late')
  expect(sourceWords({ ...sender, delay: 0.0004 })).toBe('60 Hz · nothing lost · under 1 ms late')
  expect(sourceWords({ ...sender, seen: false })).toBe('sees no face, or is silent')
})

test('a recording counts down, then counts frames', () => {
  expect(recordingWords(info)).toBe('')
  expect(recordingWords({ ...info, recorded: 0, countdown: 2.2 })).toBe('In 3 …')
  expect(recordingWords({ ...info, recorded: 1 })).toBe('1 frame')
})

test('what is wrong is said', () => {
  expect(badWords({ ...info, bad: 2, problem: 'too short' })).toBe('2 packets could not be read: too short')
})

test('a take is told by its length, its frames and what it lost', () => {
  const take = { clip: 'live', seconds: 2.04, frames: 122, lost: 0 }
  expect(takeWords(take)).toBe('2.0 s · 122 frames')
  expect(takeWords({ ...take, lost: 3 })).toBe('2.0 s · 122 frames · 3 lost')
})
