import { RtspFailure } from '../../../src/media/rtsp/wire/message.ts'
import {
  CLIENT_PARSER_LIMITS,
  createMessageParser,
  DEFAULT_PARSER_LIMITS,
  type ParserLimits,
} from '../../../src/media/rtsp/wire/message-parser.ts'
import { parseTransport, parseTransportAnswer } from '../../../src/media/rtsp/wire/transport-header.ts'
import { rtspSession } from '../inputs/rtsp-session.ts'
import { pieces } from '../mutate.ts'
import { randomOf } from '../random.ts'
import { type FuzzTarget } from '../target.ts'

const MAX_HELD_BYTES = 100 * 1024

export const rtspMessages: FuzzTarget = {
  name: 'rtsp-messages',
  about: 'sessions of RTSP, cut anywhere, to the parsers of the server and of the client',
  counts: { short: 300, long: 100_000 },
  open: () => ({
    create: rtspSession,
    feed(input) {
      parse(input, DEFAULT_PARSER_LIMITS)
      parse(input, CLIENT_PARSER_LIMITS)
    },
  }),
}

function parse(input: Buffer, limits: ParserLimits): void {
  const parser = createMessageParser(limits)
  try {
    for (const piece of pieces(input, randomOf(input))) {
      parser.push(piece)
      for (let message = parser.next(); message; message = parser.next()) {
        if (message.kind === 'frame') continue
        parseTransport(message.headers.get('transport') ?? '')
        parseTransportAnswer(message.headers.get('transport') ?? '')
      }
      if (parser.heldBytes > MAX_HELD_BYTES) throw new Error(`The parser holds ${parser.heldBytes} bytes.`)
    }
  } catch (error) {
    if (!(error instanceof RtspFailure)) throw error
  }
}
