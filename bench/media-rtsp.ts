/**
 * What a reader costs the RTSP server, and how late its pictures are. One synthetic camera (720p30 at 3 Mbit/s: a frame is
 * nine packets, a keyframe every two seconds) is watched by more and more readers; camera and readers live in processes
 * of their own, so that the server's CPU time is its alone.
 *
 *   npx vite-node bench/media-rtsp.ts            # 1, 10, 50, 100 and 200 readers by TCP, 30 by UDP
 */
import { type ChildProcess, fork } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { buildPacket } from '../src/media/rtp/packet.ts'
import { createHub } from '../src/media/hub.ts'
import { createRtspServer } from '../src/media/rtsp/server.ts'
import { announcement } from '../test/builders/h264-rtp.ts'
import { connectRtsp } from '../test/builders/rtsp-client.ts'

const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 10)
const FRAME_BYTES = 12_500
const KEYFRAME_BYTES = 60_000
const PACKET_BYTES = 1400

interface Usage {
  cpuMs: number
  rssMb: number
}

interface Reading {
  /** Gaps in sequence numbers, in packets. */
  lost: number
  latenciesMs: number[]
}

const roles: Record<string, () => Promise<void>> = { server: runServer, readers: runReaders }
await (roles[process.argv.at(-1)!] ?? measure)()

async function measure(): Promise<void> {
  console.log('readers        server CPU   CPU a reader   latency p50   p95   p99      RSS   packets lost')
  for (const readers of [1, 10, 50, 100, 200]) await measureOne(readers, 'tcp')
  await measureOne(30, 'udp')
  process.exit(0)
}

async function measureOne(readers: number, transport: 'tcp' | 'udp'): Promise<void> {
  const server = startRole('server')
  const { port } = await next<{ port: number }>(server)
  const camera = await startCamera(port)
  const load = startRole('readers')
  load.send({ port, readers, transport })
  await next(load)
  await sleep(2000)

  const before = await ask<Usage>(server, 'usage')
  load.send('measure')
  await sleep(SECONDS * 1000)
  const reading = await ask<Reading>(load, 'report')
  const after = await ask<Usage>(server, 'usage')

  const percent = (after.cpuMs - before.cpuMs) / (SECONDS * 10)
  const sorted = reading.latenciesMs.sort((a, b) => a - b)
  const at = (fraction: number) => (sorted[Math.floor(sorted.length * fraction)] ?? NaN).toFixed(1).padStart(5)
  console.log(
    `${String(readers).padStart(4)} ${transport}   ${percent.toFixed(1).padStart(10)} %   ${(percent / readers).toFixed(3).padStart(10)} %` +
      `   ${at(0.5)} ms   ${at(0.95)} ${at(0.99)}   ${after.rssMb.toFixed(0).padStart(4)} MB   ${reading.lost}`,
  )
  camera.stop()
  for (const child of [load, server]) child.kill()
  await Promise.all([load, server].map((child) => once(child, 'exit')))
}

function startRole(role: string): ChildProcess {
  const runner = new URL('../node_modules/vite-node/vite-node.mjs', import.meta.url).pathname
  return fork(runner, [new URL(import.meta.url).pathname, role])
}

async function next<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, 'message')) as [T]
  return message
}

function ask<T>(child: ChildProcess, question: string): Promise<T> {
  const answer = next<T>(child)
  child.send(question)
  return answer
}

async function runServer(): Promise<void> {
  const hub = createHub({ authorize: async () => ({ principal: 'bench' }), onEvent: () => {}, now: Date.now })
  const log = { info: () => {}, warn: (fields: object, text: string) => console.error(text, fields) }
  const server = createRtspServer({ hub, host: '127.0.0.1', port: 0, log })
  const { port } = await server.listen()
  process.send!({ port })
  process.on('message', () => {
    const { user, system } = process.cpuUsage()
    process.send!({ cpuMs: (user + system) / 1000, rssMb: process.memoryUsage().rss / 2 ** 20 } satisfies Usage)
  })
}

/** Each packet carries the time at which its frame was sent. */
async function startCamera(port: number) {
  const client = await connectRtsp(port)
  const url = `rtsp://127.0.0.1:${port}/bench/cam`
  const session = { Session: 'unknown until SETUP' }
  await client.request('ANNOUNCE', url, {}, announcement)
  const setUp = await client.request('SETUP', `${url}/streamid=0`, { Transport: 'RTP/AVP/TCP;interleaved=0-1' })
  session.Session = setUp.headers.get('session')!
  await client.request('RECORD', url, session)

  let sequenceNumber = 0
  let frames = 0
  const timer = setInterval(() => {
    const isKey = frames++ % 60 === 0
    const now = performance.timeOrigin + performance.now()
    for (let left = isKey ? KEYFRAME_BYTES : FRAME_BYTES; left > 0; left -= PACKET_BYTES) {
      const payload = Buffer.alloc(Math.min(left, PACKET_BYTES))
      payload[0] = isKey ? 0x65 : 0x41
      if (payload.length >= 16) payload.writeDoubleBE(now, 2)
      const marker = left <= PACKET_BYTES
      const header = { payloadType: 96, sequenceNumber: sequenceNumber++, timestamp: frames * 3000, ssrc: 1, marker }
      client.sendFrame(0, buildPacket(header, payload))
    }
  }, 1000 / 30)
  return {
    stop() {
      clearInterval(timer)
      client.close()
    },
  }
}

async function runReaders(): Promise<void> {
  let reading: Reading | undefined
  const createTaker = () => {
    let last: number | undefined
    return (packet: Buffer) => {
      const sequenceNumber = packet.readUInt16BE(2)
      const gap = last === undefined ? 0 : (sequenceNumber - last - 1) & 0xffff
      last = sequenceNumber
      if (!reading) return
      reading.lost += gap
      if ((packet[1]! & 0x80) === 0) return
      reading.latenciesMs.push(performance.timeOrigin + performance.now() - packet.readDoubleBE(14))
    }
  }
  process.on('message', (message: { port: number; readers: number; transport: 'tcp' | 'udp' } | string) => {
    if (message === 'measure') reading = { lost: 0, latenciesMs: [] }
    else if (message === 'report') process.send!(reading!)
    else if (typeof message === 'object') void connectAll(message).then(() => process.send!('ready'))
  })

  async function connectAll({ port, readers, transport }: { port: number; readers: number; transport: string }) {
    for (let i = 0; i < readers; i++) await connectOne(port, transport)
  }

  async function connectOne(port: number, transport: string): Promise<void> {
    const take = createTaker()
    const client = await connectRtsp(port)
    const url = `rtsp://127.0.0.1:${port}/bench/cam`
    await client.request('DESCRIBE', url)
    let header = 'RTP/AVP/TCP;unicast;interleaved=0-1'
    if (transport === 'udp') {
      const socket = createSocket({ type: 'udp4', recvBufferSize: 4 * 2 ** 20 })
      socket.on('message', take)
      socket.bind(0, '127.0.0.1')
      await once(socket, 'listening')
      header = `RTP/AVP;unicast;client_port=${socket.address().port}`
    }
    const setUp = await client.request('SETUP', `${url}/trackID=0`, { Transport: header })
    await client.request('PLAY', url, { Session: setUp.headers.get('session')! })
    client.socket.removeAllListeners('data')
    client.socket.on('data', createFrameSplitter(take))
  }
}

/** As little as a reader can do: packets out of the stream, none of the checks of a real parser. */
function createFrameSplitter(take: (packet: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  let isInStep = false
  return (chunk) => {
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
    if (!isInStep) {
      // The client may have taken a part of a frame before: begin at the next one that looks like a video packet.
      const start = bytes.indexOf(Buffer.from([0x24, 0]))
      if (start < 0) return
      bytes = bytes.subarray(start)
      isInStep = true
    }
    let at = 0
    while (at + 4 <= bytes.length && at + 4 + bytes.readUInt16BE(at + 2) <= bytes.length) {
      const end = at + 4 + bytes.readUInt16BE(at + 2)
      take(bytes.subarray(at + 4, end))
      at = end
    }
    rest = bytes.subarray(at)
  }
}
