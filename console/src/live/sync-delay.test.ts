import { expect, test } from 'vitest'
import { createSyncDelay } from './sync-delay.ts'

function hear(earlyMs: number, times: number, delay = createSyncDelay(() => {})) {
  for (let i = 0; i < times; i++) delay.noteScene(earlyMs, 0)
  return delay
}

test('boxes that come late hold the picture back as long as they need, and a little more', () => {
  expect(hear(-200, 12).targetMs).toBe(250 + 260)
})

test('boxes that come in time change nothing', () => {
  expect(hear(80, 120).targetMs).toBe(250)
})

test('boxes that come far too early let the picture come sooner, slowly', () => {
  const delay = hear(400, 12)
  expect(delay.targetMs).toBe(200)
  expect(hear(400, 12 * 10, delay).targetMs).toBe(0)
})

test('it never waits longer than two seconds', () => {
  expect(hear(-10_000, 60).targetMs).toBe(2_000)
})

test('one straggler is let go', () => {
  const delay = hear(80, 11)
  delay.noteScene(-900, 0)
  expect(delay.targetMs).toBe(250)
})

test('a detector that sees one picture a second is not waited for a dozen times', () => {
  const delay = createSyncDelay(() => {})
  for (const nowMs of [0, 1_000, 2_000]) delay.noteScene(-800, nowMs)
  expect(delay.targetMs).toBe(250 + 860)
})
