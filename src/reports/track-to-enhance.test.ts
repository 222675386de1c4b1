import { expect, test } from 'vitest'
import { type TrackPictureRow } from '../storage/schema.ts'
import { toTrackToEnhance } from './track-to-enhance.ts'

const picture: TrackPictureRow = {
  process_id: 'p',
  track_id: 1,
  role: 'crop',
  slot: 0,
  file: 'reports/p/1-crop-0.jpg',
  size_bytes: 9,
  confidence: 0.8,
  quality: 1,
  taken_at: 0,
}

test('the worker is told where the pictures are, and how large the track looks in the middle', () => {
  const sizes = [
    [1, 4, null],
    [3, 6, 100],
    [2, 5, 200],
  ] as const
  expect(toTrackToEnhance('drone', [picture], sizes, (file) => `/data/${file}`)).toEqual({
    className: 'drone',
    pictures: [{ file: '/data/reports/p/1-crop-0.jpg', confidence: 0.8, role: 'crop' }],
    angularWidthDeg: 2,
    angularHeightDeg: 5,
    distanceM: 150,
    // 100 m at 3° is 5.24 m, 200 m at 2° is 6.98 m.
    groundWidthM: expect.closeTo(6.11, 2) as number,
  })
})

test('what is not known is left out', () =>
  expect(toTrackToEnhance('car', [], [], String)).toEqual({ className: 'car', pictures: [] }))
