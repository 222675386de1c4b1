import { describe, expect, test } from 'vitest'
import { joinInRounds, selectDetections } from './association.ts'
import { createLiveTrack, type LiveTrack, type TrackerInput } from './live-track.ts'
import { defaultTrackerOptions } from './tracker-options.ts'

const person = (x: number, confidence = 0.9): TrackerInput => ({
  box: { x, y: 0, width: 40, height: 100 },
  confidence,
  classId: 0,
  className: 'person',
})

function aTrack(id: number, x: number, seenMs = 1000): LiveTrack {
  return Object.assign(createLiveTrack(person(x), seenMs), { id })
}

describe('joining in rounds', () => {
  const moment = { nowMs: 1100, seconds: 0.1, typicalSeconds: 0.1 }

  function joined(tracks: readonly LiveTrack[], detections: readonly TrackerInput[]) {
    const { pairs, unmatched } = joinInRounds(tracks, detections, moment, defaultTrackerOptions)
    return {
      pairs: pairs.map(({ track, detection }) => [track.id, detection.box.x]),
      left: unmatched.map(({ box }) => box.x),
    }
  }

  test.each([
    {
      name: 'each track has what overlaps it best',
      tracks: [aTrack(1, 0), aTrack(2, 30)],
      at: [person(32), person(2)],
      pairs: [
        [1, 2],
        [2, 32],
      ],
      left: [],
    },
    {
      name: 'what is far from all tracks is left',
      tracks: [aTrack(1, 0)],
      at: [person(0), person(500)],
      pairs: [[1, 0]],
      left: [500],
    },
    {
      name: 'a known track comes before a tentative one',
      tracks: [aTrack(0, 0), aTrack(1, 8)],
      at: [person(0)],
      pairs: [[1, 0]],
      left: [],
    },
    {
      name: 'the tentative one has what the known one leaves',
      tracks: [aTrack(0, 0), aTrack(1, 8)],
      at: [person(0), person(8)],
      pairs: [
        [1, 8],
        [0, 0],
      ],
      left: [],
    },
    {
      name: 'a weak detection continues a track just seen',
      tracks: [aTrack(1, 0)],
      at: [person(0, 0.5)],
      pairs: [[1, 0]],
      left: [],
    },
    { name: 'but none that was lost before', tracks: [aTrack(1, 0, 500)], at: [person(0, 0.5)], pairs: [], left: [0] },
    {
      name: 'a strong one continues that too',
      tracks: [aTrack(1, 0, 500)],
      at: [person(0, 0.7)],
      pairs: [[1, 0]],
      left: [],
    },
    {
      name: 'what is too faint continues nothing',
      tracks: [aTrack(1, 0), aTrack(0, 0)],
      at: [person(0, 0.4)],
      pairs: [],
      left: [0],
    },
  ])('$name', ({ tracks, at, pairs, left }) => expect(joined(tracks, at)).toEqual({ pairs, left }))
})

describe('selecting detections', () => {
  const select = (detections: readonly TrackerInput[], limit = 10) =>
    selectDetections(detections, { ...defaultTrackerOptions, limit }, ({ box }) => box.x >= 0).map(({ box }) => box.x)

  test('the most confident come first, up to the limit', () => {
    const detections = [person(0, 0.5), person(100, 0.9), person(200, 0.7)]
    expect([select(detections), select(detections, 2)]).toEqual([
      [100, 200, 0],
      [100, 200],
    ])
  })

  test('faint, unusable and doubled ones are left out', () => {
    expect(select([person(0, 0.09), person(-5), person(100, 0.8), person(101, 0.9)])).toEqual([101])
  })
})
