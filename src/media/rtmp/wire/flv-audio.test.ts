import fc from 'fast-check'
import { expect, test } from 'vitest'
import { AAC_CONFIG, aacConfigurationTag, aacFrameTag } from '../../../../test/builders/flv-tags.ts'
import { aacTagHead, parseAudioTag } from './flv-audio.ts'

const DATA = Buffer.from('sound')

test.each([
  { name: 'a configuration', tag: aacConfigurationTag(), expected: { kind: 'configuration', data: AAC_CONFIG } },
  { name: 'a frame', tag: aacFrameTag(DATA), expected: { kind: 'frame', data: DATA } },
  { name: 'an empty frame', tag: aacFrameTag(Buffer.alloc(0)), expected: { kind: 'nothing' } },
  { name: 'MP3', tag: Buffer.of(0x2f, 1), expected: { kind: 'unsupported', what: 'MP3' } },
  { name: 'an unknown format', tag: Buffer.of(0x5f, 1), expected: { kind: 'unsupported', what: 'FLV audio format 5' } },
  { name: 'enhanced AAC', tag: Buffer.from('\x91mp4asound', 'latin1'), expected: { kind: 'frame', data: DATA } },
  { name: 'enhanced Opus', tag: Buffer.from('\x91Opussound', 'latin1'), expected: { what: 'audio codec "Opus"' } },
  { name: 'nothing', tag: Buffer.alloc(0), expected: { kind: 'nothing' } },
])('$name', ({ tag, expected }) => expect(parseAudioTag(tag)).toMatchObject(expected))

test('tags that we make are read as what they are', () => {
  for (const kind of ['configuration', 'frame'] as const) {
    expect(parseAudioTag(Buffer.concat([aacTagHead(kind), DATA]))).toEqual({ kind, data: DATA })
  }
})

test('random bytes never throw', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => void parseAudioTag(Buffer.from(bytes))))
})
