import { expect, test } from 'vitest'
import { createSegmentWindow, type SegmentWindow } from './segment-window.ts'

const part = (size = 10) => ({ seconds: 0.2, isIndependent: true, data: Buffer.alloc(size, 1) })

function fill(window: SegmentWindow, segments: number, partBytes?: number): void {
  for (let i = 0; i < segments; i++) {
    window.addPart(part(partBytes), 0)
    window.addPart(part(partBytes), 0)
    window.endSegment()
  }
}

test('parts are there before their segment is', () => {
  const window = createSegmentWindow(5)
  window.addPart(part(), 1000)
  expect(window.part(5, 0)).toHaveLength(10)
  expect(window.segment(5)).toBeUndefined()
  expect(window.next).toEqual({ sequence: 5, part: 1 })
  window.endSegment()
  expect(window.segment(5)).toHaveLength(1)
  expect(window.part(5, 0)).toHaveLength(10)
  expect(window.next).toEqual({ sequence: 6, part: 0 })
  expect(window.listing().segments).toMatchObject([{ sequence: 5, startedAtMs: 1000, isComplete: true }])
})

test('old segments leave the list first, and memory later', () => {
  const window = createSegmentWindow(0, { listed: 2, kept: 4, maxBytes: 1e6 })
  fill(window, 6)
  expect(window.listing().segments.map(({ sequence }) => sequence)).toEqual([4, 5])
  expect([0, 1, 2, 3, 4, 5].filter((sequence) => window.segment(sequence))).toEqual([2, 3, 4, 5])
})

test('bytes are bounded, but the newest two segments stay', () => {
  const window = createSegmentWindow(0, { listed: 7, kept: 14, maxBytes: 5000 })
  fill(window, 10, 1000)
  expect(window.listing().segments).toHaveLength(2)
  expect(window.segment(7)).toBeUndefined()
})

test('a waiting request is woken by the piece, by its segment’s end, or by the deadline', async () => {
  const window = createSegmentWindow(0)
  const forPart = window.waitFor(0, 1, 1000)
  const forPartThatNeverComes = window.waitFor(0, 7, 1000)
  const forSegment = window.waitFor(0, undefined, 1000)
  const tooLong = window.waitFor(3, undefined, 10)
  fill(window, 1)
  expect(await Promise.all([forPart, forPartThatNeverComes, forSegment])).toEqual([true, true, true])
  expect(await tooLong).toBe(false)
})

test('nobody waits for a window that is closed', async () => {
  const window = createSegmentWindow(0)
  const waiting = window.waitFor(0, 0, 60_000)
  window.close()
  expect(await waiting).toBe(false)
  expect(await window.waitFor(0, 0, 60_000)).toBe(false)
})
