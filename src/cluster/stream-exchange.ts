import { z } from 'zod'
import { type Clock } from '../core/clock.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Log } from '../observe/log.ts'
import { type Db } from '../storage/database.ts'
import { type RelayTokens } from '../streams/relay-tokens.ts'
import { type Streams } from '../streams/streams.module.ts'
import { createCameraElsewhereStore } from './cameras-elsewhere.store.ts'
import { type Question, type Topic } from '../core/node-exchange.ts'
import { type Exchange } from './exchange.ts'
import { createLivePathStore } from './live-path.store.ts'
import { type NodeDirectory } from './node-directory.ts'
import { createPathRegistry } from './path-registry.ts'
import { createPathWatch } from './path-watch.ts'
import { RelayAnswer, RelayCommand } from './relay-commands.ts'
import { createClusterRelays } from './relays.ts'
import { createStreamNews, StreamNews } from './stream-news.ts'

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

const paths: Topic<object> = { name: 'paths', shape: z.object({}) }
const streamNews: Topic<StreamNews> = { name: 'streams', shape: StreamNews }
/** A push is answered when video flows. */
const relay: Question<RelayCommand, RelayAnswer> = {
  name: 'relay',
  shape: RelayCommand,
  answer: RelayAnswer,
  withinMs: 30_000,
}

export function createStreamExchange(deps: StreamExchangeDeps): StreamExchange {
  const { db, node, exchange, directory, streams, tokens, ownRtspUrl, clock, log } = deps
  const store = createLivePathStore(db)
  const ask = (to: string, command: RelayCommand) => exchange.ask(to, relay, command)

  const registry = createPathRegistry({
    store,
    self: () => ({ nodeId: node.id, epoch: node.epoch }),
    localPaths: streams.localPaths,
    endPublication: (path) => streams.nodeRelays.endPublication(path),
    // Should it be lost, that node finds it when it looks at all paths.
    tell: (to, path) => void ask(to, { type: 'look-at-path', path }).catch(() => {}),
    onChange: () => exchange.tell(paths, {}),
    clock,
    log,
  })
  const news = createStreamNews({
    streams,
    broadcast: (message) => exchange.tell(streamNews, message),
    onPulls: () => watch.apply(),
    clock,
  })
  const watch = createPathWatch({
    store,
    nodeId: node.id,
    cameras: createCameraElsewhereStore(db, node.id),
    pullStatusOf: (path) => news.pullStatusOf(path),
    registry,
    remotePaths: streams.remotePaths,
    clock,
    log,
  })
  const relays = createClusterRelays({
    streams,
    tokens,
    nodes: { rtspUrlOf: (nodeId) => directory.find(nodeId)?.rtspUrl ?? null, ownRtspUrl },
    ask,
    settle: (path) => registry.settle(path),
    clock,
    log,
  })

  streams.claimBy(registry.claims)
  directory.onGone((nodeId) => {
    relays.nodeIsGone(nodeId)
    watch.look()
  })
  exchange.onTold(paths, () => watch.look())
  exchange.onTold(streamNews, (message) => news.handle(message))
  exchange.onAsked(relay, (command, from) => relays.answer(from, command))

  return {
    start() {
      relays.start()
      news.start()
      watch.start()
    },
    async close() {
      relays.close()
      news.close()
      await watch.close()
    },
  }
}
