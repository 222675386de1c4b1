import { describe, expect, test } from 'vitest'
import { aBrief, aTrackPicture, sceneOf, seen } from '../../test/builders/report.ts'
import { createPendingSightings, type Pending } from './pending-sightings.ts'

const scene = (tracks: number, takenAtMs = 1_000) =>
  sceneOf(
    takenAtMs,
    Array.from({ length: tracks }, (_, index) => seen(index + 1)),
  )
const framesOf = (taken: ReadonlyMap<string, Pending>, processId: string) =>
  taken.get(processId)?.scenes.map(({ takenAtMs }) => takenAtMs)

describe('scenes', () => {
  test('are taken out once, of one process or of all', () => {
    const pending = createPendingSightings()
    for (const processId of ['one', 'two']) pending.addScene(aBrief(processId), scene(1), 5)
    expect([...pending.take({ processId: 'one' }).keys()]).toEqual(['one'])
    expect([...pending.take().keys()]).toEqual(['two'])
    expect(pending.isEmpty).toBe(true)
  })

  test('that are put back come before what was seen since, and the newest frame stays the last', () => {
    const pending = createPendingSightings()
    pending.addScene(aBrief('one'), scene(1, 1_000), 5)
    const before = pending.take().get('one')!
    pending.addScene(aBrief('one'), scene(1, 2_000), 6)
    pending.putBack('one', { ...before, refusals: 2 })
    const taken = pending.take()
    expect(framesOf(taken, 'one')).toEqual([1_000, 2_000])
    expect(taken.get('one')).toMatchObject({ refusals: 2, size: 4, lastFrame: { takenAt: 2_000, heardAt: 6 } })
  })

  test('of one process fill at most half of the room; how much was lost is asked for once', () => {
    const pending = createPendingSightings()
    for (let frame = 0; frame < 101; frame++) pending.addScene(aBrief('one'), scene(999), 5)
    pending.addScene(aBrief('two'), scene(999), 5)
    expect([pending.takeLost(), pending.takeLost()]).toEqual([999, 0])
    const taken = pending.take()
    expect([framesOf(taken, 'one'), framesOf(taken, 'two')]).toMatchObject([{ length: 100 }, { length: 1 }])
  })

  test('that are put back take up room again', () => {
    const pending = createPendingSightings()
    for (let frame = 0; frame < 100; frame++) pending.addScene(aBrief('one'), scene(999), 5)
    const before = pending.take().get('one')!
    pending.addScene(aBrief('one'), scene(999), 5)
    expect(pending.takeLost()).toBe(0)
    pending.putBack('one', before)
    pending.addScene(aBrief('one'), scene(999), 5)
    expect(pending.takeLost()).toBe(999)
  })
})

describe('pictures', () => {
  const large = (trackId: number, quality = 1) =>
    aTrackPicture(trackId, { quality, jpeg: new Uint8Array(30 * 2 ** 20) })
  const idsOf = (taken: ReadonlyMap<string, Pending>) =>
    [...(taken.get('one')?.pictures.values() ?? [])].map(({ trackId }) => trackId)

  test('are the newest of each track, role and slot', () => {
    const pending = createPendingSightings()
    pending.addPictures(aBrief('one'), [
      aTrackPicture(1, { quality: 1 }),
      aTrackPicture(1, { quality: 2 }),
      aTrackPicture(1, { slot: 1 }),
    ])
    expect([...pending.take().get('one')!.pictures.values()]).toMatchObject([{ quality: 2 }, { slot: 1 }])
  })

  test('beyond the bound are left out, until those that were taken are released', () => {
    const pending = createPendingSightings()
    pending.addPictures(aBrief('one'), [large(1), large(2), large(3)])
    const taken = pending.take()
    expect(idsOf(taken)).toEqual([1, 2])
    pending.addPictures(aBrief('one'), [large(4)])
    expect(idsOf(pending.take())).toEqual([])
    pending.releasePictures(taken)
    pending.addPictures(aBrief('one'), [large(5)])
    expect(idsOf(pending.take())).toEqual([5])
  })

  test('that are put back do not replace newer ones, and count again', () => {
    const pending = createPendingSightings()
    pending.addPictures(aBrief('one'), [large(1, 1), large(2, 1)])
    const taken = pending.take()
    pending.releasePictures(taken)
    pending.addPictures(aBrief('one'), [large(1, 2)])
    pending.putBack('one', taken.get('one')!)
    pending.addPictures(aBrief('one'), [large(3)])
    const again = pending.take()
    expect([...again.get('one')!.pictures.values()].map(({ trackId, quality }) => [trackId, quality])).toEqual([
      [1, 2],
      [2, 1],
    ])
  })
})
