/** Several real nodes on this machine: one PostgreSQL, one NATS, each node with its own ports and data folder. */
import { childrenOf } from './child-processes.ts'
import { connectDetections, type DetectionSocket } from './detection-socket.ts'
import { type Running, start as startTool } from './ffmpeg.ts'
import { freePort } from './free-port.ts'
import { createNatsServer, type NatsServer } from './nats.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type Info, loopedClip, type Started } from './process-rig.ts'
import { type Installation, type RunningService } from './installation.ts'
import { createSingleInstallation } from './single-installation.ts'
import { until } from './until.ts'

export interface ClusterNode {
  readonly name: string
  readonly installation: Installation
  readonly service: RunningService
  readonly rtspUrl: string
  call(method: string, path: string, options?: { key?: string; body?: unknown }): Promise<Response>
  ask<T>(method: string, path: string, options?: { key?: string; body?: unknown }): Promise<T>
  connect(started: Pick<Started, 'process_uuid'>): Promise<DetectionSocket>
  /** The pids of its workers. */
  workers(): number[]
  /** Ends all of it as a power cut would. */
  kill(): Promise<void>
  /** All of it stands still, or goes on. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
  stop(): Promise<void>
  /** Again, on the same folder and ports. */
  start(changed?: Record<string, string>): Promise<void>
}

/** Whose streams they are. */
export interface StreamOwner {
  readonly username: string
  readonly key: string
}

export interface NodeCluster {
  readonly masterKey: string
  readonly leaseMs: number
  readonly nats: NatsServer
  readonly postgres: Postgres
  node(name: string): ClusterNode
  /** `program` is another version's. */
  add(name: string, settings?: Record<string, string>, program?: string): Promise<ClusterNode>
  /** Publishes the clip over and over until it is killed. */
  publish(node: string, path: string, input?: readonly string[], owner?: StreamOwner): Running
  /** Registers a stream of the media server, publishes it at this node, and resolves when it is live at all. */
  goLive(node: string, name: string, owner?: StreamOwner): Promise<{ sourceId: string; publisher: Running }>
  /** A child key of the master. */
  issue(username: string, rights?: object): Promise<StreamOwner>
  info(node: string, processId: string): Promise<Info>
  untilState(node: string, processId: string, state: Info['state'], withinMs?: number): Promise<Info>
  /** The node that a process is written to be on. */
  nodeOf(processId: string): Promise<string>
  remove(): Promise<void>
}

/** A short one, so that tests need not wait; `AERIE_CLUSTER_LEASE` for others, as on a machine that is busy with other things. */
const LEASE_SECONDS = Number(process.env['AERIE_CLUSTER_LEASE'] ?? 4)
const MASTER_KEY = 'ak_of-the-nodes-of-a-test-0123456789abcdef'
const MASTER: StreamOwner = { username: 'admin', key: MASTER_KEY }

export interface ServerSettings {
  readonly nats?: readonly string[]
  /** `user:password` of the nodes, where NATS has users. */
  readonly natsLogin?: string
  readonly postgres?: readonly string[]
}

export async function createNodeCluster(
  names: readonly string[],
  settings: Record<string, string> = {},
  servers: ServerSettings = {},
): Promise<NodeCluster> {
  const [nats, postgres] = [await createNatsServer(servers.nats), await startPostgres(servers.postgres)]
  const nodes = new Map<string, ClusterNode>()
  const publishers: Running[] = []
  const installations: Installation[] = []
  const common = {
    AERIE_NATS_URL: servers.natsLogin ? nats.url.replace('//', `//${servers.natsLogin}@`) : nats.url,
    AERIE_DATABASE_URL: postgres.url,
    AERIE_MASTER_KEY: MASTER_KEY,
    AERIE_NODE_LEASE: String(LEASE_SECONDS),
    ...settings,
  }

  const cluster: NodeCluster = {
    masterKey: MASTER_KEY,
    leaseMs: LEASE_SECONDS * 1000,
    nats,
    postgres,
    node: (name) => nodes.get(name)!,
    async add(name, own = {}, program = undefined) {
      const installation = createSingleInstallation(program)
      installations.push(installation)
      const node = await startNode(name, installation, { ...common, AERIE_NODE_NAME: name, ...own })
      nodes.set(name, node)
      return node
    },
    publish(node, path, input = loopedClip, { username, key } = MASTER) {
      const url = nodes.get(node)!.rtspUrl.replace('//', `//${username}:${key}@`)
      const publisher = startTool(
        'ffmpeg',
        [...input, '-f', 'rtsp', '-rtsp_transport', 'tcp', `${url}/${path}`],
        300_000,
      )
      publishers.push(publisher)
      return publisher
    },
    async goLive(node, name, owner = MASTER) {
      const there = nodes.get(node)!
      const { username, key } = owner
      const body = { alias: name, input_url: `${there.rtspUrl}/${username}/${name}`, stream_type: 'rtsp' }
      const { source_uuid: sourceId } = await there.ask<{ source_uuid: string }>('POST', '/stream', { key, body })
      const publisher = cluster.publish(node, `${username}/${name}`, loopedClip, owner)
      const statusAt = async (at: ClusterNode) =>
        (await at.ask<{ status: string }>('GET', `/source/${sourceId}`, { key })).status
      for (const at of nodes.values()) await until(async () => (await statusAt(at)) === 'streaming')
      return { sourceId, publisher }
    },
    async issue(username, rights = {}) {
      const [node] = nodes.values()
      const body = { username, minutes: 60, ...rights }
      return { username, key: (await node!.ask<{ key: string }>('POST', '/keys', { body })).key }
    },
    info: (node, processId) => nodes.get(node)!.ask('GET', `/process/${processId}`),
    async untilState(node, processId, state, withinMs = 30_000) {
      let info: Info | undefined
      await until(async () => {
        // While it moves, nobody has it.
        info = await cluster.info(node, processId).catch(() => undefined)
        return info?.state === state
      }, withinMs)
      return info!
    },
    async nodeOf(processId) {
      const { rows } = await postgres.query('select node_id from process where id = $1', [processId])
      return String(rows[0]!['node_id'])
    },
    async remove() {
      for (const publisher of publishers) await publisher.kill()
      for (const installation of installations) await installation.remove()
      await postgres.remove()
      await nats.remove()
    },
  }
  try {
    for (const name of names) await cluster.add(name)
    return cluster
  } catch (error) {
    await cluster.remove()
    throw error
  }
}

async function startNode(
  name: string,
  installation: Installation,
  given: Record<string, string>,
): Promise<ClusterNode> {
  // The same ones whenever it starts, as an installed service has them.
  const settings: Record<string, string> = { ...given }
  for (const port of ['HTTP', 'RTSP', 'RTMP']) settings[`AERIE_${port}_PORT`] ??= String(await freePort())
  let service = await installation.start(settings)
  /** The service itself is a child of what starts it again when it was expelled. */
  const pids = () => {
    const parent = service.process.pid!
    const services = childrenOf(parent, '')
    return [parent, ...services, ...services.flatMap((pid) => childrenOf(pid, ''))]
  }
  const kill = async () => {
    const exited = service.stop('SIGKILL')
    for (const pid of pids()) signalTo(pid, 'SIGKILL')
    await exited
  }
  return {
    name,
    installation,
    get service() {
      return service
    },
    get rtspUrl() {
      return `rtsp://127.0.0.1:${String(service.ready['rtsp_port'])}`
    },
    call: (method, path, options) => service.call(method, path, { key: MASTER_KEY, ...options }),
    async ask<T>(method: string, path: string, { key = MASTER_KEY, body }: { key?: string; body?: unknown } = {}) {
      const response = await service.call(method, path, { key, body })
      const text = await response.text()
      if (!response.ok) throw new Error(`${name}: ${method} ${path} was answered by ${response.status}: ${text}`)
      return JSON.parse(text) as T
    },
    connect: ({ process_uuid: id }) =>
      connectDetections(`${service.url.replace('http', 'ws')}/process/${id}/detection_data?api_key=${MASTER_KEY}`),
    workers: () => childrenOf(service.process.pid!, '').flatMap((pid) => childrenOf(pid, 'pipeline')),
    kill,
    signal(signal) {
      for (const pid of pids()) signalTo(pid, signal)
    },
    async stop() {
      await service.stop()
    },
    async start(changed = {}) {
      service = await installation.start({ ...settings, ...changed })
    },
  }
}

function signalTo(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended.
  }
}
