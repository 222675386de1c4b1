import { expect, test } from 'vitest'
import { createCollector } from './detection-collector.ts'
import { letterboxOf } from './letterbox.ts'

const size = { width: 100, height: 100 }
const classes = [{ id: 0, name: 'person' }]

test('nothing is surer than certain, whatever a model answers, and the surest still comes first', () => {
  const collector = createCollector({ classes, confidence: 0.2, maxOverlap: 0.5 })
  collector.offer(1.2, 0, 0, 0, 10, 10)
  collector.offer(1.9, 0, 50, 50, 60, 60)
  collector.offer(0.4, 0, 80, 80, 90, 90)
  const found = collector.finish(letterboxOf({ x: 0, y: 0, ...size }, size))
  expect(found.map(({ confidence, box }) => [confidence, box.x])).toEqual([
    [1, 50],
    [1, 0],
    [0.4, 80],
  ])
})
