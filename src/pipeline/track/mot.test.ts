import { expect, test } from 'vitest'
import { readMotDetections, trackMot } from './mot.ts'

/** One object that walks to the right, from frame 1. */
const walk = (frames: number, skip: readonly number[] = []): string =>
  Array.from({ length: frames }, (_, index) => index + 1)
    .filter((frame) => !skip.includes(frame))
    .map((frame) => `${frame},-1,${100 + 2 * frame},50,30,80,0.9,-1,-1,-1`)
    .join('\n')

const rowsOf = (result: string): number[][] =>
  result
    .trimEnd()
    .split('\n')
    .map((line) => line.split(',').map(Number))

test('results have the form of the challenge', () => {
  const rows = rowsOf(trackMot(walk(20), { fps: 25 }))
  expect(rows.length).toBeGreaterThan(17)
  for (const row of rows) {
    expect(row).toHaveLength(10)
    expect(row[1]).toBe(1)
    expect(row.slice(6)).toEqual([1, -1, -1, -1])
    expect(Math.abs(row[2]! - 100 - 2 * row[0]!)).toBeLessThan(3)
  }
})

test('frames without detections pass too, and the track goes on after them', () => {
  const rows = rowsOf(trackMot(walk(40, [20, 21, 22, 23, 24]), { fps: 25 }))
  expect(new Set(rows.map((row) => row[1]))).toEqual(new Set([1]))
  expect(rows.some((row) => row[0] === 22)).toBe(false)
})

test('a jump of a billion frames takes no longer than a silence of ten seconds', () => {
  const far = walk(10).replaceAll(/^/gm, '10000000')
  const rows = rowsOf(trackMot(`${walk(10)}\n${far}`, { fps: 30 }))
  expect(new Set(rows.map((row) => row[1]))).toEqual(new Set([1, 2]))
})

test('nothing gives nothing', () => {
  expect(trackMot('', { fps: 30 })).toBe('')
  expect(trackMot('\n\r\n', { fps: 30 })).toBe('')
})

test('NaN, endless, empty and inverted boxes are passed over', () => {
  const odd = ['nan,5,5,5,0.9', '5,inf,5,5,0.9', '5,5,0,5,0.9', '5,5,5,-5,0.9', '5,5,5,5,NaN']
  const noise = Array.from({ length: 20 }, (_, index) =>
    odd.map((fields) => `${index + 1},-1,${fields}`).join('\n'),
  ).join('\n')
  expect(trackMot(noise, { fps: 30 })).toBe('')
  expect(trackMot(`${noise}\n${walk(20)}`, { fps: 30 })).toBe(trackMot(walk(20), { fps: 30 }))
})

test.each([
  { name: 'too few fields', line: '2,-1,5,5', message: /Line 2 has 4 fields/ },
  { name: 'a word', line: '2,-1,5,five,5,5,1', message: /Line 2 has "five" where a number is needed/ },
  { name: 'a missing number', line: '2,-1,5,,5,5,1', message: /Line 2 has "" where/ },
  { name: 'no frame number', line: 'x,-1,5,5,5,5,1', message: /Line 2 starts with "x"/ },
  { name: 'half a frame', line: '1.5,-1,5,5,5,5,1', message: /Line 2 starts with "1.5"/ },
])('a line with $name is reported by its number', ({ line, message }) => {
  expect(() => trackMot(`1,-1,5,5,5,5,1\n${line}\n`, { fps: 30 })).toThrow(message)
})

test('an impossible frame rate is refused', () => {
  expect(() => trackMot(walk(3), { fps: 0 })).toThrow(/frame rate/)
})

test.each([
  { name: 'probabilities stay', given: [0.2, 0.9], taken: [0.2, 0.9] },
  { name: 'scores without bounds are ranked', given: [-0.5, 3, 40, 120], taken: [0.55, 0.7, 0.85, 1] },
  { name: '"not known" everywhere means certain', given: [-1, -1], taken: [1, 1] },
])('$name', ({ given, taken }) => {
  const text = given.map((confidence) => `1,-1,5,5,5,5,${confidence}`).join('\n')
  const read = readMotDetections(text)
    .get(1)!
    .map(({ confidence }) => confidence)
  expect(read.map((confidence) => Math.round(confidence * 1000) / 1000)).toEqual(taken)
})

test('a line without confidence is certain', () => {
  expect(readMotDetections('7,-1,1,2,3,4').get(7)).toMatchObject([
    { confidence: 1, box: { x: 1, y: 2, width: 3, height: 4 } },
  ])
})
