import './polyfill.ts'
import { AV_PIX_FMT_NONE, AV_PIX_FMT_RGB24 } from 'node-av'
import { expect, test } from 'vitest'
import { watchAllocatedFrames } from '../../test/support/allocated-frames.ts'
import { allocateFrame } from './allocate-frame.ts'

test('a frame has the size, the format and the memory that were asked for', () => {
  const frame = allocateFrame({ width: 32, height: 16 }, AV_PIX_FMT_RGB24)
  expect(frame).toMatchObject({ width: 32, height: 16, format: AV_PIX_FMT_RGB24 })
  expect(frame.data![0]!.length).toBeGreaterThanOrEqual(32 * 16 * 3)
  frame.free()
})

test.each([
  ['no size', { width: 0, height: 16 }, AV_PIX_FMT_RGB24],
  ['no format', { width: 32, height: 16 }, AV_PIX_FMT_NONE],
])('a frame of %s is refused, and nothing is left of it', (_name, size, format) => {
  const allocated = watchAllocatedFrames()
  expect(() => allocateFrame(size, format)).toThrow()
  expect(allocated()).toBe(0)
})
