import { describe, expect, test } from 'vitest'
import { parseTileGrid, tileRegions } from './tiles.ts'

describe('parseTileGrid', () => {
  test.each([
    { text: '1x1', grid: { columns: 1, rows: 1 } },
    { text: '3x2', grid: { columns: 3, rows: 2 } },
    { text: '4x4', grid: { columns: 4, rows: 4 } },
  ])('$text', ({ text, grid }) => expect(parseTileGrid(text)).toEqual(grid))

  test.each(['', '2', '0x1', '5x1', '1x5', '2x', '2X2', '2x2x2', '-1x1', '02x2', ' 2x2'])('refuses "%s"', (text) => {
    expect(() => parseTileGrid(text)).toThrow(/is not a tile grid; write columns and rows from 1 to 4/)
  })
})

describe('tileRegions', () => {
  const boxes = (width: number, height: number, text: string) =>
    tileRegions({ width, height }, parseTileGrid(text)).map(({ x, y, width, height }) => [x, y, width, height])

  test('one tile is the picture', () => {
    expect(boxes(1920, 1080, '1x1')).toEqual([[0, 0, 1920, 1080]])
  })

  test('two by two: the picture, then four tiles that share a fifth', () => {
    // 1800 = 2 tiles of 1000 − 200 shared; 900 = 2 of 500 − 100 shared.
    expect(boxes(1800, 900, '2x2')).toEqual([
      [0, 0, 1800, 900],
      [0, 0, 1000, 500],
      [800, 0, 1000, 500],
      [0, 400, 1000, 500],
      [800, 400, 1000, 500],
    ])
  })

  test('three columns and one row', () => {
    // 1300 = 3 tiles of 500 − 2 × 100 shared.
    expect(boxes(1300, 720, '3x1').slice(1)).toEqual([
      [0, 0, 500, 720],
      [400, 0, 500, 720],
      [800, 0, 500, 720],
    ])
  })

  test.each([
    { width: 1920, height: 1080, text: '4x3' },
    { width: 1279, height: 719, text: '2x2' },
    { width: 333, height: 77, text: '4x4' },
    { width: 640, height: 512, text: '1x3' },
  ])('tiles of $width×$height in $text cover everything, begin on even pixels and share about a fifth', (given) => {
    const [whole, ...tiles] = tileRegions(given, parseTileGrid(given.text))
    expect(whole).toEqual({ x: 0, y: 0, width: given.width, height: given.height })
    const { columns } = parseTileGrid(given.text)
    for (const [index, tile] of tiles.entries()) {
      expect([tile.x % 2, tile.y % 2]).toEqual([0, 0])
      const isLast = index % columns === columns - 1
      if (isLast) expect(tile.x + tile.width).toBe(given.width)
      else {
        const shared = tile.x + tile.width - tiles[index + 1]!.x
        expect(Math.abs(shared - 0.2 * tile.width)).toBeLessThanOrEqual(4)
      }
    }
    expect(tiles.at(-1)!.y + tiles.at(-1)!.height).toBe(given.height)
  })
})
