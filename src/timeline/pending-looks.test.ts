import { expect, test } from 'vitest'
import { aLookAt, aSceneAt } from '../../test/builders/recorded-looks.ts'
import { createPendingLooks, toRecordedLook } from './pending-looks.ts'

const aProcess = (processId: string, sourceId = 'cam', accountId = 'bob') => ({ processId, sourceId, accountId })

test('what is taken is that of a process, a source or an account, and once', () => {
  const pending = createPendingLooks()
  for (const process of [aProcess('p'), aProcess('q', 'gate'), aProcess('r', 'yard', 'eve')])
    pending.add(process, aSceneAt(1_000))
  const taken = (filter?: Parameters<typeof pending.take>[0]) =>
    pending.take(filter).map(({ process }) => process.processId)
  expect(taken({ sourceId: 'gate' })).toEqual(['q'])
  expect(taken({ accountId: 'eve' })).toEqual(['r'])
  expect(taken({ processId: 'q' })).toEqual([])
  expect(taken()).toEqual(['p'])
})

test('it says how many sightings wait', () => {
  const pending = createPendingLooks()
  expect(pending.add(aProcess('p'), aSceneAt(0, [1, 2]))).toBe(2)
  expect(pending.add(aProcess('p'), aSceneAt(1, [1, 2, 3]))).toBe(5)
  pending.take()
  expect(pending.add(aProcess('p'), aSceneAt(2, []))).toBe(0)
})

test('what is put back goes before what came meanwhile', () => {
  const pending = createPendingLooks()
  pending.add(aProcess('p'), aSceneAt(1_000))
  const [taken] = pending.take()
  pending.add(aProcess('p'), aSceneAt(2_000))
  pending.putBack(taken!)
  expect(pending.take()[0]!.looks).toEqual([aLookAt(1_000), aLookAt(2_000)])
})

test('of more than fits the newest are lost, and counted; what is taken makes room', () => {
  const pending = createPendingLooks(1_000)
  for (const at of [1, 2, 3, 4]) pending.add(aProcess('p'), aSceneAt(at))
  expect(pending.takeLost()).toBe(2)
  expect(pending.takeLost()).toBe(0)
  expect(pending.take()[0]!.looks).toEqual([aLookAt(1), aLookAt(2)])
  pending.add(aProcess('p'), aSceneAt(5))
  expect(pending.takeLost()).toBe(0)
})

test('places of tracks and the camera are kept, what is in reports is not', () => {
  const scene = aSceneAt(1_000)
  const point = { latitudeDeg: 48.1, longitudeDeg: 11.5, altitudeM: 520 }
  const location = { azimuthDeg: 1, elevationDeg: 2, point, errorM: 3, telemetryAgeMs: 4 }
  const look = toRecordedLook({
    ...scene,
    tracks: scene.tracks.map((track) => ({ ...track, location })),
    camera: { point, headingDeg: 90, footprint: [point] },
  })
  const [track] = aLookAt(1_000).tracks
  expect(look).toEqual({ ...aLookAt(1_000), tracks: [{ ...track, point }], camera: { point, headingDeg: 90 } })
})
