import { AV_NOPTS_VALUE } from 'node-av'
import { expect, test } from 'vitest'
import { createDecodingTimes } from './decoding-times.ts'

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
  const times = createDecodingTimes()
  const results = given.map(([dts, pts]) => times.next({ dts: dts!, pts: pts! }))
  expect(results.map(({ dts, pts }) => [dts, pts])).toEqual(made)
})
