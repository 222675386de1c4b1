import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { type FastifyPluginAsync } from 'fastify'
import { subjectOf } from '../../src/api/about-node.ts'
import { createServer, type Routes } from '../../src/api/server.ts'
import { createNatsBus, type NatsBus } from '../../src/cluster/nats-bus.ts'
import { createTunnels, type Tunnels } from '../../src/cluster/tunnel/tunnels.ts'
import { loadConfig } from '../../src/config/config.ts'
import { type ServedCertificate } from '../../src/core/certificate.ts'
import { AppError } from '../../src/core/errors.ts'
import { createHealth } from '../../src/observe/health.ts'
import { createLog } from '../../src/observe/log.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { anAccount } from '../builders/plain-account.ts'
import { createNatsServer, type NatsServer } from './nats.ts'
import { until } from './until.ts'

/** One node's API with routes that show what arrives there; a process `on-b` is on node b. */
export interface TestNode {
  readonly port: number
  readonly bus: NatsBus
  readonly lines: Record<string, unknown>[]
  readonly openTunnel: Tunnels['openTunnel']
  /** Those whose streams, downloads, uploads and websockets this node's handlers serve now. */
  readonly clients: Set<object>
  close(): Promise<void>
}

export interface TwoNodes {
  readonly nats: NatsServer
  readonly a: TestNode
  readonly b: TestNode
  /** At node a, which clients call. */
  url(path: string): string
  /** By Ann, of node a. */
  call(path: string, init?: RequestInit): Promise<TestAnswer>
  /** Resolves when node b serves nothing any more. */
  allLeft(): Promise<void>
  remove(): Promise<void>
}

export interface TestAnswer {
  readonly response: Response
  readonly status: number
  // What tests look into has many shapes.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any
}

/** Headers by which Ann signs in. */
export const asAnn = { api_key: 'key-of-ann' }

export interface NodeSettings {
  readonly certificate?: ServedCertificate
  readonly trustProxy?: readonly string[]
  /** Where node b looks for processes; by their names unless said otherwise. */
  readonly nodeOfAtB?: (processId: string) => string
  /** Beside those that show what arrives. */
  readonly routesAt?: (nodeId: string) => Routes
}

/** One of them is dead. */
const KNOWN = ['a', 'b', 'dead']
const nodeInName = (processId: string) => processId.replace('on-', '')

export async function createTwoNodes(settings: NodeSettings = {}): Promise<TwoNodes> {
  const nats = await createNatsServer()
  const a = await startNode('a', nats, settings, nodeInName)
  const b = await startNode('b', nats, settings, settings.nodeOfAtB ?? nodeInName)
  await until(async () => (await a.tunnelTo('b')) && (await b.tunnelTo('a')))
  const url = (path: string) => `http://127.0.0.1:${a.port}${path}`
  return {
    nats,
    a,
    b,
    url,
    async call(path, { headers = {}, ...init } = {}) {
      const response = await fetch(url(path), { headers: { ...asAnn, ...headers }, ...init })
      return { response, status: response.status, body: await response.json() }
    },
    allLeft: () => until(async () => b.clients.size === 0),
    async remove() {
      await Promise.all([a.close(), b.close()])
      await nats.remove()
    },
  }
}

async function startNode(
  id: string,
  nats: NatsServer,
  { certificate, trustProxy = [], routesAt = () => [] }: NodeSettings,
  nodeOf: (processId: string) => string,
) {
  const lines: TestNode['lines'] = []
  const log = createLog({ level: 'debug', write: (line) => void lines.push(JSON.parse(line)) })
  const bus = createNatsBus({ url: nats.url, name: id }, { log })
  const tunnels = createTunnels({ bus, nodeId: id, secret: 'shared', log })
  const clients = new Set<object>()
  const authenticate = async (key = '') => {
    if (!key.startsWith('key-of-')) throw new AppError('api-key-invalid')
    return anAccount({ username: key })
  }
  const http = await createServer({
    options: { ...loadConfig({}), bodyLimitBytes: 20_000_000, trustProxy },
    log,
    metrics: createMetrics(),
    health: createHealth(log),
    authenticate,
    recheck: authenticate,
    certificate,
    nodes: {
      async nodeOf(request) {
        const subject = await subjectOf(request, (nodeId) => KNOWN.includes(nodeId))
        if (!subject) return undefined
        const node = 'nodeId' in subject ? subject.nodeId : nodeOf(subject.processId)
        return node === id ? undefined : node
      },
      ...tunnels,
    },
    routes: [routesOf(id, clients), ...routesAt(id)],
  })
  await http.listen({ host: '127.0.0.1', port: 0 })
  return {
    port: (http.server.address() as { port: number }).port,
    bus,
    lines,
    openTunnel: tunnels.openTunnel.bind(tunnels),
    clients,
    async tunnelTo(node: string): Promise<boolean> {
      const tunnel = await tunnels.openTunnel(node, { address: '', isEncrypted: false }).catch(() => undefined)
      tunnel?.end()
      return tunnel !== undefined
    },
    async close() {
      http.server.closeAllConnections()
      await http.close()
      tunnels.close()
      await bus.close()
    },
  }
}

/** `size` bytes in chunks, each with other contents. */
export function* bytesOf(size: number): Generator<Buffer> {
  for (let at = 0; at < size; at += 65_536) yield Buffer.alloc(Math.min(65_536, size - at), `${at} `)
}

export function hashOf(size: number): string {
  const hash = createHash('sha256')
  for (const chunk of bytesOf(size)) hash.update(chunk)
  return hash.digest('hex')
}

function routesOf(node: string, clients: Set<object>): FastifyPluginAsync {
  return async (app) => {
    app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null))

    app.get('/process/:process_uuid', async (request, reply) => {
      reply.header('set-cookie', ['one=1', 'two=2'])
      const { ip, baseUrl, account, headers, url } = request
      return { node, ip, baseUrl, username: account.username, headers, url }
    })
    app.get('/here', async () => ({ node }))
    app.post('/process/:process_uuid', async ({ body }) => ({ node, body }))
    app.delete('/process/:process_uuid', async ({ body }) => ({ node, body }))
    app.get('/process/:process_uuid/missing', async ({ params }) => {
      throw new AppError('process-not-found', params as Record<string, unknown>)
    })

    app.post('/process/:process_uuid/upload', { config: { isUpload: true } }, async ({ raw }) => {
      clients.add(raw)
      raw.once('close', () => clients.delete(raw))
      const hash = createHash('sha256')
      for await (const chunk of raw) hash.update(chunk as Buffer)
      return { node, hash: hash.digest('hex') }
    })
    app.post('/process/:process_uuid/refused-upload', { config: { isUpload: true } }, async () => {
      throw new AppError('disk-full')
    })
    app.get('/process/:process_uuid/download', async (request, reply) => {
      const size = Number((request.query as { size: string }).size)
      const body = Readable.from(bytesOf(size))
      clients.add(body)
      body.once('close', () => clients.delete(body))
      return reply.header('content-length', size).type('video/mp4').send(body)
    })

    app.get('/process/:process_uuid/events', { config: { isStream: true } }, (_request, reply) => {
      reply.hijack()
      clients.add(reply)
      reply.raw.once('close', () => clients.delete(reply))
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      let count = 0
      const timer = setInterval(() => {
        reply.raw.write(`data: ${count}\n\n`)
        if (++count === 5) reply.raw.end()
      }, 20)
      reply.raw.once('close', () => clearInterval(timer))
    })
    app.get('/process/:process_uuid/silence', { config: { isStream: true } }, (_request, reply) => {
      reply.hijack()
      clients.add(reply)
      reply.raw.once('close', () => clients.delete(reply))
      reply.raw.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    })

    app.route({
      method: 'GET',
      url: '/process/:process_uuid/socket',
      config: { isStream: true },
      handler: async () => {
        throw new AppError('websocket-required')
      },
      preHandler: async ({ query }) => {
        if ((query as { refuse?: string }).refuse) throw new AppError('client-connected', { instead: '' })
      },
      wsHandler: (socket) => {
        clients.add(socket)
        socket.on('close', () => clients.delete(socket))
        socket.on('message', (data: Buffer, isBinary) => {
          if (data.toString() === 'bye') return socket.close(4001, 'as you wish')
          socket.send(data, { binary: isBinary })
        })
        socket.send(`hello from ${node}`)
      },
    })
  }
}
