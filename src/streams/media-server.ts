import { type ServedCertificate } from '../core/certificate.ts'
import { type Clock } from '../core/clock.ts'
import { type MediaPorts } from '../core/service-ports.ts'
import {
  type AccessAnswer,
  type AccessQuestion,
  type FromMediaServer,
  type MediaServerOptions,
  type ToMediaServer,
} from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Child, startChild } from '../supervise/child.ts'
import { alwaysRestart } from '../supervise/restart-policy.ts'
import { type LivePathReports } from './live-paths.ts'
import { type DecideAccess } from './media-access.ts'
import { type KnownMediaPorts } from './media-endpoints.ts'
import { type NodeRelayReports } from './node-relays.ts'
import { type PullOrders } from './pulled-paths.ts'
import { type RelayOrders } from './remote-paths.ts'
import { type VideoTimes } from './video-times.ts'

/** The media server's process, seen from the main one: started, kept alive, asked and answered. */
export interface MediaServer {
  /** Resolves when it listens; rejects with a sentence when it can't, or ends again and again before it does. */
  start(): Promise<MediaPorts>
  readonly isListening: boolean
  /** An account lost its rights: its streams end. */
  expel(principal: string): void
  stop(): Promise<void>
}

export interface MediaServerDeps {
  readonly options: Omit<MediaServerOptions, 'ports' | 'certificate'>
  /** Undefined where no port by TLS is open. */
  readonly certificate: ServedCertificate | undefined
  readonly decideAccess: DecideAccess
  readonly livePathReports: LivePathReports
  readonly pullOrders: PullOrders
  readonly relayOrders: Pick<RelayOrders, 'orders' | 'onOrder'>
  readonly relayReports: NodeRelayReports
  /** A publisher was admitted, and has never been live. */
  readonly onUnused: (path: string) => void
  readonly videoTimes: Pick<VideoTimes, 'note'>
  readonly ports: KnownMediaPorts
  readonly clock: Clock
  readonly log: Log
  /** The file that its process runs, if it is another. */
  readonly entry?: URL
}

/** Of one that has not listened yet. */
const MAX_RESTARTS = 4
const NEVER_LISTENED = `The media server ended ${MAX_RESTARTS + 1} times before it listened; the lines of the log before this one say how.`

export function createMediaServer(deps: MediaServerDeps): MediaServer {
  const { options, certificate, decideAccess, livePathReports, pullOrders, videoTimes, ports, clock, log } = deps
  const { relayOrders, relayReports, onUnused } = deps
  const { entry = new URL('../media/media-server.js', import.meta.url) } = deps
  let child: Child<ToMediaServer> | undefined
  let hasListened = false
  let isListening = false
  // While it is down nothing is sent: at its start it learns all.
  pullOrders.onChange((message) => child?.send(message))
  relayOrders.onOrder((message) => child?.send(message))
  relayReports.onOrder((message) => child?.send(message))

  async function answer(question: AccessQuestion): Promise<AccessAnswer> {
    try {
      return await decideAccess(question)
    } catch (error) {
      const { action, path } = question
      log.error({ err: error, action, path }, 'could not find out who may use a stream')
      return { refusal: { reason: 'unavailable', sentence: 'Try again in a moment.' } }
    }
  }

  certificate?.onChange((renewed) => child?.send({ type: 'certificate', certificate: renewed }))

  return {
    get isListening() {
      return isListening
    },
    start: () =>
      new Promise((resolve, reject) => {
        child = startChild<ToMediaServer, FromMediaServer>({
          name: 'media server',
          entry,
          clock,
          log,
          // One that has never listened will not by itself, and whoever waits for it should know.
          restart: (exit, crashesInARow) =>
            !hasListened && crashesInARow >= MAX_RESTARTS ? { do: 'give-up' } : alwaysRestart(exit, crashesInARow),
          // After a restart on the same ports as before, so that publishers find it again.
          onStart(send) {
            send({ type: 'start', options: { ...options, ports: ports.current, certificate: certificate?.current } })
            pullOrders.orders().forEach(send)
            relayOrders.orders().forEach(send)
          },
          onMessage(message, reply) {
            switch (message.type) {
              case 'listening':
                ports.set(message.ports)
                hasListened = true
                isListening = true
                return resolve(ports.current)
              case 'not-listening':
                // At the first start that is for the operator to mend; later it is tried again until it works.
                log.error(message.sentence)
                if (!hasListened) void child?.stop()
                return reject(new Error(message.sentence))
              case 'authorize':
                // To the process that asked: after a crash another process counts its questions from one again, and would take it for its own.
                return void answer(message.question).then((found) =>
                  reply({ type: 'access', id: message.id, answer: found }),
                )
              case 'live':
              case 'gone':
                return livePathReports.handle(message, clock.now())
              case 'unused':
                return onUnused(message.path)
              case 'relay-route':
                return void relayReports
                  .route(message.path, message.failure)
                  .then((route) => reply({ type: 'relay-route', id: message.id, route }))
              case 'pushed':
                return relayReports.pushed(message)
              case 'pull-state':
                return pullOrders.handle(message.path, message.state)
              case 'video-times':
                return message.paths.forEach(({ path, agoMs }) => videoTimes.note(path, agoMs))
            }
          },
          onExit(_exit, verdict) {
            if (verdict === 'give-up') reject(new Error(NEVER_LISTENED))
            isListening = false
            livePathReports.clear()
            pullOrders.clearStates()
            relayReports.clear()
          },
        })
      }),
    expel: (principal) => child?.send({ type: 'expel', principal }),
    async stop() {
      await child?.stop()
    },
  }
}
