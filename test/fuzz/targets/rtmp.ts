import { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { createHub } from '../../../src/media/hub.ts'
import { type Publication } from '../../../src/media/publication.ts'
import { createConnection } from '../../../src/media/rtmp/server/connection.ts'
import { createMuxerPool } from '../../../src/media/rtmp/server/muxer-pool.ts'
import { createH264Packetizer, describeH264Track } from '../../../src/media/rtp/h264-codec.ts'
import { createWaitingBytes } from '../../../src/media/waiting-bytes.ts'
import { H264, idr, predicted } from '../../builders/flv-tags.ts'
import { rtmpSession } from '../inputs/rtmp-session.ts'
import { pieces } from '../mutate.ts'
import { randomOf } from '../random.ts'
import { type FuzzTarget } from '../target.ts'

/** Longer than any session of some kilobytes: what is not over by then hangs. */
const IDLE_MS = 60_000
const MAX_TURNS = 200
const ADMIN = { credentials: { kind: 'key', key: 'K' }, remoteAddress: '127.0.0.1', protocol: 'rtmp' } as const

export const rtmp: FuzzTarget = {
  name: 'rtmp',
  about: 'sessions of publishers and readers to the RTMP server, in memory',
  counts: { short: 80, long: 10_000 },
  parallel: 8,
  async open() {
    const server = await createServer()
    return {
      create: rtmpSession,
      async feed(input) {
        const socket = new Duplex({ read: () => undefined, write: (_data, _encoding, done) => done() })
        const ended = server.connect(socket)
        const random = randomOf(input)
        let turnsLeft = MAX_TURNS
        for (const piece of pieces(input, random)) {
          socket.push(piece)
          if (random.oneIn(20)) server.feedReaders()
          // Now and then the server gets its turn before all is there.
          if (turnsLeft-- > 0 && random.oneIn(4)) await nextTurn()
        }
        socket.push(null)
        await ended
      },
      close: async () => server.close(),
    }
  },
}

async function createServer() {
  const failures: unknown[] = []
  const hub = createHub({ authorize: async () => ({ principal: 'p' }), onEvent: () => undefined })
  const log = {
    info: () => undefined,
    warn: (fields: Readonly<Record<string, unknown>>) => void (fields['err'] && failures.push(fields['err'])),
  }
  const live = await hub.publish('admin/live', ADMIN)
  live.start({ tracks: [describeH264Track(96, [H264.sps, H264.pps])] })
  const options = {
    hub,
    muxers: createMuxerPool(),
    log,
    refusals: { note: () => undefined },
    now: Date.now,
    remoteAddress: '127.0.0.1',
    waitingBytes: createWaitingBytes(),
    maxQueuedBytes: 1024 * 1024,
    isEncrypted: false,
    timeouts: { idleMs: IDLE_MS, publisherMs: IDLE_MS },
    onCameraCalled: () => undefined,
    onAccepted: () => undefined,
    onStreaming: () => undefined,
  }
  return {
    /** Sends a keyframe and a picture on the path that those read who play. */
    feedReaders: createFeed(live),
    async connect(socket: Duplex): Promise<void> {
      await new Promise<void>((onClosed) => createConnection({ ...options, socket, onClosed }))
      if (failures.length > 0) throw failures.pop()
    },
    close: () => hub.close(),
  }
}

function createFeed(publication: Publication): () => void {
  const packetize = createH264Packetizer({ payloadType: 96 })
  let timestamp = 0
  return () => {
    const pictures = [[H264.sps, H264.pps, idr(1, 3000)], [predicted(2, 500)]]
    for (const nalUnits of pictures) {
      timestamp = (timestamp + 3000) >>> 0
      for (const packet of packetize(nalUnits, timestamp)) publication.write(0, packet)
    }
  }
}
