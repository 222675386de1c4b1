import { describe, expect, test } from 'vitest'
import { planFile, type Sample } from './plan-cut.ts'

/**
 * Pictures of 40 ms each in decoding order, by their places in the order in which they are shown: `I` an IDR picture, `K` a keyframe
 * whose followers may refer to what was before, `p` any other.
 */
function samples(text: string): Sample[] {
  return text.split(' ').map((one) => {
    const kind = one[0]
    return { ms: 40 * Number(one.slice(1)), isKeyframe: kind !== 'p', isClosed: kind === 'I' }
  })
}

const at = (picture: number) => 40 * picture
const CLOSED = samples('I0 p1 p2 p3 I4 p5 p6 p7 I8 p9 p10 p11')
/** Each `p` of an odd place is shown between its neighbours, and decoded behind them. */
const REORDERED = samples('I0 p2 p1 p3 I4 p6 p5 p7 I8 p10 p9 p11')
const OPEN = samples('I0 p2 p1 p3 K5 p4 p7 p6 K9 p8 p11 p10')

describe('pictures in the order in which they are shown', () => {
  test('between keyframes all is copied', () => {
    expect(planFile(CLOSED, at(4), at(8))).toEqual({
      head: null,
      copied: { from: 4, to: 8, fromMs: at(4) },
      tail: null,
    })
  })

  test('what is asked for from before, and to behind, is the whole file', () => {
    const whole = { head: null, copied: { from: 0, to: 12, fromMs: 0 }, tail: null }
    expect(planFile(CLOSED, -5_000, 5_000)).toEqual(whole)
  })

  test('the beginning is decoded from the keyframe before it, and encoded up to the next', () => {
    const { head, copied, tail } = planFile(CLOSED, at(2), at(11))
    expect(head).toMatchObject({ decodeFrom: 0, toMs: at(4) })
    expect(head!.fromMs).toBeCloseTo(at(2), -1)
    // The keyframe goes to the decoder too, for what might be shown before it.
    expect(head!.decodeTo).toBe(5)
    expect([copied, tail]).toEqual([{ from: 4, to: 11, fromMs: at(4) }, null])
  })

  test('a moment between two pictures begins with the later one', () => {
    expect(planFile(CLOSED, at(3) + 1, at(6)).copied).toMatchObject({ from: 4, to: 6 })
  })

  test('moments are whole milliseconds: each picture counts as of the one that is nearest to it', () => {
    const uneven = [0, 33.4, 66.7, 100].map((ms) => ({ ms, isKeyframe: true, isClosed: true }))
    expect(planFile(uneven, 67, 200).copied).toMatchObject({ from: 2, to: 4 })
    expect(planFile(uneven, 0, 67).copied).toMatchObject({ from: 0, to: 2 })
    expect(planFile(uneven, 0, 68).copied).toMatchObject({ from: 0, to: 3 })
  })

  test('within one group all is encoded', () => {
    const { head, copied, tail } = planFile(CLOSED, at(1), at(3))
    expect(head).toMatchObject({ decodeFrom: 0, decodeTo: 3 })
    expect([copied, tail]).toEqual([null, null])
  })

  test('behind the last keyframe all is encoded', () => {
    const { head, copied } = planFile(CLOSED, at(9), 5_000)
    expect(head).toMatchObject({ decodeFrom: 8, decodeTo: 12 })
    expect(copied).toBeNull()
  })

  test.each([
    ['before', -1_000, -100],
    ['behind', 10_000, 20_000],
    ['between two pictures', 41, 42],
  ])('nothing is taken of what lies %s', (_where, from, to) => {
    expect(planFile(CLOSED, from, to)).toEqual({ head: null, copied: null, tail: null })
  })
})

describe('pictures that refer to later ones', () => {
  test('at the end of a group nothing is encoded', () => {
    expect(planFile(REORDERED, 0, at(8))).toMatchObject({ copied: { from: 0, to: 8 }, tail: null })
  })

  test('an end among them is encoded from the keyframe before it', () => {
    const { copied, tail } = planFile(REORDERED, 0, at(6))
    expect(copied).toMatchObject({ from: 0, to: 4 })
    expect(tail).toMatchObject({ decodeFrom: 4, decodeTo: 7 })
    expect(tail!.fromMs).toBeGreaterThan(at(3))
    expect(tail!.fromMs).toBeLessThan(at(4))
  })

  test('an end that only drops what nobody refers to is copied', () => {
    expect(planFile(REORDERED, 0, at(7))).toMatchObject({ copied: { from: 0, to: 7 }, tail: null })
  })

  test('an end in the first group has nothing to copy', () => {
    const { head, copied } = planFile(REORDERED, 0, at(2))
    expect(head).toMatchObject({ decodeFrom: 0, decodeTo: 3 })
    expect(copied).toBeNull()
  })
})

describe('groups that refer to the one before', () => {
  test('what was asked for from such a keyframe on leaves out what is shown before it', () => {
    expect(planFile(OPEN, at(5), 5_000).copied).toEqual({ from: 4, to: 12, fromMs: at(5) })
  })

  test('a beginning within one is encoded until a keyframe that refers to nothing', () => {
    const mixed = [...OPEN, ...samples('I12 p13')]
    const { head, copied } = planFile(mixed, at(2), 5_000)
    expect(head).toMatchObject({ decodeFrom: 0, toMs: at(12) })
    expect(copied).toMatchObject({ from: 12, to: 14 })
  })

  test('an end among what is shown before a keyframe is decoded with the group before', () => {
    const { copied, tail } = planFile(OPEN, 0, at(9))
    expect(copied).toMatchObject({ from: 0, to: 8 })
    // Picture 8 stands behind keyframe 9, and refers to it and to the group before.
    expect(tail).toMatchObject({ decodeFrom: 4, decodeTo: 10 })
  })
})
