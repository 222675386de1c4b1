import { expect, test } from 'vitest'
import { type SceneTrack } from '../core/scene.ts'
import { createLatestTracks } from './overlay-tracks.ts'
import { type Track } from './track/track.ts'

const box = { x: 1, y: 2, width: 3, height: 4 }
const moved = { ...box, x: 9 }
const drawn = { id: 7, className: 'car', confidence: 0.5, box }
const seen: SceneTrack = {
  ...drawn,
  classId: 2,
  location: {
    azimuthDeg: 0,
    elevationDeg: 0,
    telemetryAgeMs: 0,
    point: { latitudeDeg: 1, longitudeDeg: 2, altitudeM: 3 },
  },
}

test('without a tracker they are drawn where they were seen last', () => {
  const latest = createLatestTracks(undefined)
  expect(latest.at(0)).toEqual([])
  latest.set([seen])
  expect(latest.at(0)).toEqual([{ ...drawn, latitude: 1, longitude: 2 }])
})

test('a tracker predicts them to the time of the picture, and they keep their last place on Earth', () => {
  const asked: number[] = []
  const predictAt = (timeMs: number): Track[] => {
    asked.push(timeMs)
    return [
      { ...seen, box: moved, matchedNow: true },
      { ...seen, id: 8, matchedNow: false },
    ] as unknown as Track[]
  }
  const latest = createLatestTracks({ predictAt })
  latest.set([seen])
  expect(latest.at(40)).toEqual([
    { ...drawn, box: moved, isGuessed: false, latitude: 1, longitude: 2 },
    { ...drawn, id: 8, isGuessed: true },
  ])
  expect(asked).toEqual([40])
})
