import { MESSAGE, type RtmpMessage } from '../wire/message.ts'
import { createPartCounter } from '../../rtp/part-limit.ts'

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
