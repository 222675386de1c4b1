import { expect, test } from 'vitest'
import { latestFieldsOfView } from './telemetry.ts'

test('fields of view are known until they are told anew, or the sender begins anew', () => {
  const wide = latestFieldsOfView(undefined, { timeMs: 1, hfovDeg: 60, vfovDeg: 40, latitudeDeg: 51 })
  expect(wide).toEqual({ timeMs: 1, hfovDeg: 60, vfovDeg: 40 })
  expect(latestFieldsOfView(wide, { timeMs: 2, latitudeDeg: 51 })).toBe(wide)
  expect(latestFieldsOfView(wide, { timeMs: 3, hfovDeg: 30 })).toEqual({ timeMs: 3, hfovDeg: 30, vfovDeg: 40 })
  expect(latestFieldsOfView(wide, { timeMs: 4, latitudeDeg: 51, startsAnew: true })).toBeUndefined()
})
