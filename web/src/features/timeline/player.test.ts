import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clipName, clips } from '../../core/document'
import { connect } from '../../core/server'
import { Socket } from '../../core/testSocket'
import { playing } from '../../core/time'
import { table } from './playback'
import { playOrStop } from './player'

let moments: FrameRequestCallback[] // that wait for the browser's next frame

beforeEach(() => {
  moments = []
  vi.stubGlobal('WebSocket', Socket)
  vi.stubGlobal('requestAnimationFrame', (step: FrameRequestCallback) => moments.push(step))
  Socket.all = []
  playing.value = false
  clips.value = [{ name: 'a', start: 0, end: 2, rate: 30, sliders: [], layers: 0 }]
  clipName.value = 'a'
  connect('ws://here/socket', [
    {
      frames: {
        ClipTable(frame) {
          table.value = frame
        },
      },
    },
  ])
  Socket.all[0].open()
})

afterEach(() => vi.unstubAllGlobals())

/** Answer all that was asked, and let everything that waits for an answer run on. */
async function answer(): Promise<void> {
  const [socket] = Socket.all
  for (const { type, seq } of socket.sent) if (type === 'Ask') socket.frame('ClipTable', seq)
  await new Promise((resolve) => setTimeout(resolve))
}

test('a clip plays once it has come', async () => {
  playOrStop()
  expect(moments).toHaveLength(0)
  await answer()
  expect(playing.value).toBe(true)
  expect(moments).toHaveLength(1)
})

test('a second press before the clip has come stops it', async () => {
  playOrStop()
  playOrStop()
  await answer()
  expect(playing.value).toBe(false)
  expect(moments).toHaveLength(0)
})

test('a third press before the clip has come plays it once', async () => {
  for (let press = 0; press < 3; press++) playOrStop()
  await answer()
  expect(playing.value).toBe(true)
  expect(moments).toHaveLength(1)
})

test('a clip that does not come leaves the page as one that does not play', async () => {
  playOrStop()
  const [socket] = Socket.all
  socket.tell({ type: 'Refused', seq: socket.sent[0].seq, message: 'no such clip' })
  await answer()
  expect(playing.value).toBe(false)
  expect(moments).toHaveLength(0)
})
