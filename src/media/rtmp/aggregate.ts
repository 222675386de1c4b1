import { type RtmpMessage } from '../rtmp-client/message.ts'

const TAG_HEADER_BYTES = 11
const BACK_POINTER_BYTES = 4

/** Takes an aggregate message apart (RTMP 1.0 §7.1.6): FLV tags, whose times count from the first one's. */
export function splitAggregate({ payload, timestamp, streamId }: RtmpMessage): RtmpMessage[] {
  const messages: RtmpMessage[] = []
  let firstMs: number | undefined
  for (let at = 0; at + TAG_HEADER_BYTES <= payload.length;) {
    const length = payload.readUIntBE(at + 1, 3)
    const tagMs = (payload.readUIntBE(at + 4, 3) | (payload[at + 7]! << 24)) >>> 0
    const start = at + TAG_HEADER_BYTES
    if (start + length > payload.length) break
    firstMs ??= tagMs
    messages.push({
      typeId: payload[at]!,
      streamId,
      timestamp: (timestamp + tagMs - firstMs) >>> 0,
      payload: payload.subarray(start, start + length),
    })
    at = start + length + BACK_POINTER_BYTES
  }
  return messages
}
