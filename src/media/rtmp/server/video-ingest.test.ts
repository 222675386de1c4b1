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
import { createVideoIngest, type VideoIngest } from './video-ingest.ts'

function frame(ingest: VideoIngest, data: Buffer, tag: Partial<Extract<VideoTag, { kind: 'frame' }>> = {}) {
  const { codec } = ingest.format
  return ingest.frame({ kind: 'frame', codec, isKeyframe: false, compositionMs: 0, data, ...tag })
}

function configured(): VideoIngest {
  const ingest = createVideoIngest('h264')
  ingest.configure(avcC())
  return ingest
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
    const ingest = createVideoIngest('h265')
    ingest.configure(hvcC())
    expect(frame(ingest, withLengths([idr265(1)]))?.nalUnits).toEqual([H265.vps, H265.sps, H265.pps, idr265(1)])
    expect(frame(ingest, withLengths([predicted265(2)]))?.nalUnits).toEqual([predicted265(2)])
  })
})

describe('parameter sets', () => {
  test('that change count from the next keyframe on', () => {
    const ingest = configured()
    ingest.configure(avcC(H264.otherSps))
    expect(frame(ingest, withLengths([predicted(1)]))?.nalUnits).toEqual([predicted(1)])
    expect(frame(ingest, withLengths([idr(2)]))?.nalUnits).toEqual([H264.otherSps, H264.pps, idr(2)])
  })

  test('that change in band count, too', () => {
    const ingest = configured()
    frame(ingest, withLengths([H264.otherSps, idr(1)]))
    expect(frame(ingest, withLengths([idr(2)]))?.nalUnits).toEqual([H264.otherSps, H264.pps, idr(2)])
  })

  test('before a picture that is no keyframe are taken out and kept', () => {
    const ingest = configured()
    expect(frame(ingest, withLengths([H264.otherSps, predicted(1)]))?.nalUnits).toEqual([predicted(1)])
    expect(ingest.parameterSets[0]).toEqual(H264.otherSps)
  })

  test('are found in band where there is no configuration', () => {
    const ingest = createVideoIngest('h264')
    expect(ingest.parameterSets).toEqual([])
    frame(ingest, withStartCodes([H264.sps, H264.pps, idr(1)]))
    expect(ingest.parameterSets).toEqual([H264.sps, H264.pps])
  })

  test('are kept when a later configuration is broken', () => {
    const ingest = configured()
    ingest.configure(Buffer.of(1, 2, 3))
    expect(ingest.parameterSets).toHaveLength(2)
  })
})

describe('odd encoders', () => {
  test.each([1, 2, 4])('lengths of %i bytes', (lengthSize) => {
    const ingest = createVideoIngest('h264')
    ingest.configure(avcC(H264.sps, H264.pps, lengthSize))
    expect(frame(ingest, withLengths([predicted(1)], lengthSize))?.nalUnits).toEqual([predicted(1)])
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
