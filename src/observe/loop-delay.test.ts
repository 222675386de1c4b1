import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createRecentMaximum, measureLoopDelay } from './loop-delay.ts'

test('a call that takes long is measured once, and no time in which nothing was due', async () => {
  const delay = measureLoopDelay()
  onTestFinished(() => delay.stop())
  await sleep(100)
  delay.readMs()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3_000)
  await sleep(60)
  const held = delay.readMs()
  expect(held).toBeGreaterThan(2_800)
  await sleep(150)
  expect(delay.readMs()).toBeLessThan(1_500)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
  expect(delay.readMs()).toBeGreaterThan(1_800)
  await sleep(150)
  expect(delay.readMs()).toBeLessThan(1_500)
})

test('the largest of the last values is known, and what is older is forgotten', () => {
  const recent = createRecentMaximum(3)
  expect(recent.value).toBe(0)
  for (const value of [5, 9, 1, 2]) recent.note(value)
  expect(recent.value).toBe(9)
  recent.note(3)
  expect(recent.value).toBe(3)
})
