import { beforeEach, describe, expect, test } from 'vitest'
import { createStillTiles } from './still-tiles.ts'

const region = { x: 400, y: 200, width: 620, height: 500 }
const width = 60

/** A tile of even grey with something in it that is hardly brighter. */
function draw(thing?: { readonly x: number }): Buffer {
  const bytes = Buffer.alloc(width * 50 * 3, 120)
  for (let y = 20; thing && y < 26; y++) bytes.fill(121, 3 * (y * width + thing.x), 3 * (y * width + thing.x + 6))
  return bytes
}

let looks: number
let tiles: ReturnType<typeof createStillTiles<string>>
const see = (shown: Buffer, where = region) => tiles.lookAt(where, shown, async () => `look ${++looks}`)
beforeEach(() => {
  looks = 0
  tiles = createStillTiles<string>()
})

describe('createStillTiles', () => {
  test('a thing that stands still is reported again without a look', async () => {
    for (let picture = 0; picture < 5; picture++) expect(await see(draw({ x: 20 }))).toBe('look 1')
  })

  test('a thing that moves is looked at in every picture, however faint it is', async () => {
    for (let x = 0; x < 8; x++) expect(await see(draw({ x: 10 + x }))).toBe(`look ${x + 1}`)
  })

  test('a thing that comes and goes is looked at', async () => {
    const seen = []
    for (const shown of [draw(), draw({ x: 20 }), draw(), draw()]) seen.push(await see(shown))
    expect(seen).toEqual(['look 1', 'look 2', 'look 3', 'look 3'])
  })

  test('what was shown may be overwritten afterwards', async () => {
    const canvas = draw({ x: 20 })
    await see(canvas)
    canvas.fill(0)
    expect(await see(draw({ x: 20 }))).toBe('look 1')
  })

  test('tiles are remembered one by one', async () => {
    const other = { ...region, x: 0 }
    const seen = []
    for (const where of [region, other, region, other]) seen.push(await see(draw(), where))
    expect(seen).toEqual(['look 1', 'look 2', 'look 1', 'look 2'])
  })

  test('tiles of many plans do not pile up', async () => {
    for (let x = 0; x < 17; x++) await see(draw(), { ...region, x })
    expect(await see(draw(), { ...region, x: 16 })).toBe('look 17')
    expect(await see(draw(), { ...region, x: 0 })).toBe('look 18')
  })

  test('a look that failed is not remembered', async () => {
    const failing = tiles.lookAt(region, draw(), () => Promise.reject(new Error('The model failed.')))
    await expect(failing).rejects.toThrow('The model failed.')
    expect(await see(draw())).toBe('look 1')
  })
})
