import { constants } from 'node:crypto'
import { createSecureContext, type SecureContext } from 'node:tls'
import { type Certificate } from '../core/certificate.ts'
import { systemClock } from '../core/clock.ts'
import { listenFailure } from '../core/listen-failure.ts'
import { type MediaPorts } from '../core/service-ports.ts'
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
  type PullState,
  type ToMediaServer,
} from './messages.ts'
import { type ProtocolServer } from './protocol-server.ts'
import { createPulls, type Pulls } from './pull/pulls.ts'
import { MediaRefusal } from './refusal.ts'
import { createRtmpServer } from './rtmp/server/server.ts'
import { createRtspServer } from './rtsp/server/server.ts'
import { readPictureInfo } from './rtp/nal-unit-codec.ts'
import { nalUnitCodecOf } from './rtp/nal-unit-codecs.ts'
import { type MediaTrack, type StreamDescription } from './stream.ts'
import { createWaitingBytes } from './waiting-bytes.ts'

/**
 * The media server's process:
 *
 *   publishers ──▶ rtsp/ rtmp/ ──▶ hub ──▶ rtsp/ rtmp/ ──▶ readers
 *      cameras ◀── pull/ ───────────▲ │ who may? what is live?
 *                                 main process
 *
 * Nothing here waits for a disk or a database, so no packet does.
 */
const ANSWER_TIMEOUT_MS = 5_000
const VIDEO_TIMES_EVERY_MS = 1_000

let hub: Hub | undefined
let pulls: Pulls | undefined
let servers: readonly ProtocolServer[] = []
let secureContext: SecureContext | undefined
let questions = 0
let reporting: NodeJS.Timeout | undefined
const asked = new Map<number, (answer: AccessAnswer) => void>()

const parent = serveParent<ToMediaServer, FromMediaServer>(
  (message) => {
    switch (message.type) {
      case 'start':
        return void start(message.options)
      case 'certificate':
        return void (secureContext = secureContextOf(message.certificate))
      case 'access':
        return asked.get(message.id)?.(message.answer)
      case 'expel':
        return hub?.expel(message.principal)
      case 'pull':
        return pulls?.set(message.path, message.order)
      case 'unpull':
        return pulls?.remove(message.path)
    }
  },
  async () => {
    clearInterval(reporting)
    pulls?.close()
    hub?.close()
    await Promise.all(servers.map((server) => server.close()))
  },
)

async function start({ host, ports, certificate, logLevel }: MediaServerOptions): Promise<void> {
  try {
    const log: Log = createLog({ level: logLevel })
    hub = createHub({ authorize: askMain, onEvent: notifyMain, wake: (path) => pulls?.wake(path) })
    const onState = (path: string, state: PullState) => parent.send({ type: 'pull-state', path, state })
    pulls = createPulls({ hub, onState, log, clock: systemClock })
    secureContext = certificate && secureContextOf(certificate)
    const shared = { admission: createConnectionAdmission(), waitingBytes: createWaitingBytes() }
    const common = { hub, host, log, ...shared }
    const rtsp = createRtspServer(common)
    const rtmp = createRtmpServer(common)
    servers = [rtsp, rtmp]
    const opened: MediaPorts = {
      rtspPort: await listen(rtsp, 'RTSP', ports.rtspPort),
      rtspsPort: await listen(rtsp, 'RTSPS', ports.rtspsPort),
      rtmpPort: await listen(rtmp, 'RTMP', ports.rtmpPort),
      rtmpsPort: await listen(rtmp, 'RTMPS', ports.rtmpsPort),
    }
    parent.send({ type: 'listening', ports: opened })
    reporting = setInterval(reportVideoTimes, VIDEO_TIMES_EVERY_MS)
  } catch (error) {
    await parent.flush({ type: 'not-listening', sentence: (error as Error).message })
    process.exit(1)
  }
}

/** Each renegotiation is a handshake that we have to work for; Node counts them only for servers of its own. */
function secureContextOf(certificate: Certificate): SecureContext {
  return createSecureContext({ ...certificate, secureOptions: constants.SSL_OP_NO_RENEGOTIATION })
}

type Scheme = 'RTSP' | 'RTSPS' | 'RTMP' | 'RTMPS'

async function listen(server: ProtocolServer, name: Scheme, port: number | undefined): Promise<number | undefined> {
  if (port === undefined) return undefined
  try {
    return await server.listen({ port, ...(name.endsWith('S') && { secureContext: () => secureContext! }) })
  } catch (error) {
    throw listenFailure(name, port, error as NodeJS.ErrnoException)
  }
}

const askMain: Authorize = async (action, path, request, isAgain) => {
  const id = ++questions
  let timer: NodeJS.Timeout | undefined
  const answer = await new Promise<AccessAnswer>((resolve) => {
    const unavailable: AccessAnswer = { refusal: { reason: 'unavailable', sentence: 'Try again in a moment.' } }
    timer = setTimeout(() => resolve(unavailable), ANSWER_TIMEOUT_MS)
    asked.set(id, resolve)
    parent.send({ type: 'authorize', id, question: { action, path, request, isAgain } })
  })
  clearTimeout(timer)
  asked.delete(id)
  if ('access' in answer) return answer.access
  throw new MediaRefusal(answer.refusal.reason, answer.refusal.sentence)
}

function notifyMain(event: HubEvent): void {
  if (event.type === 'gone') return parent.send({ type: 'gone', path: event.path, reason: event.reason })
  parent.send({ type: 'live', path: event.path, protocol: event.protocol, video: videoOf(event.description) })
}

function reportVideoTimes(): void {
  const times = hub?.takeVideoTimes() ?? []
  if (times.length === 0) return
  const nowMs = systemClock.steady()
  parent.send({
    type: 'video-times',
    paths: times.map(({ path, atMs }) => ({ path, agoMs: Math.round(nowMs - atMs) })),
  })
}

function videoOf({ tracks }: StreamDescription): LiveVideo | undefined {
  const video = tracks.find(({ kind }) => kind === 'video')
  return video && { codec: video.codec, ...pictureSize(video) }
}

function pictureSize({ codec, parameterSets = [] }: MediaTrack): { width: number; height: number } | undefined {
  const format = nalUnitCodecOf(codec)
  const picture = format && readPictureInfo(format, parameterSets)
  return picture && { width: picture.width, height: picture.height }
}
