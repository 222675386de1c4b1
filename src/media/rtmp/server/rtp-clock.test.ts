import { expect, test } from 'vitest'
import { createRtpClock } from './rtp-clock.ts'

test.each([
  { name: 'counts from the first', input: [500, 3500, 6500], output: [0, 3000, 6000] },
  { name: 'goes across the wrap', input: [0xfffffff0, 0x10], output: [0, 32] },
  { name: 'goes back with pictures out of order', input: [0, 9000, 3000], output: [0, 9000, 3000] },
  {
    name: 'steps on where the sender starts over',
    input: [0, 3000, 2_000_000_000, 2_000_003_000],
    output: [0, 3000, 6600, 9600],
  },
])('$name', ({ input, output }) => {
  const clock = createRtpClock(90_000)
  expect(input.map((timestamp) => clock.advance(timestamp))).toEqual(output)
})

test('knows the time of a timestamp from a report', () => {
  const clock = createRtpClock(90_000)
  expect(clock.ticksOf(1)).toBeUndefined()
  clock.advance(1000)
  clock.advance(4000)
  expect([clock.ticksOf(2000), clock.ticksOf(5000)]).toEqual([1000, 4000])
})
