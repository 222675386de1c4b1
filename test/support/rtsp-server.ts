import { createSecureContext } from 'node:tls'
import { type Certificate } from '../../src/core/certificate.ts'
import { type Authorize } from '../../src/media/access.ts'
import { createHub, type Hub, type HubEvent, type HubOptions } from '../../src/media/hub.ts'
import { createRtspServer } from '../../src/media/rtsp/server/server.ts'
import { type RtspServerOptions } from '../../src/media/rtsp/server/server.ts'
import { authorize as byTable } from '../builders/media-access.ts'

export interface TestRtspServer {
  readonly hub: Hub
  readonly port: number
  readonly events: HubEvent[]
  /** Everything that was logged, as one text a line. */
  readonly logged: string[]
  /** Resolves when the hub's state is as wanted. */
  until(isReached: (hub: Hub) => boolean): Promise<void>
  close(): Promise<void>
}

export interface TestRtspServerOptions extends Partial<RtspServerOptions> {
  readonly authorize?: Authorize
  readonly wake?: HubOptions['wake']
  readonly onRelay?: HubOptions['onRelay']
  readonly onUnused?: HubOptions['onUnused']
  /** With it, RTSPS is spoken. */
  readonly certificate?: Certificate
}

export async function startRtspServer(given: TestRtspServerOptions = {}): Promise<TestRtspServer> {
  const { authorize = byTable, wake = () => undefined, onRelay = () => {}, certificate, ...options } = given
  const { onUnused = () => {} } = given
  const events: HubEvent[] = []
  const logged: string[] = []
  const line = (level: string) => (fields: object, text: string) =>
    void logged.push(`${level} ${text} ${JSON.stringify(fields)}`)
  const hub = createHub({ authorize, wake, onRelay, onUnused, onEvent: (event) => void events.push(event) })
  const server = createRtspServer({
    hub,
    host: '127.0.0.1',
    log: { info: line('info'), warn: line('warn') },
    ...options,
    timeouts: { checkEveryMs: 20, ...options.timeouts },
  })
  const secureContext = certificate && createSecureContext(certificate)
  const port = await server.listen({ port: 0, ...(secureContext && { secureContext: () => secureContext }) })
  return {
    hub,
    port,
    events,
    logged,
    async until(isReached) {
      // The hub reports live and gone paths, but not each reader; polling every few milliseconds is enough here.
      while (!isReached(hub)) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    async close() {
      await server.close()
      hub.close()
    },
  }
}

/** A server on which everything is allowed, and the address of a stream on it. */
export async function startOpenRtspServer(): Promise<TestRtspServer & { readonly url: string }> {
  const server = await startRtspServer({ authorize: async () => ({ principal: 'ada' }) })
  return { ...server, url: `rtsp://127.0.0.1:${server.port}/ada/cam?token=t` }
}
