import { expect, test } from 'vitest'
import { colourNames, createNameTable, nameShares } from './colour-names.ts'
import { linearLight, rgbToLab } from './oklab.ts'

const bytes = (hex: string) =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as [number, number, number]

function nameOf(hex: string): string {
  const shares = nameShares(rgbToLab(...bytes(hex)))
  return colourNames[shares.indexOf(Math.max(...shares))]!
}

// What CSS calls by one of the names, and some that everybody would.
test.each([
  ['#000000', 'black'],
  ['#ffffff', 'white'],
  ['#808080', 'grey'],
  ['#ff0000', 'red'],
  ['#800000', 'red'],
  ['#ffa500', 'orange'],
  ['#ffff00', 'yellow'],
  ['#ffd700', 'yellow'],
  ['#008000', 'green'],
  ['#0000ff', 'blue'],
  ['#000080', 'blue'],
  ['#4682b4', 'blue'],
  ['#800080', 'purple'],
  ['#4b0082', 'purple'],
  ['#ffc0cb', 'pink'],
  ['#ff69b4', 'pink'],
  ['#8b4513', 'brown'],
  ['#f5f5f5', 'white'],
  ['#202020', 'black'],
])('%s is %s', (hex, name) => expect(nameOf(hex)).toBe(name))

test('the table for pixels says the same as the names themselves', () => {
  const table = createNameTable()
  for (const hex of ['#c02020', '#3060c0', '#e0e0e0', '#309040']) {
    const [red, green, blue] = bytes(hex).map((byte) => linearLight[byte]!) as [number, number, number]
    const at = table.at(red, green, blue)
    const shares = table.shares.subarray(at, at + colourNames.length)
    expect(colourNames[shares.indexOf(Math.max(...shares))]).toBe(nameOf(hex))
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 4)
  }
})
