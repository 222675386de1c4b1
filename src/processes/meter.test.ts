import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createMeter } from './meter.ts'

test('only running time counts, and parts of seconds add up', async () => {
  const clock = createFakeClock()
  const meter = createMeter(clock, 40)
  await clock.advance(5_000)
  expect(meter.seconds).toBe(40)
  meter.setRunning(true)
  await clock.advance(1_600)
  meter.setRunning(true)
  expect(meter.seconds).toBe(41)
  meter.setRunning(false)
  await clock.advance(60_000)
  meter.setRunning(true)
  await clock.advance(400)
  expect(meter.seconds).toBe(42)
})
