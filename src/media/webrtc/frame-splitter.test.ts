import { expect, test } from 'vitest'
import { framed } from '../../../test/builders/stun-request.ts'
import { createFrameSplitter, type FrameSplitter } from './frame-splitter.ts'

test('frames are the same wherever the bytes were split', () => {
  const frames = [Buffer.from('one'), Buffer.alloc(300, 2), Buffer.from('three')]
  const bytes = framed(...frames)
  for (let at = 0; at <= bytes.length; at++) {
    const splitter = createFrameSplitter()
    const pushed = [bytes.subarray(0, at), bytes.subarray(at)].flatMap((part) => {
      splitter.push(part)
      return allOf(splitter)
    })
    expect(pushed).toEqual(frames)
  }
})

test('a frame that is too long ends everything', () => {
  const splitter = createFrameSplitter()
  splitter.push(Buffer.from([0, 0, 0, 1, 7, 0x40, 0]))
  expect([splitter.next(), splitter.next(), splitter.next()]).toEqual([Buffer.of(), Buffer.of(7), 'too-long'])
})

function allOf(splitter: FrameSplitter): Buffer[] {
  const frame = splitter.next()
  return frame instanceof Buffer ? [frame, ...allOf(splitter)] : []
}
