import { z } from 'zod'
import { type SharedAttemptLimiter } from '../core/attempt-limiter.ts'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type AppEvents } from '../core/events.ts'
import { type LivePublisher, type PublishedKind } from '../core/live-publishing.ts'
import { type NodeFiles } from '../core/node-files.ts'
import { type NodeWork } from '../core/node-work.ts'
import { type NodeId } from '../core/node.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { type Log } from '../observe/log.ts'
import { createRelayTokens } from '../streams/relay-tokens.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type Topic } from '../core/node-exchange.ts'
import { createDraining, type Draining } from './draining.ts'
import { createDrainingStore } from './draining.store.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { type JoinedNode } from './join-service.ts'
import { type Membership } from './membership.ts'
import { createNatsBus } from './nats-bus.ts'
import { createNodeChoice } from './node-choice.ts'
import { createNodeFiles } from './node-files.ts'
import { createNodeDirectory, type NodeDirectory } from './node-directory.ts'
import { createNodeStore, type NodeStore } from './node.store.ts'
import { createNodeChoiceStore } from './node-choice.store.ts'
import { createOwnWorkStore } from './own-work.store.ts'
import { createPlacedWork, type PlacedWork } from './placed-work.ts'
import { createPlacementStore } from './placement.store.ts'
import { createPlacer } from './placer.ts'
import { createProcessPlaces, type ProcessPlaces } from './process-places.ts'
import { createProcessPlaceStore } from './process-places.store.ts'
import { createPublications, type PublicationsDeps } from './publications.ts'
import { createRevocations } from './revocations.ts'
import { createRevocationStore } from './revocations.store.ts'
import { createSharedAttempts } from './shared-attempts.ts'
import { createStreamExchange } from './stream-exchange.ts'
import { createTunnels, type Tunnels } from './tunnel/tunnels.ts'

export interface ClusterDeps {
  readonly joined: JoinedNode
  readonly options: {
    readonly natsUrls: readonly string[]
    readonly natsCredentialsFile: string | undefined
    readonly natsPublish: readonly PublishedKind[]
  }
  readonly streams: Streams
  readonly ownRtspUrl: () => string | null
  readonly bus: Bus<AppEvents>
  readonly limiter: SharedAttemptLimiter
  readonly findUsername: PublicationsDeps['findUsername']
  readonly metrics: PublicationsDeps['metrics']
  readonly clock: Clock
  readonly log: Log
}

/** The other nodes, for all that has to do with them. */
export interface Cluster extends Pick<Tunnels, 'openTunnel' | 'acceptTunnels'>, LivePublisher {
  readonly exchange: Exchange
  readonly nodeFiles: NodeFiles
  readonly directory: Pick<NodeDirectory, 'isKnown'>
  /** All nodes as the database has them, and what an operator does to them. */
  readonly nodes: NodeStore
  readonly leaseLeftMs: () => number
  readonly isWithinLease: Membership['isWithinLease']
  readonly onLeaseChange: Membership['onLeaseChange']
  /** This process is begun here: to be called before it is written. Returns what to call when nothing came of it. */
  readonly expect: PlacedWork['expect']
  readonly forget: PlacedWork['forget']
  placesOf(isHere: (processId: string) => boolean): ProcessPlaces
  /** The node on which a process of this source is to begin. */
  chooseNode(sourceId: string, labels: readonly string[]): Promise<NodeId>
  /** From now on what this node is given is taken up; and what others leave is given to somebody. */
  start(work: NodeWork, isHere: (processId: string) => boolean): Promise<void>
  /** Nothing more is taken up. */
  stop(): Promise<void>
  close(): Promise<void>
}

/** Something has no node now. */
const released: Topic<object> = { name: 'work-released', schema: z.object({}) }
/** These nodes were given something. */
const placed: Topic<readonly NodeId[]> = { name: 'work-placed', schema: z.array(z.string()) }

export function createCluster(deps: ClusterDeps): Cluster {
  const { joined, options, streams, ownRtspUrl, clock, log } = deps
  const { membership, secret } = joined
  const { db } = joined.database
  const node = { id: membership.id, epoch: membership.epoch }
  const nats = createNatsBus(
    { url: options.natsUrls.join(','), credentialsFile: options.natsCredentialsFile, name: `aerie ${node.id}` },
    { log, clock },
  )
  const exchange = createExchange({ bus: nats, node, secret, clock, log })
  const nodes = createNodeStore(db)
  const tunnels = createTunnels({ bus: nats, nodeId: node.id, secret, log, clock })
  const directory = createNodeDirectory({ store: nodes, clock, log })
  const streamExchange = createStreamExchange({
    db,
    node,
    exchange,
    directory,
    streams,
    tokens: createRelayTokens(createLinkSigner(secret), clock),
    ownRtspUrl,
    clock,
    log,
  })
  const publications = createPublications({
    ...deps,
    kinds: options.natsPublish,
    bus: nats,
    isWithinLease: () => membership.isWithinLease(),
  })
  const choose = createNodeChoice({ store: createNodeChoiceStore(db) })
  const revocations = createRevocations({ ...deps, exchange, store: createRevocationStore(db) })
  const attempts = createSharedAttempts({ ...deps, exchange })
  let work: NodeWork | undefined
  let draining: Draining | undefined
  const placedWork = createPlacedWork({
    store: createOwnWorkStore(db),
    node,
    async onPlaced({ processes, cameraIds }) {
      await work!.takeUpCameras({ sourceIds: cameraIds })
      await work!.takeUp({ ids: processes.map(({ id }) => id) })
    },
    clock,
    log,
  })
  const placer = createPlacer({
    store: createPlacementStore(db),
    membership,
    onPlaced(nodeIds) {
      if (nodeIds.includes(node.id)) placedWork.wake()
      exchange.publish(placed, nodeIds)
    },
    clock,
    log,
  })
  exchange.subscribe(placed, (nodeIds) => {
    if (nodeIds.includes(node.id)) placedWork.wake()
  })
  exchange.subscribe(released, () => placer.wake())
  directory.onGone(() => placer.wake())

  return {
    exchange,
    nodeFiles: createNodeFiles(tunnels),
    directory,
    nodes,
    ...publications,
    leaseLeftMs: () => membership.leftMs(),
    isWithinLease: () => membership.isWithinLease(),
    onLeaseChange: (listener) => membership.onLeaseChange(listener),
    openTunnel: (nodeId, client) => tunnels.openTunnel(nodeId, client),
    acceptTunnels: (onTunnel) => tunnels.acceptTunnels(onTunnel),
    expect: (id) => placedWork.expect(id),
    forget: (id) => placedWork.forget(id),
    placesOf: (isHere) => createProcessPlaces({ store: createProcessPlaceStore(db), nodeId: node.id, isHere, clock }),
    async chooseNode(sourceId, labels) {
      const choice = await choose(sourceId, labels)
      if ('objection' in choice) throw new AppError('no-node', { reason: choice.objection })
      return choice.node.id
    },
    async start(ownWork, isHere) {
      work = ownWork
      draining = createDraining({
        store: createDrainingStore(db, node),
        node,
        work,
        placedWork,
        isHere,
        choose,
        isWithinLease: () => membership.isWithinLease(),
        onReleased() {
          placer.wake()
          exchange.publish(released, {})
        },
        clock,
        log,
      })
      await directory.start()
      revocations.start()
      streamExchange.start()
      placedWork.start()
      placer.start()
      draining.start()
    },
    async stop() {
      await Promise.all([placer.close(), placedWork.close(), draining?.close()])
    },
    async close() {
      attempts.close()
      await Promise.all([streamExchange.close(), directory.close(), revocations.close()])
      exchange.close()
      tunnels.close()
      await nats.close()
    },
  }
}
