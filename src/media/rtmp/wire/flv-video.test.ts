import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { avcConfigurationTag, avcFrameTag, enhancedTag } from '../../../../test/builders/flv-tags.ts'
import { configurationTagHead, frameTagHead, parseVideoTag } from './flv-video.ts'

const BODY = Buffer.from('picture')
const OFFSET = Buffer.of(0xff, 0xff, 0xfe)

describe('classic tags', () => {
  test.each([
    {
      name: 'a configuration',
      tag: avcConfigurationTag(BODY),
      expected: { kind: 'configuration', codec: 'h264', data: BODY },
    },
    {
      name: 'a keyframe with an offset',
      tag: avcFrameTag(BODY, { isKeyframe: true, compositionMs: 80 }),
      expected: { kind: 'frame', codec: 'h264', isKeyframe: true, compositionMs: 80, data: BODY },
    },
    {
      name: 'a frame with a negative offset',
      tag: avcFrameTag(BODY, { compositionMs: -2 }),
      expected: { isKeyframe: false, compositionMs: -2 },
    },
    { name: 'the end of a sequence', tag: Buffer.of(0x17, 2, 0, 0, 0, 1), expected: { kind: 'nothing' } },
    { name: 'a command frame', tag: Buffer.of(0x57, 1, 0, 0, 0, 1), expected: { kind: 'nothing' } },
    { name: 'H.265 in the old way', tag: Buffer.of(0x1c, 1, 0, 0, 0, 1), expected: { kind: 'frame', codec: 'h265' } },
    { name: 'Sorenson', tag: Buffer.of(0x12, 1), expected: { kind: 'unsupported', what: 'flv1' } },
    { name: 'a codec without a name', tag: Buffer.of(0x1f, 1), expected: { what: 'FLV video codec 15' } },
    { name: 'an empty tag', tag: Buffer.alloc(0), expected: { kind: 'nothing' } },
    { name: 'a tag without a body', tag: Buffer.of(0x27, 1, 0, 0, 0), expected: { kind: 'nothing' } },
  ])('$name', ({ tag, expected }) => expect(parseVideoTag(tag)).toMatchObject(expected))
})

describe('enhanced tags', () => {
  const withOffset = Buffer.concat([OFFSET, BODY])
  test.each([
    {
      name: 'SequenceStart',
      tag: enhancedTag('hvc1', 0, BODY, true),
      expected: { kind: 'configuration', codec: 'h265' },
    },
    {
      name: 'CodedFrames',
      tag: enhancedTag('hvc1', 1, withOffset, true),
      expected: { kind: 'frame', codec: 'h265', isKeyframe: true, compositionMs: -2, data: BODY },
    },
    {
      name: 'CodedFramesX',
      tag: enhancedTag('avc1', 3, BODY),
      expected: { kind: 'frame', codec: 'h264', isKeyframe: false, compositionMs: 0, data: BODY },
    },
    { name: 'SequenceEnd', tag: enhancedTag('hvc1', 2, Buffer.of(0)), expected: { kind: 'nothing' } },
    { name: 'Metadata', tag: enhancedTag('hvc1', 4, BODY), expected: { kind: 'nothing' } },
    { name: 'AV1', tag: enhancedTag('av01', 1, BODY), expected: { kind: 'unsupported', what: 'av1' } },
    { name: 'a codec of tomorrow', tag: enhancedTag('xy\n1', 1, BODY), expected: { what: 'video codec "xy\\n1"' } },
    { name: 'multitrack', tag: enhancedTag('hvc1', 6, BODY), expected: { kind: 'unsupported' } },
    {
      name: 'ModEx before CodedFramesX',
      tag: Buffer.concat([Buffer.of(0xa7, 2, 1, 2, 3, 0x03), Buffer.from('hvc1'), BODY]),
      expected: { kind: 'frame', codec: 'h265', data: BODY },
    },
    {
      name: 'a long ModEx, and another',
      tag: Buffer.concat([
        Buffer.of(0xa7, 0xff, 0x01, 0x2b),
        Buffer.alloc(300),
        Buffer.of(0x07, 0, 9, 0x03),
        Buffer.from('hvc1'),
        BODY,
      ]),
      expected: { kind: 'frame', codec: 'h265', data: BODY },
    },
    { name: 'a ModEx past the end', tag: Buffer.of(0xa7, 9, 1), expected: { kind: 'nothing' } },
  ])('$name', ({ tag, expected }) => expect(parseVideoTag(tag)).toMatchObject(expected))
})

test.each(['h264', 'h265'] as const)('tags of %s that we make are read as what they are', (codec) => {
  expect(parseVideoTag(Buffer.concat([configurationTagHead(codec), BODY]))).toEqual({
    kind: 'configuration',
    codec,
    data: BODY,
  })
  for (const isKeyframe of [true, false]) {
    expect(parseVideoTag(Buffer.concat([frameTagHead(codec, isKeyframe, 42), BODY]))).toEqual({
      kind: 'frame',
      codec,
      isKeyframe,
      compositionMs: 42,
      data: BODY,
    })
  }
})

test('random bytes never throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 30 }), (bytes) => void parseVideoTag(Buffer.from(bytes))))
})
