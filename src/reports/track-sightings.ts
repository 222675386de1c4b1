import { toPointFields } from '../core/geo-point.ts'
import { radiansPerDegree, rounded } from '../core/numbers.ts'
import { type Scene, type SceneTrack } from '../core/scene.ts'
import { type BoxNumbers, type FrameBox, type PlaceNumbers, type SeenLocation, type SizeNumbers } from './report.ts'

/** What was seen of one track in a few frames. */
export interface TrackSightings {
  readonly trackId: number
  readonly times: number[]
  /** Percent. */
  readonly confidences: number[]
  readonly boxes: FrameBox[]
  readonly places: (PlaceNumbers | null)[]
  readonly sizes: (SizeNumbers | null)[]
  /** The newest: the tracker votes by summed confidence over the track's whole life. */
  classId: number
  className: string
  firstLocation: SeenLocation | null
  lastLocation: SeenLocation | null
  box: BoxNumbers
}

/** Sorts the tracks out of frames; the first of them is number `framesBefore + 1`. Without tracking nothing has an identity. */
export function gatherSightings(scenes: readonly Scene[], framesBefore: number): Map<number, TrackSightings> {
  const gathered = new Map<number, TrackSightings>()
  scenes.forEach((scene, index) => {
    for (const track of scene.tracks) {
      if (track.id === 0) continue
      let sightings = gathered.get(track.id)
      if (!sightings) gathered.set(track.id, (sightings = newSightings(track.id)))
      addSighting(sightings, track, scene, framesBefore + index + 1)
    }
  })
  return gathered
}

function newSightings(trackId: number): TrackSightings {
  return {
    trackId,
    times: [],
    confidences: [],
    boxes: [],
    places: [],
    sizes: [],
    classId: -1,
    className: '',
    firstLocation: null,
    lastLocation: null,
    box: [0, 0, 0, 0],
  }
}

function addSighting(sightings: TrackSightings, track: SceneTrack, scene: Scene, frameNumber: number): void {
  const { box, confidence, location } = track
  const [x, y, width, height] = [rounded(box.x, 2), rounded(box.y, 2), rounded(box.width, 2), rounded(box.height, 2)]
  // Whole milliseconds as the detection messages have them.
  const takenAt = Math.floor(scene.takenAtMs)
  sightings.times.push(takenAt)
  sightings.confidences.push(rounded(confidence * 100, 2))
  sightings.boxes.push([frameNumber, x, y, width, height])
  sightings.box = [x, y, width, height]
  sightings.classId = track.classId
  sightings.className = track.className
  const point = location?.point
  const seen = point && { ...toPointFields(point), timestamp: takenAt / 1000 }
  sightings.places.push(seen ? [seen.latitude, seen.longitude, seen.altitude] : null)
  sightings.sizes.push(sizeOf(track))
  if (!seen) return
  sightings.firstLocation ??= seen
  sightings.lastLocation = seen
}

/**
 * How large the box looks, by the lens, and how far away it is. Apart where that was measured: a distance guessed from the usual
 * size would give that size back.
 */
function sizeOf({ box, location }: SceneTrack): SizeNumbers | null {
  if (!location?.focal) return null
  const { focal, source, distanceM } = location
  const angle = (pixels: number, focalPx: number) =>
    rounded((2 * Math.atan(pixels / 2 / focalPx)) / radiansPerDegree, 4)
  const distance = distanceM === undefined ? null : rounded(distanceM, 3)
  const isMeasured = source !== undefined && source !== 'size'
  return [angle(box.width, focal.focalX), angle(box.height, focal.focalY), isMeasured ? distance : null, distance]
}
