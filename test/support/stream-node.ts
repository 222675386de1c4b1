import { type Account } from '../../src/core/account.ts'
import { systemClock } from '../../src/core/clock.ts'
import { AppError } from '../../src/core/errors.ts'
import { createLinkSigner } from '../../src/core/signed-token.ts'
import { createLivePathStore } from '../../src/cluster/live-path.store.ts'
import { createPathRegistry } from '../../src/cluster/path-registry.ts'
import { createPathWatch, type PathWatch } from '../../src/cluster/path-watch.ts'
import { RelayCommand } from '../../src/cluster/relay-commands.ts'
import { type ClusterRelays, createClusterRelays } from '../../src/cluster/relays.ts'
import { createStreamReports, type StreamReports } from '../../src/cluster/stream-reports.ts'
import { createLog } from '../../src/observe/log.ts'
import { type Db } from '../../src/storage/database.ts'
import { createMediaPorts } from '../../src/streams/media-endpoints.ts'
import { createRelayTokens } from '../../src/streams/relay-tokens.ts'
import { createStreams, type Streams } from '../../src/streams/streams.module.ts'

/** What a service of a cluster has to do with streams: a real media server, the database, and a bus that is a call. */
export interface StreamNode {
  readonly nodeId: string
  readonly streams: Streams
  readonly relays: ClusterRelays
  readonly reports: StreamReports
  readonly watch: PathWatch
  /** Those that other nodes call. */
  readonly cameras: { path: string; nodeId: string }[]
  readonly rtspUrl: string
  /** As Ada. */
  urlOf(path: string): string
  close(): Promise<void>
}

export interface StreamNodeOptions {
  readonly db: Db
  /** All that are there, this one included once it has started. */
  readonly nodes: Map<string, StreamNode>
  /** Those that no other can dial. */
  readonly hidden: ReadonlySet<string>
  readonly mediaServerEntry: URL
}

const ada = { id: 'ada-id', username: 'ada', limits: { maxSources: 1, maxReaders: 100 } } as Account
const isAda = async (isRight: boolean) => {
  if (!isRight) throw new AppError('api-key-invalid')
  return ada
}
const signer = createLinkSigner('the secret of all nodes')
const log = createLog({ level: 'silent' })

export async function startStreamNode(nodeId: string, options: StreamNodeOptions): Promise<StreamNode> {
  const { db, nodes, hidden, mediaServerEntry } = options
  const clock = systemClock
  const ports = createMediaPorts({ rtspPort: 0, rtmpPort: 0, rtspsPort: undefined, rtmpsPort: undefined })
  const streams = createStreams({
    options: { publicUrl: undefined, mediaAuth: 'always', media: { host: '127.0.0.1', logLevel: 'silent' } },
    ports,
    certificate: undefined,
    authenticator: {
      byKey: (key) => isAda(key === 'right'),
      byKeyAgain: (key) => isAda(key === 'right'),
      byDigest: () => isAda(false),
      byDigestAgain: () => isAda(false),
      byId: (id) => isAda(id === 'ada-id'),
    },
    owners: { mayUse: async () => true, find: async (username) => (username === 'ada' ? ada : undefined) },
    rights: { mayWatch: async () => true },
    leadsHere: async () => false,
    nodeSigner: signer,
    mediaServerEntry,
    clock,
    log,
  })
  await streams.start()
  const row = { id: nodeId, epoch: 1, is_alive: 1, lease_until: 0, instance: nodeId, rtsp_url: null, labels: '[]' }
  const versions = { version: '1', schema_version: '27', is_draining: 0, started_at: 0 }
  await db
    .insertInto('node')
    .values({ ...row, ...versions })
    .execute()

  const others = () => [...nodes.values()].filter((node) => node.nodeId !== nodeId)
  const request = async (to: string, command: RelayCommand) => {
    const node = nodes.get(to)
    if (!node) throw new Error('no responders')
    return node.relays.handle(nodeId, RelayCommand.parse(JSON.parse(JSON.stringify(command))))
  }
  const store = createLivePathStore(db)
  const registry = createPathRegistry({
    store,
    self: () => ({ nodeId, epoch: 1 }),
    localPaths: streams.localPaths,
    endPublication: (path) => streams.nodeRelays.endPublication(path),
    onTakenOver: (from, path) => void request(from, { type: 'settle-path', path }).catch(() => {}),
    onChange: () => others().forEach(({ watch }) => watch.refresh()),
    clock,
    log,
  })
  streams.claimBy(registry.claims)
  const reports = createStreamReports({
    streams,
    publish: (message) => others().forEach((node) => node.reports.handle(message)),
    onPulls: () => watch.apply(),
    clock,
  })
  const cameras: { path: string; nodeId: string }[] = []
  const watch = createPathWatch({
    store,
    nodeId,
    cameras: { listElsewhere: async () => cameras },
    pullStatusOf: (path) => reports.pullStatusOf(path),
    registry,
    remotePaths: streams.remotePaths,
    clock,
    log,
  })
  const rtspUrl = `rtsp://127.0.0.1:${ports.current.rtspPort}`
  const relays = createClusterRelays({
    streams,
    tokens: createRelayTokens(signer, clock),
    nodes: {
      rtspUrlOf: (other) => (hidden.has(other) ? 'rtsp://127.0.0.1:1' : (nodes.get(other)?.rtspUrl ?? null)),
      ownRtspUrl: () => (hidden.has(nodeId) ? null : rtspUrl),
    },
    request,
    settle: (path) => registry.settle(path),
    clock,
    log,
  })
  relays.start()
  reports.start()
  watch.start()
  const node: StreamNode = {
    nodeId,
    streams,
    relays,
    reports,
    watch,
    cameras,
    rtspUrl,
    urlOf: (path) => `${rtspUrl}/${path}?api_key=right`,
    async close() {
      nodes.delete(nodeId)
      relays.close()
      reports.close()
      await watch.close()
      await streams.close()
    },
  }
  nodes.set(nodeId, node)
  return node
}
