import { expect, test } from 'vitest'
import { createFont, type Glyph } from './font.ts'

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('') + '·°…'

/** A glyph as text, ink where a pixel is at least half covered. */
function drawn({ width, mask }: Glyph): string[] {
  const pixels = Array.from(mask, (share) => (share >= 128 ? '#' : '.'))
  return Array.from({ length: pixels.length / width }, (_, line) =>
    pixels.slice(line * width, (line + 1) * width).join(''),
  )
}

test('letters look like themselves', () => {
  const [e, i] = createFont(9).layOut('Ei').glyphs
  expect(drawn(e!)).toEqual([
    '#####',
    '#....',
    '#....',
    '#....',
    '####.',
    '#....',
    '#....',
    '#....',
    '#####',
    '.....',
    '.....',
  ])
  expect(drawn(i!).join('')).toBe('#.#######..')
})

test.each([8, 12, 17, 36])('at a height of %i every character has a picture of its own', (capHeight) => {
  const glyphs = createFont(capHeight).layOut(printable).glyphs
  const pictures = glyphs.map((glyph) => `${glyph.width}:${glyph.mask.join()}`)
  expect(new Set(pictures).size).toBe(printable.length)
})

test.each([8, 12, 17, 36])('at a height of %i upright and level strokes have sharp edges', (capHeight) => {
  const [glyph] = createFont(capHeight).layOut('H').glyphs
  // No pixel is half covered, but at the ends, which are round.
  const middle = glyph!.mask.subarray(3 * glyph!.width, (capHeight - 3) * glyph!.width)
  expect(middle.every((share) => share === 0 || share === 255)).toBe(true)
})

test('a capital is as high as asked for', () => {
  const rows = drawn(createFont(17).layOut('H').glyphs[0]!)
  expect(rows.filter((row) => row.includes('#')).length).toBe(17)
})

test('what the font has not is an empty box; accents are left out', () => {
  const font = createFont(12)
  const [e, accented, chinese, smiley, a] = font.layOut('eé人🙂a').glyphs
  expect(accented).toBe(e)
  expect(smiley).toBe(chinese)
  expect(chinese).not.toBe(a)
})

test('a text is as wide as its glyphs with what lies between them', () => {
  const font = createFont(12)
  const [glyph] = font.layOut('n').glyphs
  expect(font.layOut('n').width).toBe(glyph!.width)
  expect(font.layOut('nn').width).toBe(glyph!.advance + glyph!.width)
  expect(font.layOut('').width).toBe(0)
})
