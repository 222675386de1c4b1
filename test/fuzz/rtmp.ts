import { Duplex } from 'node:stream'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createHub } from '../../src/media/hub.ts'
import { type Publication } from '../../src/media/publication.ts'
import { createConnection } from '../../src/media/rtmp/server/connection.ts'
import { createMuxerPool } from '../../src/media/rtmp/server/muxer-pool.ts'
import { createH264Packetizer, describeH264Track } from '../../src/media/rtp/h264-codec.ts'
import { createWaitingBytes } from '../../src/media/waiting-bytes.ts'
import { H264, idr, predicted } from '../builders/flv-tags.ts'
import { CLIENT_GREETING } from '../support/rtmp-client.ts'
import { mutate, pieces } from './mutate.ts'
import { createRandom, type Random } from './random.ts'
import { validSessions } from './rtmp-sessions.ts'

/** One session of a few kilobytes must be over long before. */
const HANG_MS = 5000
/** What may be left in memory after any number of sessions. */
const MAX_GROWTH_BYTES = 64 * 1024 * 1024
const ADMIN = { credentials: { kind: 'key', key: 'K' }, remoteAddress: '127.0.0.1', protocol: 'rtmp' } as const

/**
 * Feeds mutated sessions to the RTMP server, in memory, one after the other. Throws when one makes it fail, hang or keep
 * memory; the message has the seed with which `fuzzRtmp(0, seed)` repeats that session.
 */
export async function fuzzRtmp(seconds: number, seed: number): Promise<void> {
  const sessions = validSessions()
  const rig = await createRig()
  const endsAt = performance.now() + seconds * 1000
  let baseline: number | undefined
  for (let current = seed; current === seed || performance.now() < endsAt; current++) {
    try {
      await playSession(rig, sessions, createRandom(current))
    } catch (error) {
      throw new Error(`The RTMP session of seed ${current} went wrong.`, { cause: error })
    }
    // What is made once, compiled code and pools, is there after the first hundred.
    if (current === seed + 100) baseline = usedBytes()
  }
  const growth = baseline === undefined ? 0 : usedBytes() - baseline
  if (growth > MAX_GROWTH_BYTES)
    throw new Error(`Memory grew by ${Math.round(growth / 2 ** 20)} MB from seed ${seed} on.`)
}

interface Rig {
  connect(socket: Duplex): Promise<void>
  /** Sends a keyframe and a picture on the path that fuzzed readers read. */
  feedReaders(): void
}

async function createRig(): Promise<Rig> {
  const failures: unknown[] = []
  const hub = createHub({ authorize: async () => ({ principal: 'p' }), onEvent: () => undefined })
  const muxers = createMuxerPool()
  const waitingBytes = createWaitingBytes()
  const log = {
    info: () => undefined,
    warn: (fields: Readonly<Record<string, unknown>>) => void (fields['err'] && failures.push(fields['err'])),
  }
  const live = await hub.publish('admin/live', ADMIN)
  live.start({ tracks: [describeH264Track(96, [H264.sps, H264.pps])] })
  return {
    feedReaders: createFeed(live),
    async connect(socket) {
      const timeouts = { idleMs: HANG_MS, publisherMs: HANG_MS }
      const refusals = { note: () => undefined }
      const options = {
        hub,
        muxers,
        log,
        refusals,
        now: Date.now,
        remoteAddress: '127.0.0.1',
        waitingBytes,
        maxQueuedBytes: 1024 * 1024,
      }
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error('The connection did not end.')), HANG_MS)
        const onClosed = () => {
          clearTimeout(timer)
          resolve()
        }
        createConnection({
          ...options,
          socket,
          isEncrypted: false,
          timeouts,
          onCameraCalled: () => undefined,
          onAccepted: () => undefined,
          onStreaming: () => undefined,
          onClosed,
        })
      })
      if (failures.length > 0) throw failures[0]
    },
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

async function playSession(rig: Rig, sessions: readonly Buffer[], random: Random): Promise<void> {
  const socket = new Duplex({ read: () => undefined, write: (_data, _encoding, done) => done() })
  const ended = rig.connect(socket)
  let left = 200
  // Most of what can go wrong lies behind the handshake.
  const greeting = random.below(20) === 0 ? mutate(CLIENT_GREETING, random) : CLIENT_GREETING
  const bytes = Buffer.concat([greeting, mutate(random.pick(sessions), random)])
  for (const piece of pieces(bytes, random)) {
    socket.push(piece)
    if (random.below(20) === 0) rig.feedReaders()
    // Now and then the server gets its turn before all is there.
    if (left-- > 0 && random.below(4) === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  socket.push(null)
  await ended
}

/** After collecting garbage, which Node only lets us do when asked for at run time. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc') as () => void
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}
