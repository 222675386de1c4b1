import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createMeter } from './meter.ts'

test('only running time counts, to the millisecond', async () => {
  const clock = createFakeClock()
  const meter = createMeter(clock, 40_300)
  await clock.advance(5_000)
  expect(meter.ms).toBe(40_300)
  meter.setRunning(true)
  await clock.advance(1_600)
  meter.setRunning(true)
  expect(meter.ms).toBe(41_900)
  meter.setRunning(false)
  await clock.advance(60_000)
  meter.setRunning(true)
  await clock.advance(400)
  expect(meter.ms).toBe(42_300)
})

test.each([
  { name: 'a worker that hangs is counted up to its last sign, and a little beyond', signsAtMs: [1_000], ms: 3_000 },
  { name: 'one that was only late is counted in full', signsAtMs: [1_000, 9_000], ms: 10_000 },
  {
    name: 'so is one that speaks every second',
    signsAtMs: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((s) => s * 1_000),
    ms: 10_000,
  },
])('$name', async ({ signsAtMs, ms }) => {
  const clock = createFakeClock()
  const meter = createMeter(clock, 0)
  meter.setRunning(true)
  let lastMs = 0
  for (const at of signsAtMs) {
    await clock.advance(at - lastMs)
    meter.noteSign()
    lastMs = at
  }
  await clock.advance(10_000 - lastMs)
  expect(meter.ms).toBe(ms)
  meter.setRunning(false)
  expect(meter.ms).toBe(ms)
})
