import { expect, test } from 'vitest'
import { cameraOf } from './footprint.ts'
import { fixedTelemetry } from './telemetry-buffer.ts'
import { viewOf } from './view.ts'

const values = {
  latitudeDeg: 51.5,
  longitudeDeg: 0,
  altitudeM: 100,
  relAltitudeM: 100,
  cameraYawDeg: 0,
  cameraPitchDeg: -90,
  cameraRollDeg: 0,
  hfovDeg: 90,
  vfovDeg: 90,
}
const frame = { width: 100, height: 100 }
const look = (change: Partial<typeof values>) =>
  cameraOf(viewOf(fixedTelemetry({ ...values, ...change })(0), frame, false)!)!

/** Metres north and east of the camera. */
const metres = ({ latitudeDeg, longitudeDeg }: { latitudeDeg: number; longitudeDeg: number }) => [
  Math.round((latitudeDeg - 51.5) * 111_250),
  Math.round(longitudeDeg * 111_320 * Math.cos((51.5 * Math.PI) / 180)),
]

test('straight down, a camera sees a square as wide as it is high', () => {
  const { footprint, headingDeg } = look({})
  expect(headingDeg).toBe(0)
  expect(footprint.map(metres)).toEqual([
    [-100, -100],
    [-100, 100],
    [100, 100],
    [100, -100],
  ])
})

test('a view with the horizon ends a kilometre away', () => {
  const { footprint } = look({ cameraPitchDeg: -20 })
  expect(footprint).toHaveLength(4)
  expect(Math.max(...footprint.map((point) => Math.hypot(...(metres(point) as [number, number]))))).toBeLessThan(1001)
})

test('a view of the sky has no footprint', () => {
  expect(look({ cameraPitchDeg: 60 }).footprint).toEqual([])
})
