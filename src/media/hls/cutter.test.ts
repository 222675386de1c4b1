import { expect, test } from 'vitest'
import { decideCut } from './cutter.ts'

const position = { partSeconds: 0.1, segmentSeconds: 0.5, segmentBytes: 1000, isKeyframe: false }

test.each([
  { name: 'frames are gathered into a part', at: {}, cut: 'none' },
  { name: 'a part ends after a fifth of a second', at: { partSeconds: 0.2 }, cut: 'part' },
  { name: 'a rounded clock does not make a part longer', at: { partSeconds: 0.19999 }, cut: 'part' },
  { name: 'a keyframe begins a segment', at: { segmentSeconds: 1, isKeyframe: true }, cut: 'segment' },
  { name: 'a keyframe that comes too soon does not', at: { segmentSeconds: 0.5, isKeyframe: true }, cut: 'none' },
  { name: 'it may end a part', at: { partSeconds: 0.3, isKeyframe: true }, cut: 'part' },
  {
    name: 'the very first frame cuts nothing',
    at: { partSeconds: 0, segmentSeconds: 0, isKeyframe: true },
    cut: 'none',
  },
  { name: 'a segment without keyframes ends by time', at: { segmentSeconds: 12 }, cut: 'segment' },
  { name: 'or by size', at: { segmentBytes: 12 * 2 ** 20 }, cut: 'segment' },
])('$name', ({ at, cut }) => expect(decideCut({ ...position, ...at })).toBe(cut))
