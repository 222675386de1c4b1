import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createHub } from '../../../src/media/hub.ts'
import { playerRole } from '../../../src/media/rtmp/client/player.ts'
import { parseRtmpAddress } from '../../../src/media/rtmp/client/rtmp-address.ts'
import { RtmpClientError } from '../../../src/media/rtmp/client/server-sentence.ts'
import { beginSession } from '../../../src/media/rtmp/client/session.ts'
import { createMessageDemuxer } from '../../../src/media/rtmp/demux/message-demuxer.ts'
import { createTimeSlice } from '../../../src/media/time-slice.ts'
import { rtmpServerAnswers } from '../inputs/rtmp-server-answers.ts'
import { pieces } from '../mutate.ts'
import { joinParts, splitParts } from '../parts.ts'
import { randomOf } from '../random.ts'
import { type FuzzTarget } from '../target.ts'

const ADDRESS = parseRtmpAddress('rtmp://host/live/cam')
const ANYBODY = { credentials: { kind: 'none' }, remoteAddress: '127.0.0.1', protocol: 'rtmp' } as const
/** Answers in memory come at once or never. */
const ANSWER_MS = 100
/** Enough for the player to ask the next thing. */
const TURNS_BETWEEN_ANSWERS = 4

/** A server that we play from is a stranger, too: whatever it says, the player ends with a sentence. */
export const rtmpPlayer: FuzzTarget = {
  name: 'rtmp-player',
  about: 'answers and streams of servers to the RTMP client, in memory',
  counts: { short: 80, long: 10_000 },
  parallel: 8,
  open: () => ({
    create: (random) => joinParts(rtmpServerAnswers(random)),
    async feed(input) {
      const socket = new Duplex({ read: () => undefined, write: (_data, _encoding, done) => done() })
      try {
        await Promise.all([play(socket), serve(socket, input)])
      } finally {
        socket.destroy()
      }
    },
  }),
}

async function play(socket: Duplex): Promise<void> {
  const hub = createHub({ authorize: async () => ({ principal: 'p' }), onEvent: () => undefined })
  const publication = await hub.publish('admin/cam', ANYBODY)
  const log = { info: () => undefined, warn: () => undefined }
  const slice = createTimeSlice({ maxSteps: 256, maxMs: 5 })
  const demuxer = createMessageDemuxer({ publication, slice, log, now: Date.now })
  try {
    const role = playerRole({ silenceMs: ANSWER_MS, sink: (message) => demuxer.handle(message) })
    const player = await beginSession(socket, ADDRESS, role, { timeouts: { answerMs: ANSWER_MS }, slice })
    await new Promise<string>((resolve) => player.onEnd(resolve))
    await player.close()
  } catch (error) {
    if (!(error instanceof RtmpClientError)) throw error
  } finally {
    publication.close()
  }
}

/** Each part goes out when the player has had its turn to ask; sometimes nothing says that it was the last. */
async function serve(socket: Duplex, input: Buffer): Promise<void> {
  const random = randomOf(input)
  for (const part of splitParts(input)) {
    for (const piece of pieces(part, random)) socket.push(piece)
    for (let turns = 0; turns < TURNS_BETWEEN_ANSWERS; turns++) await nextTurn()
  }
  if (!random.oneIn(16)) socket.push(null)
}
