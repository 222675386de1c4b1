import { type ChunkParser } from '../../src/media/rtmp/wire/chunk-parser.ts'
import { type RtmpMessage } from '../../src/media/rtmp/wire/message.ts'

/** All messages that these bytes complete. */
export function pushAll(parser: Pick<ChunkParser, 'push' | 'next'>, data: Buffer): RtmpMessage[] {
  parser.push(data)
  const messages: RtmpMessage[] = []
  for (let message = parser.next(); message; message = parser.next()) messages.push(message)
  return messages
}
