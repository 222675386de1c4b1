import { describe, expect, test } from 'vitest'
import { objectPixels, planTiles } from './auto-tiles.ts'
import { findEmbeddedModel } from './model-catalog.ts'

const hd = { width: 1920, height: 1080 }
const canvas = { width: 640, height: 640 }
const vehicles = { objectM: 3.2, minPx: 20, maxPx: 35 }
const plenty = 100

describe('planTiles', () => {
  test.each([
    { heightM: 10, pitchDeg: -90, hfovDeg: 70, grid: '1x1', scale: 0.083, looks: 1 },
    { heightM: 30, pitchDeg: -90, hfovDeg: 70, grid: '1x1', scale: 0.24, looks: 1 },
    { heightM: 60, pitchDeg: -90, hfovDeg: 70, grid: '1x1', scale: 0.333, looks: 1 },
    { heightM: 100, pitchDeg: -90, hfovDeg: 70, grid: '2x1', scale: 0.593, looks: 3 },
    { heightM: 120, pitchDeg: -90, hfovDeg: 70, grid: '2x1', scale: 0.593, looks: 3 },
    { heightM: 120, pitchDeg: -90, hfovDeg: 40, grid: '1x1', scale: 0.333, looks: 1 },
    { heightM: 60, pitchDeg: -30, hfovDeg: 70, grid: '2x1', scale: 0.593, looks: 3 },
    { heightM: 120, pitchDeg: -30, hfovDeg: 70, grid: '4x2', scale: 1.067, looks: 9 },
    { heightM: 200, pitchDeg: -90, hfovDeg: 84, grid: '4x2', scale: 1.067, looks: 9 },
    { heightM: 120, pitchDeg: 0, hfovDeg: 70, grid: '4x2', scale: 1.067, looks: 9 },
  ])('$heightM m, pitch $pitchDeg°, $hfovDeg° wide: $grid at scale $scale', (expected) => {
    const { grid, scale, looks, ...camera } = expected
    const tiling = planTiles({ picture: hd, canvas, trainedSize: vehicles, camera, maxLooks: plenty })
    expect(`${tiling.grid.columns}x${tiling.grid.rows}`).toBe(grid)
    expect(tiling.scale).toBeCloseTo(scale, 2)
    expect(tiling.looks).toBe(looks)
  })

  test('the CPU sets the bound, and the plan says so', () => {
    const camera = { heightM: 200, pitchDeg: -90, hfovDeg: 84 }
    const tiling = planTiles({ picture: hd, canvas, trainedSize: vehicles, camera, maxLooks: 3 })
    expect(tiling).toMatchObject({ grid: { columns: 2, rows: 1 }, looks: 3 })
    expect(tiling.sentence).toBe(
      '2x1: things of 3.2 m are 17 pixels large in the picture and 10 for the model. The CPU allows no more, 20 would be better.',
    )
    expect(planTiles({ picture: hd, canvas, trainedSize: vehicles, camera, maxLooks: 0 }).looks).toBe(1)
  })

  test('what telemetry does not say is assumed, and named', () => {
    const say = (camera: object) =>
      planTiles({ picture: hd, canvas, trainedSize: vehicles, camera, maxLooks: plenty }).sentence
    expect(say({})).toContain(
      'this assumes a height of 60 m, a camera that looks straight down, a horizontal field of view of 70°.',
    )
    expect(say({ heightM: 60, hfovDeg: 70 })).toContain('this assumes a camera that looks straight down.')
    expect(say({ heightM: 60, pitchDeg: -90, hfovDeg: 70 })).not.toContain('assumes')
  })

  test('a model of pictures that are taken otherwise assumes that', () => {
    const { trainedSize } = findEmbeddedModel('thermal')
    // As large as the pictures that it learnt from, which it is to see as they are.
    const picture = { width: 640, height: 512 }
    const tiling = planTiles({ picture, canvas, trainedSize, camera: {}, maxLooks: plenty })
    expect(tiling).toMatchObject({ looks: 1, scale: 1 })
    expect(tiling.sentence).toContain(
      'a height of 90 m, a camera that looks straight down, a horizontal field of view of 25°',
    )
  })

  test.each([
    { picture: { width: 640, height: 512 }, grid: { columns: 1, rows: 1 } },
    { picture: hd, grid: { columns: 2, rows: 2 } },
    { picture: { width: 3840, height: 2160 }, grid: { columns: 4, rows: 3 } },
  ])('where sizes are not known, $picture.width pixels keep their detail', ({ picture, grid }) => {
    const tiling = planTiles({ picture, canvas, trainedSize: undefined, camera: {}, maxLooks: plenty })
    expect(tiling).toMatchObject({ grid, shrink: 1 })
    expect(tiling.sentence).toContain('how large things are is not known')
  })

  test.each([
    { picture: { width: 640, height: 512 }, maxLooks: plenty, grid: '1x1', looks: 1 },
    { picture: { width: 1280, height: 720 }, maxLooks: plenty, grid: '3x2', looks: 7 },
    { picture: hd, maxLooks: plenty, grid: '4x2', looks: 9 },
    { picture: hd, maxLooks: 5, grid: '2x2', looks: 5 },
  ])('a model of tiny things gets more of $picture.width pixels, within $maxLooks looks', (expected) => {
    const { picture, maxLooks, grid, looks } = expected
    const tiling = planTiles({ picture, canvas, trainedSize: undefined, wantedDetail: 1, camera: {}, maxLooks })
    expect(`${tiling.grid.columns}x${tiling.grid.rows}`).toBe(grid)
    expect(tiling.looks).toBe(looks)
  })
})

test('things look half as large from twice the distance, and through a wider lens', () => {
  const near = objectPixels(hd, vehicles, { heightM: 50, pitchDeg: -90, hfovDeg: 70 })
  expect(objectPixels(hd, vehicles, { heightM: 100, pitchDeg: -90, hfovDeg: 70 })).toBeCloseTo(near / 2)
  expect(objectPixels(hd, vehicles, { heightM: 50, pitchDeg: -30, hfovDeg: 70 })).toBeCloseTo(near / 2)
  expect(objectPixels(hd, vehicles, { heightM: 50, pitchDeg: -90, hfovDeg: 90 })).toBeCloseTo(960 * (3.2 / 50))
  // Towards the horizon it ends somewhere.
  const flat = objectPixels(hd, vehicles, { heightM: 50, pitchDeg: 20, hfovDeg: 70 })
  expect(flat).toBe(objectPixels(hd, vehicles, { heightM: 50, pitchDeg: -10, hfovDeg: 70 }))
})
