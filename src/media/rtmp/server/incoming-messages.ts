import { type ChunkLimits, type ChunkParser, createChunkParser } from '../wire/chunk-parser.ts'
import { MESSAGE, type RtmpMessage } from '../wire/message.ts'
import { splitAggregate } from './aggregate.ts'

/** What a client sends, one message at a time; those in an aggregate come as if they had been sent by themselves. */
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
