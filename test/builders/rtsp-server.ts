import { type Authorize } from '../../src/media/access.ts'
import { createHub, type Hub, type HubEvent } from '../../src/media/hub.ts'
import { createRtspServer } from '../../src/media/rtsp/server/server.ts'
import { type RtspServerOptions } from '../../src/media/rtsp/server/server.ts'
import { authorize as byTable } from './media-access.ts'

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
}

export async function startRtspServer(given: TestRtspServerOptions = {}): Promise<TestRtspServer> {
  const { authorize = byTable, ...options } = given
  const events: HubEvent[] = []
  const logged: string[] = []
  const line = (level: string) => (fields: object, text: string) =>
    void logged.push(`${level} ${text} ${JSON.stringify(fields)}`)
  const hub = createHub({ authorize, onEvent: (event) => void events.push(event), now: Date.now })
  const server = createRtspServer({
    hub,
    host: '127.0.0.1',
    port: 0,
    log: { info: line('info'), warn: line('warn') },
    ...options,
    timeouts: { checkEveryMs: 20, ...options.timeouts },
  })
  const { port } = await server.listen()
  return {
    hub,
    port,
    events,
    logged,
    async until(isReached) {
      // The hub tells live and gone, but not each reader; looking every few milliseconds is enough here.
      while (!isReached(hub)) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    async close() {
      await server.close()
      hub.close()
    },
  }
}
