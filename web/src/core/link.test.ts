import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Frame } from './frames'
import { Link } from './link'
import type { ServerMessage } from './protocol.gen'
import { Socket } from './testSocket'

let messages: ServerMessage[]
let frames: number[]
let connections: boolean[]
let link: Link
const scrub = (time: number) => ({ type: 'Edit', edit: { type: 'Scrub', time } }) as const

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('WebSocket', Socket)
  Socket.all = []
  messages = []
  frames = []
  connections = []
  link = new Link('ws://here/socket', {
    connected: (open) => connections.push(open),
    message: (message) => messages.push(message),
    frame: (frame: Frame) => {
      if ('seq' in frame) frames.push(frame.seq)
    },
  })
  link.connect()
  Socket.all[0].open()
})

afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('numbers count up, and a promise is kept by its own answer only', async () => {
  const [socket] = Socket.all
  const first = link.ask({ type: 'Undo' })
  const second = link.ask({ type: 'Redo' })
  socket.tell({ type: 'Refused', seq: 2, message: 'nothing to redo' })
  socket.tell({ type: 'Done', seq: 1 })
  await expect(first).resolves.toBeUndefined()
  await expect(second).rejects.toThrow('nothing to redo')
  expect(socket.sent.map(({ seq }) => seq)).toEqual([1, 2])
})

test('of a stream one is under way, and the newest follows its answer', () => {
  const [socket] = Socket.all
  for (let i = 0; i < 50; i++) link.stream(scrub(i))
  expect(socket.sent).toHaveLength(1)
  socket.frame('Pose', 1)
  expect(socket.sent.at(-1)).toMatchObject({ edit: { time: 49 }, seq: 2 })
})

test('what follows a stream comes after its newest message', () => {
  const [socket] = Socket.all
  link.stream(scrub(1))
  link.stream(scrub(2))
  link.send({ type: 'Undo' })
  expect(socket.sent.map(({ type }) => type)).toEqual(['Edit', 'Edit', 'Undo'])
})

test('a stream goes on after a refusal, and after something later was done', () => {
  const [socket] = Socket.all
  link.stream(scrub(1))
  link.stream(scrub(2))
  socket.tell({ type: 'Refused', seq: 1, message: 'no' })
  link.stream(scrub(3))
  link.send({ type: 'Undo' })
  socket.tell({ type: 'Done', seq: 4 })
  link.stream(scrub(5))
  expect(socket.sent.at(-1)).toMatchObject({ edit: { time: 5 } })
})

test('an old pose is not shown over a newer one', () => {
  const [socket] = Socket.all
  for (const seq of [3, 2, 0, 4]) socket.frame('Pose', seq)
  expect(frames).toEqual([3, 0, 4])
})

test('a broken connection rejects what was asked, and is made again, where poses count anew', async () => {
  const asked = link.ask({ type: 'Undo' })
  link.stream(scrub(1))
  Socket.all[0].frame('Pose', 9)
  Socket.all[0].break()
  await expect(asked).rejects.toThrow('lost')
  await expect(link.ask({ type: 'Undo' })).rejects.toThrow('cannot be reached')
  vi.advanceTimersByTime(5000)
  const again = Socket.all[1]
  again.open()
  again.frame('Pose', 1)
  link.stream(scrub(2))
  expect(frames).toEqual([9, 1])
  expect(again.sent.at(-1)).toMatchObject({ edit: { time: 2 } })
  expect(connections).toEqual([true, false, true])
})
