import { createPartCounter } from '../../rtp/part-limit.ts'
import { type ChunkLimits } from './chunk-limits.ts'
import { type ChunkParser, createChunkParser } from './chunk-parser.ts'
import { MESSAGE, type RtmpMessage } from './message.ts'

/** What the other side sends, one message at a time; those in an aggregate come as if they had been sent by themselves. */
export function createIncomingMessages(limits: ChunkLimits): ChunkParser {
  const parser = createChunkParser(limits)
  let aggregate: Iterator<RtmpMessage, void> | undefined

  return {
    push: (data) => parser.push(data),
    setLimits: (next) => parser.setLimits(next),
    get hasMore() {
      return parser.hasMore
    },
    next(maxChunks) {
      for (;;) {
        const inside = aggregate?.next()
        if (inside?.value) return inside.value
        aggregate = undefined
        const message = parser.next(maxChunks)
        if (message?.typeId !== MESSAGE.aggregate) return message
        aggregate = splitAggregate(message)
      }
    },
  }
}

const TAG_HEADER_BYTES = 11
const BACK_POINTER_BYTES = 4
const MEDIA: readonly number[] = [MESSAGE.audio, MESSAGE.video, MESSAGE.dataAmf0, MESSAGE.dataAmf3]

/**
 * Takes an aggregate message apart (RTMP 1.0 §7.1.6): FLV tags, whose times count from the first one's. What is no media is
 * left out. One at a time, since each may be as much work as a message of its own. Throws `TooManyPartsError`.
 */
export function* splitAggregate({ payload, timestamp, streamId }: RtmpMessage): Generator<RtmpMessage, void> {
  const countPart = createPartCounter()
  let firstMs: number | undefined
  for (let at = 0; at + TAG_HEADER_BYTES <= payload.length;) {
    countPart()
    const typeId = payload[at]!
    const length = payload.readUIntBE(at + 1, 3)
    const tagMs = (payload.readUIntBE(at + 4, 3) | (payload[at + 7]! << 24)) >>> 0
    const start = at + TAG_HEADER_BYTES
    if (start + length > payload.length) break
    firstMs ??= tagMs
    if (MEDIA.includes(typeId)) {
      yield {
        typeId,
        streamId,
        timestamp: (timestamp + tagMs - firstMs) >>> 0,
        payload: payload.subarray(start, start + length),
      }
    }
    at = start + length + BACK_POINTER_BYTES
  }
}
