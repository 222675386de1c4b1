import { describe, expect, test } from 'vitest'
import {
  avcC,
  H264,
  H265,
  hvcC,
  idr,
  idr265,
  predicted,
  predicted265,
  withLengths,
  withStartCodes,
} from '../../../../test/builders/flv-tags.ts'
import { type VideoTag } from '../wire/flv-video.ts'
import { createVideoDemuxer, type VideoDemuxer } from './video-demuxer.ts'

function frame(demuxer: VideoDemuxer, data: Buffer, tag: Partial<Extract<VideoTag, { kind: 'frame' }>> = {}) {
  const { codec } = demuxer.format
  return demuxer.frame({ kind: 'frame', codec, isKeyframe: false, compositionMs: 0, data, ...tag })
}

function configured(): VideoDemuxer {
  const demuxer = createVideoDemuxer('h264')
  demuxer.configure(avcC())
  return demuxer
}

describe('keyframes', () => {
  test('bring the parameter sets of the configuration along', () => {
    expect(frame(configured(), withLengths([idr(1)]))?.nalUnits).toEqual([H264.sps, H264.pps, idr(1)])
  })

  test('bring them behind a delimiter and before everything else', () => {
    expect(frame(configured(), withLengths([H264.delimiter, H264.sei, idr(1)]))?.nalUnits).toEqual([
      H264.delimiter,
      H264.sps,
      H264.pps,
      H264.sei,
      idr(1),
    ])
  })

  test("that have their own don't get them twice", () => {
    expect(frame(configured(), withLengths([H264.sps, H264.pps, idr(1)]))?.nalUnits).toHaveLength(3)
  })

  test('of H.265 bring all three kinds', () => {
    const demuxer = createVideoDemuxer('h265')
    demuxer.configure(hvcC())
    expect(frame(demuxer, withLengths([idr265(1)]))?.nalUnits).toEqual([H265.vps, H265.sps, H265.pps, idr265(1)])
    expect(frame(demuxer, withLengths([predicted265(2)]))?.nalUnits).toEqual([predicted265(2)])
  })
})

describe('parameter sets', () => {
  test('that change count from the next keyframe on', () => {
    const demuxer = configured()
    demuxer.configure(avcC(H264.otherSps))
    expect(frame(demuxer, withLengths([predicted(1)]))?.nalUnits).toEqual([predicted(1)])
    expect(frame(demuxer, withLengths([idr(2)]))?.nalUnits).toEqual([H264.otherSps, H264.pps, idr(2)])
  })

  test('that change in band count, too', () => {
    const demuxer = configured()
    frame(demuxer, withLengths([H264.otherSps, idr(1)]))
    expect(frame(demuxer, withLengths([idr(2)]))?.nalUnits).toEqual([H264.otherSps, H264.pps, idr(2)])
  })

  test('before a picture that is no keyframe are taken out and kept', () => {
    const demuxer = configured()
    expect(frame(demuxer, withLengths([H264.otherSps, predicted(1)]))?.nalUnits).toEqual([predicted(1)])
    expect(demuxer.parameterSets[0]).toEqual(H264.otherSps)
  })

  test('are found in band where there is no configuration', () => {
    const demuxer = createVideoDemuxer('h264')
    expect(demuxer.parameterSets).toEqual([])
    frame(demuxer, withStartCodes([H264.sps, H264.pps, idr(1)]))
    expect(demuxer.parameterSets).toEqual([H264.sps, H264.pps])
  })

  test('are kept when a later configuration is broken', () => {
    const demuxer = configured()
    demuxer.configure(Buffer.of(1, 2, 3))
    expect(demuxer.parameterSets).toHaveLength(2)
  })
})

describe('odd encoders', () => {
  test.each([1, 2, 4])('lengths of %i bytes', (lengthSize) => {
    const demuxer = createVideoDemuxer('h264')
    demuxer.configure(avcC(H264.sps, H264.pps, lengthSize))
    expect(frame(demuxer, withLengths([predicted(1)], lengthSize))?.nalUnits).toEqual([predicted(1)])
  })

  test('start codes', () => {
    expect(frame(configured(), withStartCodes([idr(1)]))?.nalUnits).toContainEqual(idr(1))
  })

  test("empty units, and kinds of units that RTP can't carry", () => {
    const units = [Buffer.alloc(0), Buffer.of(0x1e, 1), predicted(1)]
    expect(frame(configured(), withLengths(units))?.nalUnits).toEqual([predicted(1)])
  })

  test('tags without a picture', () => {
    expect(frame(configured(), withLengths([H264.sps, H264.pps]))).toBeUndefined()
    expect(frame(configured(), Buffer.alloc(3))).toBeUndefined()
  })

  test("offsets that can't be", () => {
    const data = withLengths([predicted(1)])
    expect(frame(configured(), data, { compositionMs: 80 })?.compositionMs).toBe(80)
    expect(frame(configured(), data, { compositionMs: 8_000_000 })?.compositionMs).toBe(0)
  })
})
