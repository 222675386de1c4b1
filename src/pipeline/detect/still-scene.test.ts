import { expect, test } from 'vitest'
import { aPicture } from '../../../test/builders/picture.ts'
import { createStillScene } from './still-scene.ts'

const size = { width: 640, height: 320 }

/** A scene that is even but for a square, ten pictures a second. */
function setUp(isCrowded = false) {
  let square: { readonly x: number } | undefined
  const scene = createStillScene(
    () => {
      const data = new Uint8Array(64 * 32).fill(90)
      for (let y = 8; square && y < 16; y++) data.fill(160, y * 64 + square.x, y * 64 + square.x + 8)
      return { data, width: 64, height: 32, stride: 64 }
    },
    () => isCrowded,
  )
  let timeMs = 0
  /** Whether the model had to look. */
  function next(at?: number, { afterMs = 100, breaks = 0 } = {}): boolean {
    square = at === undefined ? undefined : { x: at }
    scene.see(aPicture({ timeMs: (timeMs += afterMs), breaks, ...size }))
    if (scene.isStill) return false
    scene.looked([])
    return true
  }
  const count = (pictures: number, at?: number) =>
    Array.from({ length: pictures }, () => next(at)).filter(Boolean).length
  return { scene, next, count, settle: () => count(10) }
}

test('a scene that stands still is looked at a few times at first, then every five seconds', () => {
  const { next, count } = setUp()
  expect(Array.from({ length: 6 }, () => next())).toEqual([true, true, true, true, false, false])
  expect(count(300)).toBe(6)
})

test('on a machine that is short of time every ten seconds', () => {
  const { count, settle } = setUp(true)
  settle()
  expect(count(200)).toBe(2)
})

test('after a break everything is looked at, though the picture is the same', () => {
  const { next, settle } = setUp()
  settle()
  expect([1, 2, 3, 4, 5].map(() => next(undefined, { breaks: 1 }))).toEqual([true, true, true, true, false])
})

test('a model that is late takes no longer to know a scene', () => {
  const { next } = setUp()
  expect([1, 2, 3, 4, 5].map(() => next(undefined, { afterMs: 2_100 }))).toEqual([true, true, true, true, false])
})

test('what enters or moves is looked at in the picture in which it does, and a few more', () => {
  const { next, count, settle } = setUp()
  settle()
  expect(next(8)).toBe(true)
  expect(count(8, 8)).toBe(3)
  expect([16, 24, 32].map((x) => next(x))).toEqual([true, true, true])
})

test('of tiles, those are worth a look in which something has changed', () => {
  const { scene, next, settle } = setUp()
  settle()
  scene.see(aPicture({ timeMs: 1100, ...size }))
  const [left, right] = [0, 320].map((x) => ({ x, y: 0, width: 320, height: 320 }))
  expect([left!, right!].map(scene.isWorthLook)).toEqual([false, false])
  next(8)
  expect([left!, right!].map(scene.isWorthLook)).toEqual([true, false])
})

const box = { x: 100, y: 100, width: 50, height: 50 }

test('where something moves or is missed the next picture is looked at', () => {
  const { scene, next, settle } = setUp()
  settle()
  scene.watch({ restless: [box], tentative: [] })
  expect([next(), next()]).toEqual([true, false])
  scene.watch({ restless: [{ ...box, x: 700 }], tentative: [] })
  expect(next()).toBe(false)
})

test('where something is not yet believed it is looked at for a while, and again after a change', () => {
  const { scene, next, settle } = setUp()
  settle()
  const looks = () =>
    Array.from({ length: 200 }, (_, picture) => {
      scene.watch({ restless: [], tentative: [box] })
      // Not those at which everything is looked at.
      return next() && picture
    }).filter(Boolean).length
  const first = looks()
  expect(first).toBeGreaterThan(85)
  expect(first).toBeLessThan(100)
  expect(looks()).toBeLessThan(6)
  next(8)
  expect(looks()).toBeGreaterThan(85)
})

test('pictures of another size are another scene', () => {
  const { scene, settle } = setUp()
  settle()
  scene.see(aPicture({ timeMs: 1100, width: 320, height: 160 }))
  expect(scene.isStill).toBe(false)
})

test('a time line that begins anew is looked at', () => {
  const { scene, settle } = setUp()
  settle()
  scene.see(aPicture({ timeMs: -9000, ...size }))
  expect(scene.isStill).toBe(false)
})
