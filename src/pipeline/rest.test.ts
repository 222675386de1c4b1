import { expect, test } from 'vitest'
import { createRest } from './rest.ts'

const PICTURE_MS = 100
const GROUP = 10

/** A stream of a keyframe a second, whose packets are asked of one after the other. */
function setUp({ isCrowded = true, isStill = true } = {}) {
  const rest = createRest(isCrowded)
  const scene = { isStill }
  rest.watch(scene)
  let at = 0
  /** The numbers of those that are worth decoding, of the next so many. */
  function next(count: number, size = 1_000): number[] {
    const worth: number[] = []
    for (const end = at + count; at < end; at++) {
      const isKeyframe = at % GROUP === 0
      const part = { isKeyframe, packet: { size: isKeyframe ? 50_000 : size }, times: { timeMs: at * PICTURE_MS } }
      if (rest.isWorthDecoding(part)) worth.push(at)
    }
    return worth
  }
  return { rest, scene, next }
}

const all = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at)

test.each([
  { name: 'there is time enough', isCrowded: false, isStill: true },
  { name: 'the scene moves', isCrowded: true, isStill: false },
])('everything is decoded while $name, however well its sizes are known', ({ isCrowded, isStill }) => {
  const { rest, scene, next } = setUp()
  next(60)
  rest.setCrowded(isCrowded)
  scene.isStill = isStill
  expect(next(60)).toEqual(all(60, 120))
  expect(rest.isResting).toBe(false)
})

test('of another stream sizes are to be learnt anew', () => {
  const { rest, next } = setUp()
  next(60)
  rest.forget()
  expect(next(30)).toEqual(all(60, 90))
  expect(next(21)).toEqual([110])
})

test('of a still scene on a crowded machine some keyframes are, once its sizes are known', () => {
  const { rest, next } = setUp()
  expect(next(30)).toEqual(all(0, 30))
  expect(next(60)).toEqual([50, 70])
  expect(rest.isResting).toBe(true)
})

test('and what is larger than usual', () => {
  const { next } = setUp()
  next(51)
  expect(next(3)).toEqual([])
  expect(next(1, 3_000)).toEqual([54])
})

test('it ends with either of its reasons, at once', () => {
  const { rest, scene, next } = setUp()
  next(51)
  scene.isStill = false
  expect(next(3)).toEqual([51, 52, 53])
  scene.isStill = true
  expect(next(3)).toEqual([])
  rest.setCrowded(false)
  expect(next(3)).toEqual([57, 58, 59])
  expect([rest.isCrowded, rest.isResting]).toEqual([false, false])
})

test('nothing rests before there is a scene', () => {
  expect(createRest(true).isResting).toBe(false)
})
