import { expect, test } from 'vitest'
import { createArrivalClock } from './arrival-clock.ts'

const EPOCH = 1_800_000_000_000

test('knows nothing before anything arrived', () => expect(createArrivalClock().at(0)).toBeUndefined())

test('jitter does not show', () => {
  const clock = createArrivalClock()
  const delays = [5, 60, 30, 5, 200, 17, 9, 80]
  const estimates = delays.map((delay, index) => {
    clock.observe(index * 40, EPOCH + index * 40 + delay)
    return clock.at(index * 40)! - EPOCH - index * 40
  })
  // Only what rising is allowed while nothing better is known.
  for (const ms of estimates) expect(ms).toBeCloseTo(5, 0)
})

test('a first frame that was late is corrected by the next', () => {
  const clock = createArrivalClock()
  clock.observe(0, EPOCH + 900)
  clock.observe(40, EPOCH + 50)
  expect(clock.at(0)).toBe(EPOCH + 10)
})

test.each([200e-6, -200e-6])('follows an encoder whose clock is off by a factor of %d', (drift) => {
  const clock = createArrivalClock()
  let last = 0
  let worst = 0
  for (let streamMs = 0; streamMs <= 3_600_000; streamMs += 40) {
    const arrival = EPOCH + streamMs * (1 + drift) + ((streamMs / 40) % 7) * 3
    clock.observe(streamMs, arrival)
    const estimated = clock.at(streamMs)!
    if (estimated <= last) throw new Error('Time went back.')
    last = estimated
    worst = Math.max(worst, Math.abs(estimated - (EPOCH + streamMs * (1 + drift))))
  }
  expect(worst).toBeLessThan(15)
})

test.each([3_600_000, -3_600_000])('follows our own clock when it is set by %i ms', (shift) => {
  const clock = createArrivalClock()
  for (let streamMs = 0; streamMs < 300_000; streamMs += 40) {
    clock.observe(streamMs, EPOCH + streamMs + (streamMs >= 100_000 ? shift : 0))
  }
  expect(clock.at(0)).toBe(EPOCH + shift)
})
