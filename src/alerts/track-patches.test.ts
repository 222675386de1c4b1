import { expect, test } from 'vitest'
import { aTrack, sceneAt } from '../../test/builders/alerts.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { createTrackPatches } from './track-patches.ts'

const aPicture = (trackId: number, jpeg = Buffer.from('x')): TrackPicture => ({
  trackId,
  role: 'patch',
  slot: 0,
  takenAtMs: 0,
  confidence: 1,
  quality: 1,
  jpeg,
})

test('the newest patch of a track is kept; crops and what is too large are not', () => {
  const patches = createTrackPatches()
  patches.add([aPicture(1, Buffer.from('old')), { ...aPicture(2), role: 'crop' }, aPicture(3, Buffer.alloc(100_000))])
  patches.add([aPicture(1, Buffer.from('new'))])
  expect([1, 2, 3].map((id) => patches.base64Of(id))).toEqual([Buffer.from('new').toString('base64'), null, null])
})

test('the oldest go when there are too many', () => {
  const patches = createTrackPatches()
  for (let id = 1; id <= 250; id++) patches.add([aPicture(id)])
  const kept = Array.from({ length: 250 }, (_, index) => index + 1).filter((id) => patches.base64Of(id) !== null)
  expect([kept.length, kept[0]]).toEqual([200, 51])
})

test('who is no longer seen is let go', () => {
  const patches = createTrackPatches()
  patches.add([aPicture(1), aPicture(2)])
  for (let index = 0; index < 600; index++) patches.keepFor(sceneAt(index, [aTrack(1, [0.5, 0.5])]))
  expect([1, 2].map((id) => patches.base64Of(id) !== null)).toEqual([true, false])
})
