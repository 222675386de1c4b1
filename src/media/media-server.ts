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
  type RelayRoute,
  type ToMediaServer,
} from './messages.ts'
import { type ProtocolServer } from './protocol-server.ts'
import { createPulls, type Pulls } from './pull/pulls.ts'
import { createQuestions } from './questions.ts'
import { MediaRefusal } from './refusal.ts'
import { createPushes, type Pushes } from './relay/pushes.ts'
import { createRelays, type Relays } from './relay/relays.ts'
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
 *  other nodes ◀─▶ relay/ ──────────▲ │
 *                                 main process
 *
 * Nothing here waits for a disk or a database, so no packet does.
 */
const ANSWER_TIMEOUT_MS = 5_000
/** Another node may have to be asked, which may have to call a camera and to connect to us. */
const ROUTE_TIMEOUT_MS = 24_000
const VIDEO_TIMES_EVERY_MS = 1_000

let hub: Hub | undefined
let pulls: Pulls | undefined
let relays: Relays | undefined
let pushes: Pushes | undefined
let servers: readonly ProtocolServer[] = []
let secureContext: SecureContext | undefined
let reporting: NodeJS.Timeout | undefined
const accessQuestions = createQuestions<AccessAnswer>(ANSWER_TIMEOUT_MS, {
  refusal: { reason: 'unavailable', sentence: 'Try again in a moment.' },
})
const routeQuestions = createQuestions<RelayRoute>(ROUTE_TIMEOUT_MS, {
  kind: 'none',
  sentence: 'The node where it is live does not answer; try again in a moment.',
})

const parent = serveParent<ToMediaServer, FromMediaServer>(
  (message) => {
    switch (message.type) {
      case 'start':
        return void start(message.options)
      case 'certificate':
        return void (secureContext = secureContextOf(message.certificate))
      case 'access':
        return accessQuestions.answer(message.id, message.answer)
      case 'expel':
        return hub?.expel(message.principal)
      case 'pull':
        return pulls?.set(message.path, message.order)
      case 'unpull':
        return pulls?.remove(message.path)
      case 'relay':
        return relays?.set(message.path, message.node)
      case 'unrelay':
        return relays?.remove(message.path)
      case 'relay-route':
        return routeQuestions.answer(message.id, message.route)
      case 'push':
        return void push(message.id, message.path, message.url)
      case 'unpush':
        return pushes?.end(message.id)
      case 'end-publication':
        return void (hub?.isPublished(message.path) && hub.end(message.path, 'taken-over'))
    }
  },
  async () => {
    clearInterval(reporting)
    pulls?.close()
    relays?.close()
    pushes?.close()
    hub?.close()
    await Promise.all(servers.map((server) => server.close()))
  },
)

async function start({ host, ports, certificate, logLevel }: MediaServerOptions): Promise<void> {
  try {
    const log: Log = createLog({ level: logLevel })
    hub = createHub({
      authorize: askMain,
      onEvent: notifyMain,
      onRelay: (event) => relays?.handle(event),
      onUnused: (path) => parent.send({ type: 'unused', path }),
      wake: (path, isForRelay) => pulls?.wake(path) ?? (isForRelay ? undefined : relays?.wake(path)),
    })
    const onState = (path: string, state: PullState) => parent.send({ type: 'pull-state', path, state })
    pulls = createPulls({ hub, onState, log, clock: systemClock })
    relays = createRelays({ hub, route: askRoute, log, clock: systemClock })
    pushes = createPushes(hub, log)
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
  const question = { action, path, request, isAgain }
  const answer = await accessQuestions.ask((id) => parent.send({ type: 'authorize', id, question }))
  if ('access' in answer) return answer.access
  throw new MediaRefusal(answer.refusal.reason, answer.refusal.sentence)
}

function askRoute(path: string, failure?: string): Promise<RelayRoute> {
  return routeQuestions.ask((id) => parent.send({ type: 'relay-route', id, path, failure }))
}

async function push(id: string, path: string, url: string): Promise<void> {
  try {
    await pushes?.start(id, path, url)
    parent.send({ type: 'pushed', id })
  } catch (error) {
    parent.send({ type: 'pushed', id, failure: (error as Error).message })
  }
}

function notifyMain(event: HubEvent): void {
  if (event.type === 'gone') return parent.send({ type: 'gone', path: event.path, reason: event.reason })
  const { path, protocol, principal, description } = event
  parent.send({ type: 'live', path, protocol, principal, video: videoOf(description) })
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
