import { describe, expect, test } from 'vitest'
import { isSky } from './sky.ts'

const picture = { width: 1600, height: 900 }
const upper = { x: 0, y: 0, width: 1600, height: 200 }
const lower = { x: 0, y: 700, width: 1600, height: 200 }
const camera = { hfovDeg: 70, vfovDeg: 43, cameraPitchDeg: 0, cameraRollDeg: 0, relAltitudeM: 80 }

describe('isSky', () => {
  test.each([
    { name: 'the upper part of a level view', region: upper, change: {}, sky: true },
    { name: 'the lower part', region: lower, change: {}, sky: false },
    { name: 'everything, by a camera that looks up', region: lower, change: { cameraPitchDeg: 40 }, sky: true },
    { name: 'the upper part of a view down', region: upper, change: { cameraPitchDeg: -20 }, sky: false },
    {
      name: 'a region that only just begins above the horizon',
      region: { ...upper, height: 440 },
      change: {},
      sky: false,
    },
    { name: 'the upper part, with the camera rolled', region: upper, change: { cameraRollDeg: 30 }, sky: false },
    { name: 'the lower part, upside down', region: lower, change: { cameraRollDeg: 180 }, sky: true },
    { name: 'seen from low down', region: upper, change: { relAltitudeM: 10 }, sky: false },
    { name: 'without a pitch', region: upper, change: { cameraPitchDeg: undefined }, sky: false },
    { name: 'without a field of view', region: upper, change: { vfovDeg: undefined }, sky: false },
    { name: 'without a height', region: upper, change: { relAltitudeM: undefined }, sky: false },
  ])('$name: $sky', ({ region, change, sky }) => {
    expect(isSky(region, picture, { ...camera, ...change })).toBe(sky)
  })
})
