import { effect } from '@preact/signals'
import { beforeEach, expect, test } from 'vitest'
import { leftShown, openPanel, rightShown, room, roomOf, togglePanel } from './panels'
import { leftOpen, rightOpen } from './view'

const both = () => [leftShown.value, rightShown.value]

beforeEach(() => {
  room.value = 'wide'
  leftOpen.value = rightOpen.value = true
})

test('a wide window shows what is open', () => {
  expect(both()).toEqual([true, true])
  togglePanel('right')
  expect(both()).toEqual([true, false])
  expect(rightOpen.value).toBe(false)
})

test('a narrow one shows one panel at a time, and what was open in a wide one stays so', () => {
  room.value = roomOf(860)
  expect(both()).toEqual([true, false])
  togglePanel('right')
  expect(both()).toEqual([false, true])
  togglePanel('right')
  expect(both()).toEqual([false, false])
  room.value = roomOf(1280)
  expect(both()).toEqual([true, true])
})

test('a small one shows none until it is asked for', () => {
  togglePanel('left')
  room.value = roomOf(600)
  openPanel('left')
  expect(both()).toEqual([true, false])
  togglePanel('left')
  expect(both()).toEqual([false, false])
})

test('what opens a panel once does not open it again when the window changes', () => {
  const stop = effect(() => openPanel('right'))
  room.value = roomOf(860)
  expect(rightShown.value).toBe(false)
  stop()
})
