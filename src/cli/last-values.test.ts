import { expect, test } from 'vitest'
import { createLastValues } from './last-values.ts'

test('each field keeps its newest value', () => {
  const last = createLastValues()
  last.update({ timeMs: 1000, altitudeM: 100, hfovDeg: 60, fovRule: 'square-pixels' })
  last.update({ timeMs: 3000, latitudeDeg: 48, longitudeDeg: 11, altitudeM: 110 })
  expect(last.update({ timeMs: 2000, altitudeM: 999, cameraYawDeg: 5 })).toEqual({
    altitudeM: 110,
    hfovDeg: 60,
    fovRule: 'square-pixels',
    latitudeDeg: 48,
    longitudeDeg: 11,
    cameraYawDeg: 5,
  })
})

test('a lost fix takes the place away', () => {
  const last = createLastValues()
  last.update({ timeMs: 1000, latitudeDeg: 48, longitudeDeg: 11, altitudeM: 100 })
  expect(last.update({ timeMs: 2000, hasNoFix: true })).toEqual({ altitudeM: 100 })
})

test('a new beginning forgets all', () => {
  const last = createLastValues()
  last.update({ timeMs: 9000, altitudeM: 100 })
  expect(last.update({ timeMs: 1000, cameraYawDeg: 3, startsAnew: true })).toEqual({ cameraYawDeg: 3 })
})
