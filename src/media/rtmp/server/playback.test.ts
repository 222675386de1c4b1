import { describe, expect, test } from 'vitest'
import { pushAll } from '../../../../test/support/chunk-messages.ts'
import { createChunkParser } from '../wire/chunk-parser.ts'
import { CHUNK_STREAM } from '../wire/chunk-writer.ts'
import { chunked, type MediaMessage } from './media-message.ts'
import { createPlayback } from './playback.ts'

const configurationOf = (kind: MediaMessage['kind'], name: string) => chunked(CHUNK_STREAM[kind], Buffer.from(name))
const VIDEO_CONFIGURATION = configurationOf('video', 'sets')
const AUDIO_CONFIGURATION = configurationOf('audio', 'aac')

function picture(name: string, timestampMs: number, given: Partial<MediaMessage> = {}): MediaMessage {
  const payload = chunked(CHUNK_STREAM.video, Buffer.from(name))
  const [kind, configuration] = ['video', VIDEO_CONFIGURATION] as const
  return { kind, timestampMs, presentationMs: timestampMs, isKeyframe: false, payload, configuration, ...given }
}

const keyframe = (name: string, timestampMs: number, given: Partial<MediaMessage> = {}) =>
  picture(name, timestampMs, { isKeyframe: true, ...given })

const sound = (name: string, timestampMs: number): MediaMessage => ({
  ...picture(name, timestampMs),
  kind: 'audio',
  isKeyframe: true,
  payload: chunked(CHUNK_STREAM.audio, Buffer.from(name)),
  configuration: AUDIO_CONFIGURATION,
})

/** What the client makes of it: `<name>@<time>`. */
function createRig(hasVideo = true) {
  const playback = createPlayback(1, hasVideo)
  const parser = createChunkParser()
  parser.push(Buffer.from('02000000000004010000000000010000', 'hex'))
  const received = (chunks: readonly Buffer[]) =>
    pushAll(parser, Buffer.concat(chunks)).map(({ payload, timestamp }) => `${payload.toString()}@${timestamp}`)
  return {
    playback,
    play: (...messages: readonly MediaMessage[]) => messages.flatMap((message) => received(playback.chunksOf(message))),
    received,
  }
}

describe('the beginning', () => {
  test('is a keyframe at time 0, with its configuration before it', () => {
    const { play } = createRig()
    expect(play(picture('p1', 940), keyframe('k', 1000), picture('p2', 1040))).toEqual(['sets@0', 'k@0', 'p2@40'])
  })

  test('has no sound from before the keyframe', () => {
    const { play } = createRig()
    const messages = play(sound('s1', 980), keyframe('k', 1000), sound('s2', 990), sound('s3', 1010))
    expect(messages).toEqual(['sets@0', 'k@0', 'aac@10', 's3@10'])
  })

  test('has no pictures that are shown before the keyframe', () => {
    const { play } = createRig()
    const shownBefore = picture('b', 1040, { presentationMs: 1060 })
    const messages = play(keyframe('k', 1000, { presentationMs: 1080 }), shownBefore, picture('p', 1080))
    expect(messages).toEqual(['sets@0', 'k@0', 'p@80'])
  })

  test('is any sound where there is no video', () => {
    expect(createRig(false).play(sound('s', 500))).toEqual(['aac@0', 's@0'])
  })
})

describe('configurations', () => {
  test('that were sent ahead are not sent again', () => {
    const { playback, play, received } = createRig()
    expect(received(playback.chunksOfConfiguration('video', VIDEO_CONFIGURATION))).toEqual(['sets@0'])
    expect(play(keyframe('k', 1000))).toEqual(['k@0'])
  })

  test('that change go before the picture that needs them', () => {
    const { play } = createRig()
    const configuration = configurationOf('video', 'new')
    const messages = play(keyframe('k1', 0), keyframe('k2', 40, { configuration }), picture('p', 80, { configuration }))
    expect(messages).toEqual(['sets@0', 'k1@0', 'new@40', 'k2@40', 'p@80'])
  })
})

test('a pause ends with the next keyframe, at the time that has passed', () => {
  const { playback, play } = createRig()
  play(keyframe('k1', 0))
  playback.setPaused(true)
  expect(play(picture('p1', 40), keyframe('k2', 80))).toEqual([])
  playback.setPaused(false)
  expect(play(picture('p2', 120), keyframe('k3', 160), picture('p3', 200))).toEqual(['k3@160', 'p3@200'])
})
