import { expect, test } from 'vitest'
import { type Box, placeLabels } from './label-places.js'

const room = { width: 200, height: 100, lineHeight: 10, widthOf: (text: string) => text.length * 6 }
const at = (x: number, y: number): Box => ({ x, y, width: 10, height: 30 })
const place = (...boxes: Box[]) =>
  placeLabels(
    boxes.map((box, index) => ({ box, texts: [`person ${index + 1}`, `${index + 1}`] })),
    room,
  ).map((label) => label && [label.text, label.x, label.y])

test('names stand above their boxes', () => {
  expect(place(at(20, 40), at(100, 40))).toEqual([
    ['person 1', 20, 30],
    ['person 2', 100, 30],
  ])
})

test('what would cover another goes below its box, then gets shorter, and is left out in the end', () => {
  const crowd = Array.from({ length: 4 }, () => at(50, 40))
  expect(place(...crowd, at(38, 40))).toEqual([
    ['person 1', 50, 30],
    ['person 2', 50, 70],
    undefined,
    undefined,
    ['5', 38, 30],
  ])
})

test('nothing sticks out of the picture', () => {
  expect(place(at(195, 2), at(-20, 95))).toEqual([
    ['person 1', 152, 0],
    ['person 2', 0, 85],
  ])
})
