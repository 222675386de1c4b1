import { describe, expect, test } from 'vitest'
import { type Telemetry } from '../../core/telemetry.ts'
import { createTilePlanner, isSky } from './tile-planner.ts'

const hd = { width: 1920, height: 1080 }

interface Setting {
  readonly telemetry?: Telemetry
  readonly isOnGround?: boolean
  readonly minFps?: number | null
}

function setUp({ telemetry = {}, isOnGround = true, minFps = 2 }: Setting = {}) {
  let values: Telemetry | undefined = telemetry
  const planner = createTilePlanner({
    canvas: { width: 640, height: 640 },
    trainedSize: { objectM: 3.2, minPx: 20, maxPx: 35 },
    isOnGround,
    telemetryAt: () => values,
    minFps,
  })
  return {
    planner,
    /** After the first look, which is always slow. */
    warmUp: (lookMs: number) => {
      planner.noteLook(900)
      planner.noteLook(lookMs)
    },
    setTelemetry: (next: Telemetry | undefined) => (values = next),
    /** How often the model looks at a picture of this moment. */
    looks: (atMs: number, picture = hd) => planner.lookAt(picture, atMs).regions.length,
  }
}
const down = (heightM: number): Telemetry => ({ relAltitudeM: heightM, cameraPitchDeg: -90, hfovDeg: 70, vfovDeg: 43 })

describe('createTilePlanner', () => {
  test('the first picture is looked at whole; then it is known what the machine can do', () => {
    const { planner, looks } = setUp({ telemetry: down(100) })
    expect(looks(0)).toBe(1)
    planner.noteLook(245)
    expect(looks(100)).toBe(1)
    planner.noteLook(50)
    expect(looks(200)).toBe(3)
    expect(planner.tiling).toMatchObject({ grid: { columns: 2, rows: 1 }, looks: 3 })
  })

  test('a slow machine looks less often, so that two pictures a second remain', () => {
    const { warmUp, looks } = setUp({ telemetry: down(200) })
    warmUp(160)
    expect(looks(0)).toBe(3)
  })

  test('where time does not matter, neither does the machine', () => {
    const { warmUp, looks } = setUp({ telemetry: down(120), minFps: null })
    warmUp(5000)
    expect(looks(0)).toBe(3)
  })

  test('it plans anew when the height changes, but not for little, nor at once', () => {
    const { warmUp, looks, setTelemetry } = setUp({ telemetry: down(60) })
    warmUp(10)
    expect(looks(0)).toBe(1)
    setTelemetry(down(75))
    expect(looks(10_000)).toBe(1)
    setTelemetry(down(120))
    expect(looks(20_000)).toBe(3)
    setTelemetry(down(60))
    expect(looks(21_000)).toBe(3)
    expect(looks(22_000)).toBe(1)
  })

  test('around a border it does not flicker', () => {
    const { warmUp, looks, setTelemetry } = setUp({ telemetry: down(76) })
    warmUp(10)
    const seen = new Set<number>()
    for (let at = 0; at < 60_000; at += 500) {
      setTelemetry(down(at % 1000 === 0 ? 76 : 82))
      seen.add(looks(at))
    }
    expect(seen.size).toBe(1)
  })

  test('another size of the picture is planned for at once', () => {
    const { warmUp, looks } = setUp({ telemetry: down(60) })
    warmUp(10)
    expect(looks(0)).toBe(1)
    expect(looks(1, { width: 960, height: 1920 })).toBe(3)
  })

  test('tiles with nothing but sky are left out, where all that is reported stands on the ground', () => {
    const level = { relAltitudeM: 100, cameraPitchDeg: 10, cameraRollDeg: 0, hfovDeg: 70, vfovDeg: 50 }
    const all = setUp({ telemetry: level, isOnGround: false })
    const ground = setUp({ telemetry: level })
    for (const { warmUp } of [all, ground]) warmUp(10)
    expect(all.looks(0)).toBe(9)
    expect(ground.looks(0)).toBe(5)
    expect(ground.planner.tiling!.looks).toBe(5)
    expect(ground.planner.tiling!.sentence).toContain('Tiles with nothing but sky are left out: 4.')
  })

  test('tiles of sky take no time from the others', () => {
    const level = { relAltitudeM: 100, cameraPitchDeg: 10, cameraRollDeg: 0, hfovDeg: 70, vfovDeg: 50 }
    const { planner, warmUp, looks } = setUp({ telemetry: level })
    // Five looks fit: the four tiles of eight that show the ground, and the whole picture.
    warmUp(95)
    expect(looks(0)).toBe(5)
    expect(planner.tiling).toMatchObject({ grid: { columns: 4, rows: 2 }, looks: 5 })
  })

  test('when the sky goes out of sight, there is time for fewer tiles', () => {
    const level = { relAltitudeM: 100, cameraPitchDeg: 10, cameraRollDeg: 0, hfovDeg: 70, vfovDeg: 50 }
    const { warmUp, looks, setTelemetry } = setUp({ telemetry: level })
    warmUp(95)
    looks(0)
    setTelemetry({ ...level, cameraPitchDeg: -30 })
    expect(looks(2000)).toBeLessThanOrEqual(5)
  })

  test('the plan says what is assumed no more', () => {
    const { planner, warmUp, looks, setTelemetry } = setUp()
    warmUp(10)
    looks(0)
    expect(planner.tiling!.sentence).toContain('assumes')
    setTelemetry(down(60))
    looks(2000)
    expect(planner.tiling!.sentence).not.toContain('assumes')
    setTelemetry({ relAltitudeM: 60 })
    looks(4000)
    expect(planner.tiling!.sentence).toContain('assumes a camera that looks straight down')
  })

  test.each([
    { name: 'a machine that becomes slower looks less often', from: 55, to: 99, before: 9, after: 3 },
    { name: 'a machine that becomes faster looks more often', from: 170, to: 126, before: 1, after: 3 },
    { name: 'a machine that can do just a little more does not', from: 170, to: 160, before: 1, after: 1 },
  ])('$name', ({ from, to, before, after }) => {
    const { planner, warmUp, looks } = setUp({ telemetry: down(250) })
    warmUp(from)
    expect(looks(0)).toBe(before)
    for (let at = 500; at <= 20_000; at += 500) {
      for (let look = looks(at); look > 0; look--) planner.noteLook(to)
    }
    expect(looks(20_500)).toBe(after)
  })

  test('whatever looks take, two pictures a second remain after a while', () => {
    const { planner, looks } = setUp({ telemetry: down(250) })
    for (const lookMs of [245, 126, 60, 30, 90, 200, 99, 55, 70, 240]) {
      let at = 0
      for (let picture = 0; picture < 60; picture++) {
        at += 500
        for (let look = looks(at); look > 0; look--) planner.noteLook(lookMs)
      }
      expect(looks(at + 500) * lookMs).toBeLessThanOrEqual(500)
    }
  })
})

describe('sky', () => {
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
})
