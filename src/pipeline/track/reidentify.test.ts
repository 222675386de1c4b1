import { describe, expect, test } from 'vitest'
import { type TrackerInput } from './live-track.ts'
import { type PlaneTransform } from './plane-transform.ts'
import { createTracker } from './tracker.ts'

const drone = (x: number, y: number, side = 20, name = 'drone', confidence = 0.6): TrackerInput => ({
  box: { x, y, width: side, height: side },
  confidence,
  classId: name === 'drone' ? 0 : 3,
  className: name,
})

/** Half a second of one scene, a gap, and half a second of another, at 30 frames a second; answers the ids of each, and the last tracks. */
function follow(before: TrackerInput[], gapSeconds: number, after: TrackerInput[], reidentifyDistance = 4) {
  const tracker = createTracker({ assumedConfidence: 0.65, reidentifyDistance })
  const size = { width: 1920, height: 1080 }
  let timeMs = 0
  const half = (detections: TrackerInput[]) => {
    let ids: number[] = []
    let tracks: ReturnType<typeof tracker.update> = []
    for (let frame = 0; frame < 15; frame++) {
      tracks = tracker.update({ timeMs: (timeMs += 1000 / 30), detections, size })
      ids = tracks.filter(({ matchedNow }) => matchedNow).map(({ id }) => id)
    }
    return { ids, tracks }
  }
  const first = half(before)
  timeMs += 1000 * gapSeconds
  const second = half(after)
  return { before: first.ids, after: second.ids, tracks: second.tracks }
}

describe('a drone that is lost and turns up elsewhere', () => {
  test.each([
    { name: 'near by is the same', after: [drone(160, 100)], gap: 0, ids: [1] },
    { name: 'farther away is the same after more time', after: [drone(220, 100)], gap: 1, ids: [1] },
    { name: 'far away is another', after: [drone(220, 100)], gap: 0, ids: [2] },
    { name: 'much larger is another', after: [drone(150, 100, 50)], gap: 0, ids: [2] },
  ])('$name', ({ after, gap, ids }) => {
    expect(follow([drone(100, 100)], gap, after)).toMatchObject({ before: [1], after: ids })
  })

  test('may be either of two, and so is neither', () => {
    expect(follow([drone(100, 100), drone(180, 100)], 0, [drone(140, 140)]).after).toEqual([3])
  })

  test('is another while the first is still there', () => {
    expect(follow([drone(100, 100)], 0, [drone(100, 100), drone(160, 100)]).after).toEqual([1, 2])
  })

  test('is another beyond a quarter of the picture, however large it is', () => {
    expect(follow([drone(100, 100, 120)], 1.5, [drone(560, 100, 120)]).after).toEqual([1])
    expect(follow([drone(100, 100, 120)], 1.5, [drone(900, 100, 120)]).after).toEqual([2])
  })

  test('is another where both are sure to be different things', () => {
    expect(follow([drone(100, 100)], 0, [drone(160, 100, 20, 'bird')]).after).toEqual([2])
  })

  test('is another where the first has left the picture', () => {
    const ids = (speed: number) => {
      const tracker = createTracker({ assumedConfidence: 0.65, reidentifyDistance: 4 })
      const size = { width: 640, height: 512 }
      const seen = (x: number, frame: number) =>
        tracker.update({ timeMs: (frame * 1000) / 30, detections: [drone(x, 100)], size }).map(({ id }) => id)
      for (let frame = 0; frame < 15; frame++) seen(600 - speed * (14 - frame), frame)
      for (let frame = 15; frame < 30; frame++) tracker.update({ timeMs: (frame * 1000) / 30, detections: [], size })
      for (let frame = 30; frame < 45; frame++) seen(560, frame)
      return seen(560, 45).at(-1)
    }
    expect(ids(0)).toBe(1)
    expect(ids(8)).toBe(2)
  })

  test('is looked for where the camera has carried its place', () => {
    const ids = (shiftPx: number, x: number) => {
      const tracker = createTracker({ assumedConfidence: 0.65, reidentifyDistance: 4 })
      const size = { width: 1920, height: 1080 }
      const transform: PlaneTransform = [1, 0, shiftPx, 0, 1, 0, 0, 0, 1]
      const update = (frame: number, detections: TrackerInput[], isMoving: boolean) =>
        tracker.update({
          timeMs: (frame * 1000) / 30,
          detections,
          size,
          ...(isMoving && { cameraMotion: { transform, confidence: 1, isCut: false } }),
        })
      for (let frame = 0; frame < 15; frame++) update(frame, [drone(300, 100)], false)
      for (let frame = 15; frame < 30; frame++) update(frame, [], true)
      for (let frame = 30; frame < 45; frame++) update(frame, [drone(x, 100)], false)
      return update(45, [drone(x, 100)], false).at(-1)!.id
    }
    // The camera moves it to 900; a stranger at its old place in the picture is not it.
    expect(ids(40, 980)).toBe(1)
    expect(ids(40, 340)).toBe(2)
    expect(ids(0, 340)).toBe(1)
  })

  test('keeps its age and its name', () => {
    const { tracks } = follow([drone(100, 100)], 0, [drone(160, 100, 20, 'bird', 0.55)])
    expect(tracks).toHaveLength(1)
    expect(tracks[0]!.className).toBe('drone')
    expect(tracks[0]!.ageMs).toBeGreaterThan(900)
  })

  test('is another where things crowd', () => {
    expect(follow([drone(100, 100)], 0, [drone(160, 100)], 0).after).toEqual([2])
  })
})
