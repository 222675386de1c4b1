import { AV_NOPTS_VALUE } from 'node-av'
import { expect, test } from 'vitest'
import { createDecodingTimes } from '../media/rtp/decoding-times.ts'
import { createMonotonicTimes } from './copied-stream.ts'

const none = AV_NOPTS_VALUE

test.each([
  {
    name: 'good times stay',
    given: [
      [0n, 0n],
      [10n, 20n],
    ],
    made: [
      [0n, 0n],
      [10n, 20n],
    ],
  },
  {
    name: 'a clock that stands still goes on by a tick',
    given: [
      [5n, 5n],
      [5n, 5n],
    ],
    made: [
      [5n, 5n],
      [6n, 6n],
    ],
  },
  { name: 'a missing decoding time is the picture’s own', given: [[none, 3n]], made: [[3n, 3n]] },
  {
    name: 'without any time the next tick is taken',
    given: [
      [3n, 3n],
      [none, none],
    ],
    made: [
      [3n, 3n],
      [4n, 4n],
    ],
  },
  { name: 'nothing is shown before it is decoded', given: [[10n, 5n]], made: [[10n, 10n]] },
])('$name', ({ given, made }) => {
  const times = createMonotonicTimes()
  const results = given.map(([dts, pts]) => times.next({ dts: dts!, pts: pts! }))
  expect(results.map(({ dts, pts }) => [dts, pts])).toEqual(made)
})

test('pictures that overtake each other are decoded in the order in which they come, and shown when they say', () => {
  const times = createMonotonicTimes(createDecodingTimes(2, -1))
  const shown = [0n, 12_000n, 6_000n, 3_000n, 9_000n]
  const made = shown.map((pts) => times.next({ pts, dts: none }))
  expect(made.map(({ pts }) => pts)).toEqual(shown)
  expect(made.map(({ dts }) => dts)).toEqual([0n, 1n, 2n, 3_000n, 6_000n])
})
