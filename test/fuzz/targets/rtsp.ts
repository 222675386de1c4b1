import { startRtspServer } from '../../support/rtsp-server.ts'
import { rtspSession } from '../inputs/rtsp-session.ts'
import { talk } from '../talk.ts'
import { type FuzzTarget } from '../target.ts'
import { within } from '../within.ts'

const TIMEOUTS = { requestMs: 200, publisherMs: 200, closeMs: 200 }
const SETTLE_MS = 10_000
/** Behind everything: who gets its answer has been understood up to here. */
const LAST_REQUEST = Buffer.from('OPTIONS * RTSP/1.0\r\nCSeq: 424242\r\n\r\n')
const TALK = {
  firstMs: 30,
  quietMs: 30,
  maxMs: 300,
  isLast: (part: Buffer) => part.includes('CSeq: 424242\r\n'),
}

export const rtsp: FuzzTarget = {
  name: 'rtsp',
  about: 'sessions of publishers and readers to the RTSP server, by TCP',
  counts: { short: 100, long: 10_000 },
  parallel: 8,
  async open() {
    const server = await startRtspServer({ timeouts: TIMEOUTS })
    return {
      create: rtspSession,
      async feed(input) {
        await talk(server.port, Buffer.concat([input, LAST_REQUEST]), TALK)
        const failure = server.logged.find((line) => line.includes('failed.'))
        server.logged.length = 0
        server.events.length = 0
        if (failure !== undefined) throw new Error(failure)
      },
      async settle() {
        const answer = await talk(server.port, LAST_REQUEST, { ...TALK, firstMs: SETTLE_MS, maxMs: SETTLE_MS })
        if (answer.length === 0) throw new Error('The server no longer answers.')
        const isEmpty = server.until((hub) => hub.list().length === 0)
        await within(SETTLE_MS, isEmpty, 'Paths are left behind.')
      },
      close: () => within(SETTLE_MS, server.close(), 'The server does not close.'),
    }
  },
}
