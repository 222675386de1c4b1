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
