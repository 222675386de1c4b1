import { describe, expect, test } from 'vitest'
import { type Size } from '../../core/detection.ts'
import { type YuvPlanes } from '../../core/yuv-planes.ts'
import { BLACK, colourOf, INK, PAPER } from './colours.ts'
import { createFont } from './font.ts'
import { createOverlay } from './overlay.ts'
import { overlayStyleFor } from './overlay-style.ts'
import { type OverlayTrack } from './overlay-track.ts'

const GREY = 100

/** Lines are longer in memory than in the picture, as a decoder's are; what lies between must not be touched. */
function greyPicture({ width, height }: Size): YuvPlanes {
  const [strideY, strideUV] = [width + 64, width / 2 + 32]
  return {
    width,
    height,
    strideY,
    strideUV,
    y: new Uint8Array(strideY * height).fill(GREY),
    u: new Uint8Array((strideUV * height) / 2).fill(GREY),
    v: new Uint8Array((strideUV * height) / 2).fill(GREY),
  }
}

function pixel({ y, u, v, strideY, strideUV }: YuvPlanes, column: number, line: number) {
  const colourAt = (line >> 1) * strideUV + (column >> 1)
  return { y: y[line * strideY + column], u: u[colourAt], v: v[colourAt] }
}

const inputSize = { width: 1920, height: 1080 }
const person: OverlayTrack = {
  id: 13,
  className: 'person',
  confidence: 0.874,
  box: { x: 600, y: 300, width: 240, height: 480 },
}

describe.each([
  { name: '360p', width: 640, height: 360 },
  { name: '720p', width: 1280, height: 720 },
  { name: '1080p', width: 1920, height: 1080 },
])('at $name', ({ width, height }) => {
  const scale = height / 1080
  const style = overlayStyleFor({ width, height })

  test('the edges of a box are where the box says', () => {
    const planes = greyPicture({ width, height })
    createOverlay().draw(planes, { inputSize, tracks: [person] })
    const [left, right, top, bottom] = [600 * scale, 840 * scale, 300 * scale, 780 * scale]
    const [centreX, centreY] = [Math.round((left + right) / 2), Math.round((top + bottom) / 2)]
    const isLine = (column: number, line: number) => pixel(planes, column, line).y === colourOf(person).y
    const columns = Array.from({ length: width }, (_, column) => column).filter((column) => isLine(column, centreY))
    const lines = Array.from({ length: height }, (_, line) => line).filter((line) => isLine(centreX, line))
    expect([columns.length, lines.length]).toEqual([2 * style.lineWidth, 2 * style.lineWidth])
    const middles = (all: number[]) => {
      const half = all.length / 2
      return [all.slice(0, half), all.slice(half)].map((edge) => edge.reduce((sum, at) => sum + at + 0.5, 0) / half)
    }
    expect(Math.abs(middles(columns)[0]! - left)).toBeLessThanOrEqual(1)
    expect(Math.abs(middles(columns)[1]! - right)).toBeLessThanOrEqual(1)
    expect(Math.abs(middles(lines)[0]! - top)).toBeLessThanOrEqual(1)
    expect(Math.abs(middles(lines)[1]! - bottom)).toBeLessThanOrEqual(1)
    // In its whole colour, with a dark rim, and nothing inside.
    expect(pixel(planes, columns[0]!, centreY)).toEqual(colourOf(person))
    expect(pixel(planes, columns[0]! - 1, centreY).y).toBe(BLACK.y)
    expect(pixel(planes, centreX, centreY)).toEqual({ y: GREY, u: GREY, v: GREY })
  })

  test('the label can be read: its letters are those of the font, on a strip without colour', () => {
    const planes = greyPicture({ width, height })
    createOverlay().draw(planes, { inputSize, tracks: [person] })
    expect(isWritten(planes, 'person 13 · 87 %', style.label.font.capHeight)).toBe(true)
    expect(isWritten(planes, 'person 13 · 88 %', style.label.font.capHeight)).toBe(false)
  })

  test('a located track shows its place on a second line', () => {
    const planes = greyPicture({ width, height })
    createOverlay().draw(planes, { inputSize, tracks: [{ ...person, latitude: 48.137134, longitude: -11.5754 }] })
    expect(isWritten(planes, 'person 13 · 87 %', style.label.font.capHeight)).toBe(true)
    expect(isWritten(planes, '48.13713°, -11.57540°', style.label.font.capHeight)).toBe(true)
  })

  test.each(['Paused', 'Source lost, reconnecting …'])('the notice “%s” stands in the middle', (notice) => {
    const planes = greyPicture({ width, height })
    createOverlay().draw(planes, { inputSize, tracks: [], notice })
    expect(isWritten(planes, notice, style.notice.font.capHeight)).toBe(true)
    const strip = Array.from({ length: width }, (_, column) => column).filter(
      (column) => pixel(planes, column, height / 2).y !== GREY,
    )
    expect(Math.abs((strip[0]! + strip.at(-1)! + 1) / 2 - width / 2)).toBeLessThanOrEqual(2)
  })

  test('nothing is drawn outside of the picture, wherever boxes and labels are', () => {
    const planes = greyPicture({ width, height })
    const corners = [-100, 0, 940, 1800, 1919].flatMap((x) => [-100, 0, 500, 1000, 1079].map((y) => ({ x, y })))
    const tracks = corners.map((corner, index) => ({
      ...person,
      id: index + 1,
      box: { ...corner, width: 150, height: 150 },
      latitude: 1,
      longitude: 2,
    }))
    createOverlay().draw(planes, { inputSize, tracks, trails: [trailAcross], notice: 'Paused '.repeat(40) })
    const isGap = (index: number, stride: number, length: number) => index % stride >= length
    expect(planes.y.every((value, index) => !isGap(index, planes.strideY, width) || value === GREY)).toBe(true)
    expect(planes.u.every((value, index) => !isGap(index, planes.strideUV, width / 2) || value === GREY)).toBe(true)
    expect(planes.v.every((value, index) => !isGap(index, planes.strideUV, width / 2) || value === GREY)).toBe(true)
  })
})

const trailAcross = {
  id: 13,
  className: 'person',
  points: [
    { x: -500, y: -500, age: 0.9 },
    { x: 960, y: 540, age: 0.5 },
    { x: 3000, y: 500, age: 0 },
  ],
}

test('a trail fades and thins towards its beginning', () => {
  const planes = greyPicture({ width: 1280, height: 720 })
  const points = [1, 0.9, 0.5, 0.1, 0].map((age, index) => ({ x: 200 + 300 * index, y: 540, age }))
  createOverlay().draw(planes, { inputSize, tracks: [], trails: [{ ...trailAcross, points }] })
  const inkAt = (column: number) => {
    const lines = Array.from({ length: 20 }, (_, line) => pixel(planes, column, 350 + line).y!)
    return lines.reduce((sum, y) => sum + Math.abs(y - GREY), 0)
  }
  const inks = [250, 450, 650].map(inkAt)
  expect(inks[0]).toBeGreaterThan(0)
  expect(inks[1]).toBeGreaterThan(1.5 * inks[0]!)
  expect(inks[2]).toBeGreaterThan(1.3 * inks[1]!)
})

test('where an object is only guessed, its line is broken', () => {
  const planes = greyPicture({ width: 1280, height: 720 })
  createOverlay().draw(planes, { inputSize, tracks: [{ ...person, isGuessed: true }] })
  const line = Array.from({ length: 300 }, (_, index) => pixel(planes, 400, 205 + index).y)
  const drawn = line.filter((y) => y === colourOf(person).y).length
  expect(drawn).toBeGreaterThan(100)
  expect(drawn).toBeLessThan(200)
})

test('a box of a few pixels doesn’t hide what it is around', () => {
  const planes = greyPicture({ width: 640, height: 360 })
  createOverlay().draw(planes, { inputSize, tracks: [{ ...person, box: { x: 960, y: 540, width: 3, height: 3 } }] })
  expect(pixel(planes, 320, 180)).toEqual({ y: GREY, u: GREY, v: GREY })
})

test('one overlay takes pictures of changing size', () => {
  const overlay = createOverlay()
  for (const height of [720, 360, 1080]) {
    const planes = greyPicture({ width: (height * 16) / 9, height })
    overlay.draw(planes, { inputSize, tracks: [person] })
    expect(isWritten(planes, 'person 13 · 87 %', overlayStyleFor(planes).label.font.capHeight)).toBe(true)
  }
})

test('without tracking a label has no id, and a long name is cut', () => {
  const planes = greyPicture({ width: 1280, height: 720 })
  const track = { ...person, id: 0, className: 'a very long name that some model has' }
  createOverlay().draw(planes, { inputSize, tracks: [track] })
  expect(isWritten(planes, 'a very long name that s… · 87 %', overlayStyleFor(planes).label.font.capHeight)).toBe(true)
})

/** Looks for the text by comparing the font's masks with the picture at every place on a strip. */
function isWritten(planes: YuvPlanes, text: string, capHeight: number): boolean {
  const font = createFont(capHeight)
  const { glyphs, width } = font.layOut(text)
  const wanted = new Float64Array(width * font.height).fill(PAPER.y)
  let left = 0
  for (const glyph of glyphs) {
    for (const [index, share] of glyph.mask.entries()) {
      const at = Math.floor(index / glyph.width) * width + left + (index % glyph.width)
      wanted[at] = PAPER.y + ((INK.y - PAPER.y) * share) / 255
    }
    left += glyph.advance
  }
  const isAt = (x: number, y: number) =>
    wanted.every((value, index) => {
      const seen = pixel(planes, x + (index % width), y + Math.floor(index / width))
      return Math.abs(seen.y! - value) <= 1 && seen.u === PAPER.u && seen.v === PAPER.v
    })
  for (let y = 0; y + font.height <= planes.height; y++) {
    for (let x = 0; x + width <= planes.width; x++) if (isAt(x, y)) return true
  }
  return false
}
