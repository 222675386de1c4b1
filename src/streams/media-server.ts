import { type Clock } from '../core/clock.ts'
import { type FromMediaServer, type MediaServerOptions, type ToMediaServer } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Child, startChild } from '../supervise/child.ts'
import { alwaysRestart } from '../supervise/restart-policy.ts'
import { type LivePaths } from './live-paths.ts'
import { type DecideAccess } from './media-access.ts'
import { type KnownMediaPorts, type MediaPorts } from './media-ports.ts'

/** The media server's process, seen from the main one: started, kept alive, asked and answered. */
export interface MediaServer {
  /** Resolves when it listens; rejects with a sentence when it can't. */
  start(): Promise<MediaPorts>
  readonly isListening: boolean
  /** An account lost its rights: its streams end. */
  expel(principal: string): void
  stop(): Promise<void>
}

export interface MediaServerDeps {
  readonly options: MediaServerOptions
  readonly decideAccess: DecideAccess
  readonly livePaths: LivePaths
  readonly ports: KnownMediaPorts
  readonly clock: Clock
  readonly log: Log
}

const entry = new URL('../media/media-server.js', import.meta.url)

export function createMediaServer({
  options,
  decideAccess,
  livePaths,
  ports,
  clock,
  log,
}: MediaServerDeps): MediaServer {
  let child: Child<ToMediaServer> | undefined
  let hasListened = false
  let isListening = false

  async function answer(id: number, question: Parameters<DecideAccess>[0]): Promise<void> {
    try {
      child?.send({ type: 'access', id, answer: await decideAccess(question) })
    } catch (error) {
      log.error({ err: error }, 'could not find out who may use a stream')
      child?.send({
        type: 'access',
        id,
        answer: { refusal: { reason: 'unavailable', sentence: 'Try again in a moment.' } },
      })
    }
  }

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
          restart: alwaysRestart,
          // After a restart on the same ports as before, so that publishers find it again.
          onStart: (send) => send({ type: 'start', options: { ...options, ...ports.current } }),
          onMessage(message) {
            switch (message.type) {
              case 'listening':
                ports.set({ rtspPort: message.rtspPort, rtmpPort: message.rtmpPort })
                hasListened = true
                isListening = true
                return resolve(ports.current)
              case 'not-listening':
                // At the first start that is for the operator to mend; later it is tried again until it works.
                log.error(message.sentence)
                if (!hasListened) void child?.stop()
                return reject(new Error(message.sentence))
              case 'authorize':
                return void answer(message.id, message.question)
              case 'live':
              case 'gone':
                return livePaths.handle(message, clock.now())
            }
          },
          onExit() {
            isListening = false
            livePaths.clear()
          },
        })
      }),
    expel: (principal) => child?.send({ type: 'expel', principal }),
    async stop() {
      await child?.stop()
    },
  }
}
