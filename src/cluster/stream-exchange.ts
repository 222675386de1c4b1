import { z } from 'zod'
import { type Clock } from '../core/clock.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type RelayTokens } from '../streams/relay-tokens.ts'
import { type Streams } from '../streams/streams.module.ts'
import { createCameraElsewhereStore } from './cameras-elsewhere.store.ts'
import { type RequestTopic, type Topic } from '../core/node-exchange.ts'
import { type Exchange } from './exchange.ts'
import { createLivePathStore } from './live-path.store.ts'
import { type NodeDirectory } from './node-directory.ts'
import { createPathRegistry } from './path-registry.ts'
import { createPathWatch } from './path-watch.ts'
import { RelayAnswer, RelayCommand } from './relay-commands.ts'
import { createClusterRelays } from './relays.ts'
import { createStreamReports, StreamReport } from './stream-reports.ts'

export interface StreamExchangeDeps {
  readonly db: Db
  readonly node: OwnNode
  readonly exchange: Exchange
  readonly directory: Pick<NodeDirectory, 'find' | 'onGone'>
  readonly streams: Streams
  readonly tokens: Pick<RelayTokens, 'issue'>
  readonly ownRtspUrl: () => string | null
  readonly clock: Clock
  readonly log: Log
}

/** What the nodes have to do with each other's streams. */
export interface StreamExchange {
  start(): void
  close(): Promise<void>
}

const paths: Topic<object> = { name: 'paths', schema: z.object({}) }
const streamReport: Topic<StreamReport> = { name: 'streams', schema: StreamReport }
/** A push is answered when video flows. */
const relay: RequestTopic<RelayCommand, RelayAnswer> = {
  name: 'relay',
  schema: RelayCommand,
  responseSchema: RelayAnswer,
  timeoutMs: 30_000,
}

export function createStreamExchange(deps: StreamExchangeDeps): StreamExchange {
  const { db, node, exchange, directory, streams, tokens, ownRtspUrl, clock, log } = deps
  const store = createLivePathStore(db)
  const request = (to: string, command: RelayCommand) => exchange.request(to, relay, command)

  const registry = createPathRegistry({
    store,
    self: () => ({ nodeId: node.id, epoch: node.epoch }),
    localPaths: streams.localPaths,
    endPublication: (path) => streams.nodeRelays.endPublication(path),
    // Should it be lost, that node finds it when it reads all paths.
    onTakenOver: (from, path) => void request(from, { type: 'settle-path', path }).catch(() => {}),
    onChange: () => exchange.publish(paths, {}),
    clock,
    log,
  })
  const reports = createStreamReports({
    streams,
    publish: (message) => exchange.publish(streamReport, message),
    onPulls: () => watch.apply(),
    clock,
  })
  const watch = createPathWatch({
    store,
    nodeId: node.id,
    cameras: createCameraElsewhereStore(db, node.id),
    pullStatusOf: (path) => reports.pullStatusOf(path),
    registry,
    remotePaths: streams.remotePaths,
    clock,
    log,
  })
  const relays = createClusterRelays({
    streams,
    tokens,
    nodes: { rtspUrlOf: (nodeId) => directory.find(nodeId)?.rtspUrl ?? null, ownRtspUrl },
    request,
    settle: (path) => registry.settle(path),
    clock,
    log,
  })

  streams.claimBy(registry.claims)
  directory.onGone((nodeId) => {
    relays.onNodeGone(nodeId)
    watch.refresh()
  })
  exchange.subscribe(paths, () => watch.refresh())
  exchange.subscribe(streamReport, (message) => reports.handle(message))
  exchange.handle(relay, (command, from) => relays.handle(from, command))

  return {
    start() {
      relays.start()
      reports.start()
      watch.start()
    },
    async close() {
      relays.close()
      reports.close()
      await watch.close()
    },
  }
}
