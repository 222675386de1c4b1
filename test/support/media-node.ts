import { type Clock, systemClock } from '../../src/core/clock.ts'
import { type Authorize } from '../../src/media/access.ts'
import { type RelayRoute } from '../../src/media/messages.ts'
import { createPushes, type Pushes } from '../../src/media/relay/pushes.ts'
import { createRelays, type Relays } from '../../src/media/relay/relays.ts'
import { authorize as byTable } from '../builders/media-access.ts'
import { startRtspServer, type TestRtspServer } from './rtsp-server.ts'

/** One of several media servers that relay to each other. */
export interface TestMediaNode extends TestRtspServer {
  readonly relays: Relays
  readonly pushes: Pushes
  /** How paths come here; what was asked so far. */
  route: (path: string, failure?: string) => Promise<RelayRoute>
  readonly routesAsked: (string | undefined)[]
  /** Where another node reads or publishes this path here. */
  urlFor(path: string): string
}

/** The token of another node for this path alone, until the test says that it has expired. */
export const nodeToken = (path: string) => `node-${path.replace('/', '-')}`

export interface TestMediaNodeOptions {
  /** Whether tokens of nodes are too old by now. */
  readonly expired?: () => boolean
  /** How much faster than by the wall relays give up and leave. */
  readonly haste?: number
}

export async function startMediaNode(options: TestMediaNodeOptions = {}): Promise<TestMediaNode> {
  const authorize: Authorize = async (action, path, request, isAgain) => {
    const { credentials } = request
    const isOfNode = credentials.kind === 'token' && credentials.token === nodeToken(path) && !options.expired?.()
    if (isOfNode) return { principal: 'relay', isInternal: true, isRelay: true }
    return byTable(action, path, request, isAgain)
  }
  const server = await startRtspServer({
    authorize,
    wake: (path, isForRelay) => (isForRelay ? undefined : relays.wake(path)),
    onRelay: (event) => relays.handle(event),
  })
  const { hub, port } = server
  const log = { info: () => {}, warn: (_fields: object, text: string) => void server.logged.push(text) }
  const node: TestMediaNode = Object.assign(server, {
    pushes: createPushes(hub, log),
    relays: createRelays({
      hub,
      route(path, failure) {
        node.routesAsked.push(failure)
        return node.route(path, failure)
      },
      log,
      clock: hasty(options.haste ?? 1),
    }),
    routesAsked: [],
    route: async (): Promise<RelayRoute> => ({ kind: 'none', sentence: 'Nobody was asked.' }),
    urlFor: (path: string) => `rtsp://127.0.0.1:${port}/${path}?token=${nodeToken(path)}`,
  })
  const { relays, pushes } = node
  const close = server.close.bind(server)
  node.close = async () => {
    relays.close()
    pushes.close()
    await close()
  }
  return node
}

function hasty(factor: number): Clock {
  return {
    ...systemClock,
    steady: () => performance.now() * factor,
    sleep: (ms, signal) => systemClock.sleep(ms / factor, signal),
  }
}
