import { expect, test } from 'vitest'
import { gridLines } from './grid-lines.ts'

const of = (axis: string, lines: ReturnType<typeof gridLines>) =>
  lines.filter((line) => line.axis === axis).map(({ degrees }) => degrees)

test('the world has lines every thirty degrees', () => {
  const lines = gridLines({ south: -90, west: -180, north: 90, east: 180 })
  expect(of('longitude', lines)).toEqual([-180, -150, -120, -90, -60, -30, 0, 30, 60, 90, 120, 150, 180])
  expect(of('latitude', lines)).toEqual([-90, -60, -30, 0, 30, 60, 90])
})

test('a yard has lines every few metres, at round numbers', () => {
  const lines = gridLines({ south: 51.441, west: -0.9461, north: 51.442, east: -0.9449 })
  expect(of('longitude', lines)).toEqual([-0.946, -0.9458, -0.9456, -0.9454, -0.9452, -0.945])
})
