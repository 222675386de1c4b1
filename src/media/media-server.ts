import { readFileSync } from 'node:fs'
import { listenFailure } from '../core/listen-failure.ts'
import { createLog, type Log } from '../observe/log.ts'
import { serveParent } from '../supervise/child-entry.ts'
import { type Authorize } from './access.ts'
import { createConnectionAdmission } from './connection-admission.ts'
import { createHub, type Hub, type HubEvent } from './hub.ts'
import {
  type AccessAnswer,
  type FromMediaServer,
  type LiveVideo,
  type MediaServerOptions,
  type ToMediaServer,
} from './messages.ts'
import { type ProtocolServer } from './protocol-server.ts'
import { MediaRefusal } from './refusal.ts'
import { createRtmpServer } from './rtmp/server/server.ts'
import { createRtspServer } from './rtsp/server/server.ts'
import { parseH264Sps } from './rtp/h264-sps.ts'
import { parseH265Sps } from './rtp/h265-sps.ts'
import { type MediaTrack, type StreamDescription } from './stream.ts'
import { createWaitingBytes } from './waiting-bytes.ts'

/**
 * The media server's process:
 *
 *   publishers ──▶ rtsp/ rtmp/ ──▶ hub ──▶ rtsp/ rtmp/ ──▶ readers
 *                                   │ who may? what is live?
 *                                 main process
 *
 * Nothing here waits for a disk or a database, so no packet does.
 */
const ANSWER_WITHIN_MS = 5_000

let hub: Hub | undefined
let servers: readonly ProtocolServer[] = []
let questions = 0
const asked = new Map<number, (answer: AccessAnswer) => void>()

const parent = serveParent<ToMediaServer, FromMediaServer>(
  (message) => {
    switch (message.type) {
      case 'start':
        return void start(message.options)
      case 'access':
        return asked.get(message.id)?.(message.answer)
      case 'expel':
        return hub?.expel(message.principal)
    }
  },
  async () => {
    hub?.close()
    await Promise.all(servers.map((server) => server.close()))
  },
)

async function start(options: MediaServerOptions): Promise<void> {
  try {
    const log: Log = createLog({ level: options.logLevel })
    hub = createHub({ authorize: askMain, onEvent: tellMain, now: Date.now })
    const tls = options.tls && { cert: readFileSync(options.tls.certFile), key: readFileSync(options.tls.keyFile) }
    const shared = { admission: createConnectionAdmission(), waitingBytes: createWaitingBytes() }
    const common = { hub, host: options.host, log, ...shared, ...(tls && { tls }) }
    const rtsp = createRtspServer({ ...common, port: options.rtspPort })
    const rtmp = createRtmpServer({ ...common, port: options.rtmpPort })
    servers = [rtsp, rtmp]
    const rtspPort = await listen(rtsp, 'RTSP', options.rtspPort)
    const rtmpPort = await listen(rtmp, 'RTMP', options.rtmpPort)
    parent.send({ type: 'listening', rtspPort, rtmpPort })
  } catch (error) {
    await parent.flush({ type: 'not-listening', sentence: (error as Error).message })
    process.exit(1)
  }
}

async function listen(server: ProtocolServer, name: 'RTSP' | 'RTMP', port: number): Promise<number> {
  try {
    return (await server.listen()).port
  } catch (error) {
    throw listenFailure(name, port, error as NodeJS.ErrnoException)
  }
}

const askMain: Authorize = async (action, path, request, isAgain) => {
  const id = ++questions
  let timer: NodeJS.Timeout | undefined
  const answer = await new Promise<AccessAnswer>((resolve) => {
    const unavailable: AccessAnswer = { refusal: { reason: 'unavailable', sentence: 'Try again in a moment.' } }
    timer = setTimeout(() => resolve(unavailable), ANSWER_WITHIN_MS)
    asked.set(id, resolve)
    parent.send({ type: 'authorize', id, question: { action, path, request, isAgain } })
  })
  clearTimeout(timer)
  asked.delete(id)
  if ('access' in answer) return answer.access
  throw new MediaRefusal(answer.refusal.reason, answer.refusal.sentence)
}

function tellMain(event: HubEvent): void {
  if (event.type === 'gone') return parent.send({ type: 'gone', path: event.path, reason: event.reason })
  parent.send({ type: 'live', path: event.path, protocol: event.protocol, video: videoOf(event.description) })
}

function videoOf({ tracks }: StreamDescription): LiveVideo | undefined {
  const video = tracks.find(({ kind }) => kind === 'video')
  return video && { codec: video.codec, ...pictureSize(video) }
}

function pictureSize({ codec, parameterSets = [] }: MediaTrack): { width: number; height: number } | undefined {
  const parse = codec === 'h264' ? parseH264Sps : codec === 'h265' ? parseH265Sps : undefined
  const isSps = (set: Buffer) => (codec === 'h264' ? (set[0]! & 0x1f) === 7 : ((set[0]! >> 1) & 0x3f) === 33)
  const sps = parameterSets.find(isSps)
  const size = sps && parse?.(sps)
  return size && { width: size.width, height: size.height }
}
