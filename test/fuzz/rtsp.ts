/**
 * Mutated sessions against the parser and against a real server. Throws when something crashes, hangs or grows; the seed
 * makes a failure happen again.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { RtspFailure } from '../../src/media/rtsp/wire/message.ts'
import { createMessageParser } from '../../src/media/rtsp/wire/message-parser.ts'
import { announcement, createFrameMaker } from '../builders/h264-rtp.ts'
import { startRtspServer } from '../support/rtsp-server.ts'

const MAX_HELD_BYTES = 100 * 1024
const MAX_GROWTH_BYTES = 128 * 1024 * 1024
const HANG_MS = 5_000
/** Sessions against the server at the same time. */
const PARALLEL = 8

export async function fuzzRtsp(seconds: number, seed: number): Promise<void> {
  const random = createRandom(seed)
  const deadline = Date.now() + seconds * 1000
  const heapBefore = process.memoryUsage().heapUsed
  const server = await startRtspServer({ timeouts: { requestMs: 200, publisherMs: 200, closeMs: 200 } })
  const errors: unknown[] = []
  const onError = (error: unknown) => void errors.push(error)
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
  try {
    while (Date.now() < deadline && errors.length === 0) {
      for (let i = 0; i < 50; i++) feedParser(mutate(createSession(random, 1), random), random)
      await Promise.all(
        Array.from({ length: PARALLEL }, () => talk(server.port, mutate(createSession(random, server.port), random))),
      )
    }
    await within(HANG_MS, answersStill(server.port), 'The server no longer answers.')
    await within(
      HANG_MS,
      server.until((hub) => hub.list().length === 0),
      'Paths are left behind.',
    )
  } finally {
    await within(HANG_MS, server.close(), 'The server does not close.')
    process.off('uncaughtException', onError)
    process.off('unhandledRejection', onError)
  }
  const failure = server.logged.find((line) => line.includes('failed.'))
  if (failure ?? errors.length > 0) throw new Error(`Seed ${seed}: ${failure ?? 'uncaught'}`, { cause: errors[0] })
  const growth = process.memoryUsage().heapUsed - heapBefore
  if (growth > MAX_GROWTH_BYTES) throw new Error(`Seed ${seed}: the heap grew by ${growth} bytes.`)
}

type Random = (below: number) => number

/** mulberry32: small, and the same on every machine. */
function createRandom(seed: number): Random {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) % below
  }
}

/** A session as a well-meaning client has it, in one piece: a publisher's, a reader's, or a bit of both. */
function createSession(random: Random, port: number): Buffer {
  const url = `rtsp://127.0.0.1:${port}/open/${['one', 'two'][random(2)]}`
  const transport = [
    'RTP/AVP/TCP;unicast;interleaved=0-1',
    'RTP/AVP;unicast;client_port=9-10',
    'RTP/AVP/TCP;unicast;interleaved=250-251,RTP/AVP;unicast;client_port=9',
  ][random(3)]!
  const body = `Content-Type: application/sdp\r\nContent-Length: ${announcement.length}\r\n\r\n${announcement}`
  const make = createFrameMaker({ payloadBytes: 20 + random(2000) })
  const frame = () => {
    const packet = make(random(4) === 0 ? 'key' : 'delta')
    return Buffer.concat([Buffer.from([0x24, random(3), packet.length >> 8, packet.length & 0xff]), packet])
  }
  const publish = [
    `ANNOUNCE ${url} RTSP/1.0\r\nCSeq: 1\r\n${body}`,
    `SETUP ${url}/streamid=${random(3)} RTSP/1.0\r\nCSeq: 2\r\nTransport: ${transport}\r\n\r\n`,
    `RECORD ${url} RTSP/1.0\r\nCSeq: 3\r\n\r\n`,
    frame(),
    frame(),
    frame(),
    `PAUSE ${url} RTSP/1.0\r\nCSeq: 4\r\n\r\n`,
  ]
  const play = [
    `OPTIONS * RTSP/1.0\r\nCSeq: 5\r\n\r\n`,
    `DESCRIBE ${url} RTSP/1.0\r\nCSeq: 6\r\nAuthorization: Digest username="a", realm="aerie", nonce="n", uri="${url}", response="r"\r\n\r\n`,
    `DESCRIBE ${url}?token=x RTSP/1.0\r\nCSeq: 6\r\n\r\n`,
    `DESCRIBE ${url} RTSP/1.0\r\nCSeq: 7\r\n\r\n`,
    `SETUP ${url}/trackID=0 RTSP/1.0\r\nCSeq: 8\r\nTransport: ${transport}\r\n\r\n`,
    `PLAY ${url} RTSP/1.0\r\nCSeq: 9\r\nRange: npt=0-\r\n\r\n`,
    `GET_PARAMETER ${url} RTSP/1.0\r\nCSeq: 10\r\n\r\n`,
    `TEARDOWN ${url} RTSP/1.0\r\nCSeq: 11\r\n\r\n`,
  ]
  const parts: (string | Buffer)[] = random(2) === 0 ? publish : play
  return Buffer.concat(parts.flatMap((part) => (random(12) === 0 ? [] : Buffer.from(part))))
}

/** Changes, removes, repeats and inserts; often nothing, so that sessions also get far. */
function mutate(session: Buffer, random: Random): Buffer {
  let bytes = session
  for (let count = [0, 0, 1, 2, 5, 20][random(6)]!; count > 0; count--) {
    const at = random(bytes.length + 1)
    const length = random(random(4) === 0 ? 200 : 4)
    const [before, middle, after] = [
      bytes.subarray(0, at),
      bytes.subarray(at, at + length),
      bytes.subarray(at + length),
    ]
    const noise = Buffer.from(Array.from({ length }, () => random(256)))
    const pieces = [
      [before, noise, after],
      [before, after],
      [before, middle, middle, after],
      [before, noise, middle, after],
      [
        before,
        Buffer.from(['\r\n', '$', '\0', 'Content-Length: 65536\r\n\r\n', '\r\n\r\n'][random(5)]!),
        middle,
        after,
      ],
    ][random(5)]!
    bytes = Buffer.concat(pieces)
  }
  return bytes
}

function feedParser(bytes: Buffer, random: Random): void {
  const parser = createMessageParser()
  try {
    for (let at = 0; at < bytes.length;) {
      const end = at + 1 + random(200)
      parser.push(bytes.subarray(at, end))
      while (parser.next());
      if (parser.heldBytes > MAX_HELD_BYTES) throw new Error(`The parser holds ${parser.heldBytes} bytes.`)
      at = end
    }
  } catch (error) {
    if (!(error instanceof RtspFailure)) throw error
  }
}

/** Says it all, then leaves when the server has nothing more to say. */
async function talk(port: number, bytes: Buffer): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()))
  const leaveWhenQuiet = setTimeout(() => socket.destroy(), 30)
  socket.on('data', () => leaveWhenQuiet.refresh())
  const giveUp = setTimeout(() => socket.destroy(), 300)
  socket.write(bytes)
  await within(HANG_MS, closed, 'A connection does not end.')
  clearTimeout(leaveWhenQuiet)
  clearTimeout(giveUp)
}

async function answersStill(port: number): Promise<void> {
  const socket: Socket = connect(port, '127.0.0.1')
  socket.write('OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n')
  await once(socket, 'data')
  socket.destroy()
}

async function within<T>(ms: number, work: Promise<T>, complaint: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error(complaint)), ms)))
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
