import { expect, test } from 'vitest'
import { checkEvenRegion } from './even-region.ts'

const picture = { width: 359, height: 241 }

test.each([
  { name: 'the first pixels', region: { x: 0, y: 0, width: 2, height: 2 }, all: true, first: true },
  { name: 'up to the odd end', region: { x: 150, y: 100, width: 209, height: 141 }, all: false, first: true },
  { name: 'from an odd column', region: { x: 1, y: 0, width: 100, height: 100 }, all: false, first: false },
  { name: 'from an odd line', region: { x: 0, y: 1, width: 100, height: 100 }, all: false, first: false },
  { name: 'beyond the right', region: { x: 300, y: 0, width: 60, height: 100 }, all: false, first: false },
  { name: 'beyond the bottom', region: { x: 0, y: 200, width: 100, height: 42 }, all: false, first: false },
  { name: 'before the left', region: { x: -2, y: 0, width: 100, height: 100 }, all: false, first: false },
  { name: 'no width', region: { x: 0, y: 0, width: 0, height: 100 }, all: false, first: false },
  { name: 'half pixels', region: { x: 0, y: 0, width: 10.5, height: 100 }, all: false, first: false },
  { name: 'no number', region: { x: NaN, y: 0, width: 10, height: 100 }, all: false, first: false },
])('$name', ({ region, ...fits }) => {
  for (const borders of ['all', 'first'] as const) {
    const check = () => checkEvenRegion(picture, region, borders)
    if (fits[borders]) check()
    else expect(check).toThrow(/has no even borders inside a picture of 359×241/)
  }
})
