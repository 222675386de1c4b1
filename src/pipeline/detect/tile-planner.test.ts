import { describe, expect, test } from 'vitest'
import { type Telemetry } from '../../core/telemetry.ts'
import { createTilePlanner } from './tile-planner.ts'

const hd = { width: 1920, height: 1080 }

interface Setting {
  readonly telemetry?: Telemetry
  readonly isOnGround?: boolean
  readonly leastFps?: number | null
}

function setUp({ telemetry = {}, isOnGround = true, leastFps = 2 }: Setting = {}) {
  let values: Telemetry | undefined = telemetry
  const planner = createTilePlanner({
    canvas: { width: 640, height: 640 },
    trainedSize: { objectM: 3.2, leastPx: 20, mostPx: 35 },
    isOnGround,
    telemetryAt: () => values,
    leastFps,
  })
  return {
    planner,
    tell: (told: Telemetry | undefined) => (values = told),
    /** How often the model looks at a picture of this moment. */
    looks: (atMs: number, picture = hd) => planner.lookAt(picture, atMs).regions.length,
  }
}
const down = (heightM: number): Telemetry => ({ relAltitudeM: heightM, cameraPitchDeg: -90, hfovDeg: 70, vfovDeg: 43 })

describe('createTilePlanner', () => {
  test('the first picture is looked at whole; then it is known what the machine can do', () => {
    const { planner, looks } = setUp({ telemetry: down(100) })
    expect(looks(0)).toBe(1)
    planner.noteLook(50)
    expect(looks(100)).toBe(3)
    expect(planner.tiling).toMatchObject({ grid: { columns: 2, rows: 1 }, looks: 3 })
  })

  test('a slow machine looks less often, so that two pictures a second remain', () => {
    const { planner, looks } = setUp({ telemetry: down(200) })
    planner.noteLook(160)
    expect(looks(0)).toBe(3)
  })

  test('where time does not matter, neither does the machine', () => {
    const { planner, looks } = setUp({ telemetry: down(120), leastFps: null })
    planner.noteLook(5000)
    expect(looks(0)).toBe(3)
  })

  test('it plans anew when the height changes, but not for little, nor at once', () => {
    const { planner, looks, tell } = setUp({ telemetry: down(60) })
    planner.noteLook(10)
    expect(looks(0)).toBe(1)
    tell(down(75))
    expect(looks(10_000)).toBe(1)
    tell(down(120))
    expect(looks(20_000)).toBe(3)
    tell(down(60))
    expect(looks(21_000)).toBe(3)
    expect(looks(22_000)).toBe(1)
  })

  test('around a border it does not flicker', () => {
    const { planner, looks, tell } = setUp({ telemetry: down(76) })
    planner.noteLook(10)
    const seen = new Set<number>()
    for (let at = 0; at < 60_000; at += 500) {
      tell(down(at % 1000 === 0 ? 76 : 82))
      seen.add(looks(at))
    }
    expect(seen.size).toBe(1)
  })

  test('another size of the picture is planned for at once', () => {
    const { planner, looks } = setUp({ telemetry: down(60) })
    planner.noteLook(10)
    expect(looks(0)).toBe(1)
    expect(looks(1, { width: 960, height: 1920 })).toBe(3)
  })

  test('tiles with nothing but sky are left out, where all that is told stands on the ground', () => {
    const level = { relAltitudeM: 100, cameraPitchDeg: 10, cameraRollDeg: 0, hfovDeg: 70, vfovDeg: 50 }
    const all = setUp({ telemetry: level, isOnGround: false })
    const ground = setUp({ telemetry: level })
    for (const { planner } of [all, ground]) planner.noteLook(10)
    expect(all.looks(0)).toBe(9)
    expect(ground.looks(0)).toBe(5)
  })
})
