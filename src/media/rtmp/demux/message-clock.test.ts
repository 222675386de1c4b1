import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createMessageClock } from './message-clock.ts'

/** Places video frames that each arrive 40 ms after the other, unless said otherwise. */
function placeAll(timestamps: readonly number[], arrivals = timestamps.map((_, index) => index * 40)): number[] {
  const messageClock = createMessageClock()
  return timestamps.map((timestamp, index) => messageClock.place('video', timestamp, arrivals[index]!))
}

test.each([
  { name: 'begins at zero', input: [5000, 5040, 5080], output: [0, 40, 80] },
  { name: 'holds a small step back', input: [0, 40, 20, 80], output: [0, 40, 41, 80] },
  { name: 'keeps equal times apart', input: [0, 40, 40, 40, 80], output: [0, 40, 41, 42, 80] },
  { name: 'goes on where an encoder starts over', input: [60_000, 60_040, 0, 40], output: [0, 40, 80, 120] },
  { name: 'closes a jump of hours', input: [0, 40, 7_200_000, 7_200_040], output: [0, 40, 80, 120] },
  { name: 'does not see the wrap after 49 days', input: [0xffffffd8, 0, 40], output: [0, 40, 80] },
])('$name', ({ input, output }) => expect(placeAll(input)).toEqual(output))

test('a pause that really was one stays one', () => {
  expect(placeAll([0, 40, 5040, 5080], [0, 40, 5040, 5080])).toEqual([0, 40, 5040, 5080])
})

test('what comes late all at once keeps its times', () => {
  expect(placeAll([0, 40, 80, 120], [0, 3000, 3000, 3000])).toEqual([0, 40, 80, 120])
})

test('a new beginning after a pause is as late as the pause was long', () => {
  expect(placeAll([90_000, 90_040, 0], [0, 40, 3040])).toEqual([0, 40, 3040])
})

test('an encoder whose clock stands still is timed by arrival', () => {
  const output = placeAll(Array<number>(10).fill(0))
  expect(output).toEqual([0, 1, 2, 3, 4, 5, 45, 85, 125, 165])
  expect(placeAll([0, 0, 0, 0, 0, 0, 0, 40, 80]).slice(-3)).toEqual([45, 85, 125])
})

test('audio and video that jump together stay in step', () => {
  const messageClock = createMessageClock()
  const place = (track: string, ms: number, arrival: number) => messageClock.place(track, ms, arrival)
  place('video', 1000, 0)
  expect(place('audio', 990, 0)).toBe(-10)
  place('video', 1040, 40)
  expect(place('audio', 1030, 40)).toBe(30)
  expect(place('video', 500_000, 80)).toBe(80)
  expect(place('audio', 499_990, 80)).toBe(70)
  expect(place('video', 500_040, 120)).toBe(120)
})

test('a track that jumps away and back is in step again', () => {
  const messageClock = createMessageClock()
  for (const ms of [0, 40, 80]) {
    messageClock.place('audio', ms, ms)
    messageClock.place('video', ms, ms)
  }
  expect(messageClock.place('video', 900_000, 120)).toBe(120)
  messageClock.place('audio', 120, 120)
  expect(messageClock.place('video', 160, 160)).toBe(160)
})

test('a track that counts from somewhere else begins with the other', () => {
  const messageClock = createMessageClock()
  messageClock.place('video', 5_000_000, 0)
  expect(messageClock.place('audio', 0, 0)).toBe(0)
})

test('whatever comes, time rises and never runs ahead of jumps', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 0xffffffff }), fc.nat(3000)), { maxLength: 50 })
  fc.assert(
    fc.property(steps, (input) => {
      let arrival = 0
      const arrivals = input.map(([, pause]) => (arrival += pause))
      const output = placeAll(
        input.map(([timestamp]) => timestamp),
        arrivals,
      )
      for (const [index, ms] of output.entries()) if (index > 0) expect(ms).toBeGreaterThan(output[index - 1]!)
      if (output.length > 0) expect(output.at(-1)! - output[0]!).toBeLessThanOrEqual(arrival + 1001 * output.length)
    }),
  )
})
