import { expect, test } from 'vitest'
import { viewWorth } from './view-worth.ts'

const picture = { width: 640, height: 480 }
const box = { x: 100, y: 100, width: 40, height: 80 }

test.each([
  { name: 'alone it is worth all', box, others: [], worth: 1 },
  { name: 'its own box hides nothing', box, others: [box], worth: 1 },
  { name: 'what stands beside hides nothing', box, others: [{ ...box, x: 140, y: 110 }], worth: 1 },
  { name: 'half behind something nearer', box, others: [{ x: 100, y: 140, width: 40, height: 80 }], worth: 0.65 },
  { name: 'before something farther', box, others: [{ x: 100, y: 60, width: 40, height: 80 }], worth: 1 },
  { name: 'wholly behind', box, others: [{ x: 0, y: 0, width: 300, height: 300 }], worth: 0.3 },
  { name: 'cut off at the left', box: { ...box, x: 1 }, others: [], worth: 0.6 },
  { name: 'cut off below', box: { ...box, y: 400 }, others: [], worth: 0.6 },
])('$name', ({ box, others, worth }) => expect(viewWorth(box, others, picture)).toBeCloseTo(worth))
