import { type DetectionMessage } from '@aerie/client'
import { expect, test } from 'vitest'
import { createTrails } from './trails.ts'

const seen = (sequence: number, ...tracks: [id: number, x: number][]) =>
  ({
    sequence,
    active_tracks: tracks.map(([track_id, x]) => ({ track_id, scaled_bbox: [x, 0.5, 0.5, 0.25] })),
  }) as unknown as DetectionMessage

test('a trail is where the box stood, and goes with its track', () => {
  const trails = createTrails()
  trails.add(seen(1, [7, 0]))
  trails.add(seen(2, [7, 0.25]))
  trails.add(seen(2, [7, 0.25]))
  expect(trails.of(7)).toEqual([
    [0.25, 0.75],
    [0.5, 0.75],
  ])
  trails.add(seen(3))
  expect(trails.of(7)).toEqual([])
})

test('it is no longer than forty places, and nothing without tracking has one', () => {
  const trails = createTrails()
  for (let i = 0; i < 100; i++) trails.add(seen(i, [7, 0], [0, 0]))
  expect(trails.of(7)).toHaveLength(40)
  expect(trails.of(0)).toEqual([])
})
