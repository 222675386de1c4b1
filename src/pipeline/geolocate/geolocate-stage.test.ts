import { expect, test } from 'vitest'
import { type SceneCamera, type SceneTrack } from '../../core/scene.ts'
import { type LocatedPicture, type TrackedPicture } from '../picture.ts'
import { geolocate } from './geolocate-stage.ts'
import { type LocatedFrame } from './geolocator.ts'

const track: SceneTrack = {
  id: 1,
  classId: 0,
  className: 'person',
  box: { x: 1, y: 2, width: 3, height: 4 },
  confidence: 0.5,
}
const camera: SceneCamera = { point: { latitudeDeg: 1, longitudeDeg: 2, altitudeM: 3 }, headingDeg: 90, footprint: [] }
const picture = {
  takenAtMs: 77,
  tracks: [track],
  known: [1],
  decoded: { width: 200, height: 100 },
} as unknown as TrackedPicture

async function* one(): AsyncGenerator<TrackedPicture, void, undefined> {
  yield picture
}

test.each([
  { name: 'a camera that is known goes along', camera },
  { name: 'none is claimed where none is known', camera: undefined },
])('tracks get their places at the moment of their picture; $name', async ({ camera }) => {
  const location = { azimuthDeg: 1, elevationDeg: 2, telemetryAgeMs: 0 }
  const frames: LocatedFrame[] = []
  const stage = geolocate({
    locate(tracks, frame) {
      frames.push(frame)
      return { tracks: tracks.map((each) => ({ ...each, location })), camera }
    },
  })
  const located: LocatedPicture[] = []
  for await (const each of stage(one())) located.push(each)
  expect(located).toEqual([{ ...picture, tracks: [{ ...track, location }], ...(camera && { camera }) }])
  expect(frames).toEqual([{ width: 200, height: 100, takenAtMs: 77 }])
})
