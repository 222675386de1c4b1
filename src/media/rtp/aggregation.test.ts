import { expect, test } from 'vitest'
import { aggregatedUnits } from './aggregation.ts'

test.each([
  { name: 'each is as long as it says', payload: [24, 0, 2, 0x67, 1, 0, 1, 0x68], units: [[0x67, 1], [0x68]] },
  { name: 'behind a header of two bytes', payload: [0x60, 1, 0, 2, 0x40, 1], headerLength: 2, units: [[0x40, 1]] },
  { name: 'empty ones count', payload: [24, 0, 0, 0, 1, 0x68], units: [[], [0x68]] },
  { name: 'one that is cut short is empty, and the last', payload: [24, 0, 1, 0x67, 0, 9, 0x68], units: [[0x67], []] },
  { name: 'half a size is nothing', payload: [24, 0, 1, 0x67, 0], units: [[0x67]] },
  { name: 'there may be none', payload: [24], units: [] },
])('$name', ({ payload, headerLength = 1, units }) =>
  expect([...aggregatedUnits(Buffer.from(payload), headerLength)].map((unit) => [...unit])).toEqual(units),
)
