import { type LocatedPicture, type TrackedPicture } from '../picture.ts'
import { type Stage } from '../stage.ts'
import { type Geolocation } from './geolocation.ts'

/** Puts the tracks of every picture on the Earth, and the camera that took it. */
export function geolocate(geolocation: Pick<Geolocation, 'locate'>): Stage<TrackedPicture, LocatedPicture> {
  return async function* (pictures) {
    for await (const picture of pictures) {
      const { width, height } = picture.decoded
      const { takenAtMs } = picture
      const { tracks, camera } = geolocation.locate(picture.tracks, { width, height, takenAtMs })
      yield { ...picture, tracks, ...(camera && { camera }) }
    }
  }
}
