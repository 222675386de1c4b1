import { describe, expect, test } from 'vitest'
import { cellsOf, createSceneChange } from './scene-change.ts'

const width = 64
const height = 32

/** Repeatable noise of this mean size around 0. */
function createNoise(size: number) {
  let state = 11
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647
  return () => size * (random() + random() + random() + random() - 2) * 1.73
}

interface Thing {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  readonly contrast: number
}

function setUp({ noise = 0, warmUp = 60 } = {}) {
  const draw = createNoise(noise)
  const picture = (thing?: Thing, brightness = 0) => {
    const data = Uint8Array.from({ length: width * height }, (_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)]
      const isIn = thing && x >= thing.x && x < thing.x + thing.width && y >= thing.y && y < thing.y + thing.height
      return 100 + ((x * 7 + y * 13) % 60) + brightness + draw() + (isIn ? thing.contrast : 0)
    })
    return { data, width, height, stride: width }
  }
  const change = createSceneChange(picture())
  const changed = (thing?: Thing, brightness?: number) => {
    const cells: number[] = []
    change.compare(picture(thing, brightness), (cell) => cells.push(cell))
    return cells
  }
  for (let round = 0; round < warmUp; round++) changed()
  return { change, changed }
}

const person: Thing = { x: 20, y: 10, width: 3, height: 8, contrast: 25 }

describe.each([0, 1, 3])('with a noise of %d grey levels', (noise) => {
  test('a scene in which nothing happens does not change', () => {
    const { changed } = setUp({ noise })
    const pictures = Array.from({ length: 300 }, () => changed().length)
    expect(pictures.filter((cells) => cells > 0).length).toBeLessThanOrEqual(3)
  })

  test('what enters is seen in the squares that it covers, until they have been looked at', () => {
    const { change, changed } = setUp({ noise })
    const { columns } = change.grid
    const cells = changed(person)
    expect(cells).toContain(3 * columns + 5)
    expect(cells.every((cell) => cell % columns === 5)).toBe(true)
    for (const cell of changed(person)) change.accept(cell, 'something')
    expect(changed(person)).toEqual([])
    expect(changed().length).toBeGreaterThan(0)
  })

  test('what is large and hardly stands out is seen too', () => {
    const { changed } = setUp({ noise })
    expect(changed({ x: 8, y: 8, width: 20, height: 16, contrast: 5 + 3 * noise }).length).toBeGreaterThan(0)
  })
})

test('what comes so slowly that no two pictures differ is seen', () => {
  const { changed } = setUp({ noise: 1 })
  const found = Array.from({ length: 50 }, (_, step) => changed({ ...person, contrast: step / 2 }).length > 0)
  expect(found.indexOf(true)).toBeGreaterThan(5)
  expect(found.at(-1)).toBe(true)
})

test('light that changes a little everywhere is no change', () => {
  const { changed } = setUp({ noise: 1 })
  expect(changed(undefined, 5)).toEqual([])
})

test.each(['nothing', 'something'] as const)('where it is restless all the time and %s is found', (found) => {
  const { change, changed } = setUp()
  const leaf = (step: number): Thing => ({ x: 40, y: 8, width: 4, height: 4, contrast: step % 2 === 0 ? 20 : -20 })
  const counts = Array.from({ length: 40 }, (_, step) => {
    const cells = changed(leaf(step))
    for (const cell of cells) change.accept(cell, found)
    return cells.length
  })
  expect(counts[0]).toBe(1)
  // Leaves are soon thought nothing of, but not somebody who waves.
  expect(counts.at(-1)).toBe(found === 'nothing' ? 0 : 1)
  expect(changed({ ...leaf(0), contrast: 90 })).toHaveLength(1)
})

test.each([
  { part: { x: 0, y: 0, width: 40, height: 40 }, cells: [0] },
  { part: { x: 39, y: 39, width: 2, height: 2 }, cells: [0, 1, 4, 5] },
  { part: { x: 150, y: 70, width: 99, height: 99 }, cells: [7] },
  { part: { x: -50, y: 0, width: 40, height: 40 }, cells: [] },
])('$part covers $cells', ({ part, cells }) => {
  expect(cellsOf({ columns: 4, rows: 2 }, part, { width: 160, height: 80 })).toEqual(cells)
})
