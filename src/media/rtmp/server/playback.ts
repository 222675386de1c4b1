import { CHUNK_STREAM, createHeaderWriter } from '../wire/chunk-writer.ts'
import { MESSAGE } from '../wire/message.ts'
import { type ChunkedPayload, type MediaMessage } from './media-message.ts'

/** What one reader gets of a stream: it begins with a keyframe at time 0, and again with one after each pause. */
export interface Playback {
  setPaused(isPaused: boolean): void
  /** The chunks of a message and of the configuration that it needs; none while the reader can't use it. */
  chunksOf(message: MediaMessage): readonly Buffer[]
  /** Ahead of the first message, for readers that want to know at once what to decode. */
  chunksOfConfiguration(kind: MediaMessage['kind'], configuration: ChunkedPayload): readonly Buffer[]
}

const NO_CHUNKS: readonly Buffer[] = []

export function createPlayback(streamId: number, hasVideo: boolean): Playback {
  const headers = {
    video: createHeaderWriter(CHUNK_STREAM.video, MESSAGE.video, streamId),
    audio: createHeaderWriter(CHUNK_STREAM.audio, MESSAGE.audio, streamId),
  }
  const sentConfigurations: { video?: ChunkedPayload; audio?: ChunkedPayload } = {}
  /** The keyframe with which this reader began: its time counts from there. */
  let beginning: MediaMessage | undefined
  let isPaused = false
  let isWaitingForKeyframe = true

  function configure(kind: MediaMessage['kind'], configuration: ChunkedPayload, readerMs: number): Buffer[] {
    sentConfigurations[kind] = configuration
    return [headers[kind].next(readerMs, configuration.length), configuration.body]
  }

  return {
    setPaused(paused) {
      if (isPaused && !paused) isWaitingForKeyframe = true
      isPaused = paused
    },
    chunksOf(message) {
      const { kind, timestampMs, isKeyframe, payload, configuration } = message
      if (isPaused) return NO_CHUNKS
      if (kind === 'video' || !hasVideo) {
        if (isWaitingForKeyframe && !isKeyframe) return NO_CHUNKS
        isWaitingForKeyframe = false
        beginning ??= message
      }
      if (!beginning || isBefore(beginning, message)) return NO_CHUNKS
      const readerMs = timestampMs - beginning.timestampMs
      const chunks = sentConfigurations[kind] === configuration ? [] : configure(kind, configuration, readerMs)
      chunks.push(headers[kind].next(readerMs, payload.length), payload.body)
      return chunks
    },
    chunksOfConfiguration: (kind, configuration) => configure(kind, configuration, 0),
  }
}

/** Pictures that are shown before the first one can't be decoded without what came before it (open groups). */
function isBefore(beginning: MediaMessage, { kind, timestampMs, presentationMs }: MediaMessage): boolean {
  return kind === 'video' ? presentationMs < beginning.presentationMs : timestampMs < beginning.timestampMs
}
