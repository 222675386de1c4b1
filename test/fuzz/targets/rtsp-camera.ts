import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { readRtspVideo } from '../../../src/media/rtsp/client/video-reader.ts'
import { CSEQ, cameraAnswers } from '../inputs/camera-answers.ts'
import { joinParts, splitParts } from '../parts.ts'
import { isSentence } from '../sentence.ts'
import { type FuzzTarget } from '../target.ts'

const SILENCE_MS = 500
/** A client that waits for the rest of an answer asks nothing. */
const QUIET_MS = 30

/** A camera that we call is a stranger, too: it says to each request the next part of the input, and hangs up when nothing more is asked. */
export const rtspCamera: FuzzTarget = {
  name: 'rtsp-camera',
  about: 'answers and streams of cameras to the RTSP client, by TCP',
  counts: { short: 100, long: 10_000 },
  parallel: 8,
  async open() {
    const cameras = new Map<string, readonly Buffer[]>()
    const server = createServer((socket) => answerRequests(socket, cameras)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    let made = 0
    return {
      create: (random) => joinParts(cameraAnswers(random)),
      async feed(input) {
        const name = `camera-${made++}`
        cameras.set(name, splitParts(input))
        try {
          await watch(port, name)
        } finally {
          cameras.delete(name)
        }
      },
      async close() {
        server.close()
        await once(server, 'close')
      },
    }
  },
}

function answerRequests(socket: Socket, cameras: ReadonlyMap<string, readonly Buffer[]>): void {
  let answered = 0
  socket.on('error', () => {})
  const hangUpWhenQuiet = setTimeout(() => socket.end(), QUIET_MS)
  socket.on('close', () => clearTimeout(hangUpWhenQuiet))
  socket.on('data', (chunk: Buffer) => {
    const text = chunk.toString('latin1')
    const answers = cameras.get(/camera-\d+/.exec(text)?.[0] ?? '') ?? []
    const cseq = /^CSeq: (\d+)/m.exec(text)?.[1] ?? '0'
    const next = answers[answered++]?.toString('latin1').replaceAll(CSEQ, cseq)
    if (next !== undefined) socket.write(next, 'latin1')
    hangUpWhenQuiet.refresh()
  })
}

async function watch(port: number, name: string): Promise<void> {
  const leaving = new AbortController()
  const parts = readRtspVideo({
    url: `rtsp://user:password@127.0.0.1:${port}/${name}`,
    server: {
      async dial(host, toPort) {
        if (host !== '127.0.0.1' || toPort !== port) throw new Error('That may not be called.')
        return host
      },
    },
    silenceMs: SILENCE_MS,
    signal: leaving.signal,
  })
  try {
    for await (const _part of parts);
  } catch (error) {
    if (!isSentence(error)) throw error
  } finally {
    leaving.abort()
  }
}
