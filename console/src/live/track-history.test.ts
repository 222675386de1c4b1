import { type DetectionMessage } from '@aerie/client'
import { expect, test } from 'vitest'
import { createTrackHistory } from './track-history.ts'

const seen = (...ids: number[]) =>
  ({
    active_tracks: ids.map((track_id) => ({ track_id, class_name: 'person', confidence: 90 })),
  }) as unknown as DetectionMessage

test('a track lives from its first scene to its last, and is forgotten after a minute', () => {
  const history = createTrackHistory()
  history.add(seen(1, 2), 0)
  history.add(seen(2), 1_000)
  expect(history.list(2_000).map(({ trackId, firstMs, lastMs }) => [trackId, firstMs, lastMs])).toEqual([
    [2, 0, 1_000],
    [1, 0, 0],
  ])
  expect(history.list(60_500).map(({ trackId }) => trackId)).toEqual([2])
})

test('thirty are enough to look at, and what has no id is none', () => {
  const history = createTrackHistory()
  history.add(seen(0, ...Array.from({ length: 50 }, (_, index) => index + 1)), 0)
  expect(history.list(0)).toHaveLength(30)
})
