import { once } from 'node:events'
import { createServer } from 'node:net'
import { childrenOf, isRunning } from './child-processes.ts'
import { type ConnectionBalancer, startConnectionBalancer } from './connection-balancer.ts'
import { freePort } from './free-port.ts'
import { createNatsServer, type NatsServer } from './nats.ts'
import { type Postgres, startPostgres } from './postgres.ts'
import { type RoundRobin, startRoundRobin } from './round-robin.ts'
import { type Installation, type RunningService } from './installation.ts'
import { createSingleInstallation } from './single-installation.ts'
import { until } from './until.ts'

const MASTER_KEY = 'ak_of-the-nodes-of-a-test-0123456789abcdef'
const LEASE_SECONDS = 4
const BALANCED = ['HTTP', 'RTSP', 'RTMP'] as const
type Ports = Readonly<Record<(typeof BALANCED)[number], number>>

/** What all nodes share, and what stands before them: as long as the installation. */
interface Surroundings {
  readonly postgres: Postgres
  readonly nats: NatsServer
  readonly ports: Ports
  readonly http: RoundRobin
  readonly media: readonly ConnectionBalancer[]
}

/**
 * Several nodes in place of one service. Each listens on an address of loopback of its own, on the same ports; on 127.0.0.1 a balancer has
 * these ports, and gives each request, and each connection of RTSP and RTMP, to the next node.
 */
export function createNodesInstallation(count: number): Installation {
  const nodes = Array.from({ length: count }, (_, index) => ({
    name: `node-${index + 1}`,
    host: `127.0.0.${index + 2}`,
    installation: createSingleInstallation(),
  }))
  const [{ installation: first }] = nodes as [(typeof nodes)[0]]
  let opening: Promise<Surroundings> | undefined

  async function open(wanted: Record<string, string>): Promise<Surroundings> {
    const hosts = nodes.map(({ host }) => host)
    const [postgres, nats] = await Promise.all([startPostgres(), createNatsServer()])
    const port = async (name: string) => Number(wanted[`AERIE_${name}_PORT`] ?? 0) || freePortOn(hosts)
    const ports = { HTTP: await port('HTTP'), RTSP: await port('RTSP'), RTMP: await port('RTMP') }
    const http = await startRoundRobin(
      hosts.map((host) => `http://${host}:${ports.HTTP}`),
      ports.HTTP,
    )
    const media = await Promise.all([ports.RTSP, ports.RTMP].map((one) => startConnectionBalancer(hosts, one)))
    return { postgres, nats, ports, http, media }
  }

  const settingsOf = ({ postgres, nats, ports }: Surroundings) => ({
    AERIE_DATABASE_URL: postgres.url,
    AERIE_NATS_URL: nats.url,
    AERIE_MASTER_KEY: MASTER_KEY,
    AERIE_NODE_LEASE: String(LEASE_SECONDS),
    ...Object.fromEntries(BALANCED.map((name) => [`AERIE_${name}_PORT`, String(ports[name])])),
  })

  async function commandWith(settings: Record<string, string>, ...args: string[]) {
    const [{ name, host }] = nodes as [(typeof nodes)[0]]
    const own = { ...settingsOf(await (opening ??= open({}))), AERIE_NODE_NAME: name, AERIE_HOST: host }
    return first.commandWith({ ...own, ...settings }, ...args)
  }

  return {
    dataDir: first.dataDir,
    dataDirs: nodes.map(({ installation }) => installation.dataDir),
    masterKey: MASTER_KEY,
    async start(settings = {}) {
      const surroundings = await (opening ??= open(settings))
      const services = await Promise.all(
        nodes.map(({ name, host, installation }) => {
          const own = { ...settingsOf(surroundings), AERIE_NODE_NAME: name, AERIE_HOST: host }
          return installation.start({ ...settings, ...own })
        }),
      )
      for (const service of services) await until(async () => (await countAlive(service)) === count)
      return behindBalancer(services, surroundings)
    },
    command: (...args) => commandWith({}, ...args),
    commandWith,
    async remove() {
      const surroundings = await opening
      if (surroundings) for (const balancer of [surroundings.http, ...surroundings.media]) await balancer.close()
      for (const { installation } of nodes) await installation.remove()
      await surroundings?.postgres.remove()
      await surroundings?.nats.remove()
    },
  }
}

function behindBalancer(services: readonly RunningService[], { http, ports }: Surroundings): RunningService {
  const [first] = services as [RunningService]
  const ready = { ...first.ready, http_port: ports.HTTP, rtsp_port: ports.RTSP, rtmp_port: ports.RTMP }
  return {
    process: first.process,
    url: http.url,
    ready,
    stderr: () => services.map((service) => service.stderr()).join(''),
    children: (words = '') => services.flatMap(serviceProcesses).flatMap((pid) => childrenOf(pid, words)),
    call: (method, path, { key = MASTER_KEY, body } = {}) =>
      fetch(http.url + path, {
        method,
        headers: { api_key: key, ...(body !== undefined && { 'content-type': 'application/json' }) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    async stop(signal = 'SIGTERM') {
      const codes = await Promise.all(services.map((service) => stopNode(service, signal)))
      return codes.find((code) => code !== 0) ?? 0
    },
  }
}

/** A node's service is a child of what starts it again when it was expelled. */
const serviceProcesses = ({ process: { pid } }: RunningService) => childrenOf(pid!, '')

/** SIGKILL is for the service, and whoever would start it again goes first. */
async function stopNode(service: RunningService, signal: NodeJS.Signals): Promise<number | null> {
  const pids = signal === 'SIGKILL' ? serviceProcesses(service) : []
  const stopped = service.stop(signal)
  for (const pid of pids) process.kill(pid, signal)
  await until(async () => !pids.some(isRunning))
  return stopped
}

async function countAlive(service: RunningService): Promise<number> {
  const answer = await service.call('GET', '/nodes', { key: MASTER_KEY })
  const { nodes } = (await answer.json()) as { nodes: { state: string }[] }
  return nodes.filter(({ state }) => state === 'alive').length
}

/** Free on loopback's first address and on these. */
async function freePortOn(hosts: readonly string[]): Promise<number> {
  for (;;) {
    const port = await freePort()
    if ((await Promise.all(hosts.map((host) => isFree(host, port)))).every(Boolean)) return port
  }
}

async function isFree(host: string, port: number): Promise<boolean> {
  const server = createServer()
  try {
    await once(server.listen(port, host), 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
