import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { PassThrough, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { text } from 'node:stream/consumers'
import { type FastifyPluginAsync } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bytesOf, createTwoNodes, hashOf, type TwoNodes } from '../../test/support/two-nodes.ts'
import { until } from '../../test/support/until.ts'
import { AppError } from '../core/errors.ts'
import { type NodeFiles } from '../core/node-files.ts'
import { type TunnelSocket } from '../core/tunnel.ts'
import { createNodeFiles } from './node-files.ts'

const MIB = 2 ** 20
let nodes: TwoNodes
let files: NodeFiles
/** What node b is sending. */
const sending = new Set<PassThrough>()
const tunnels: TunnelSocket[] = []

/** Public ones: whoever asks has no key. */
const routes: FastifyPluginAsync = async (app) => {
  const config = { isPublic: true }
  const send = (body: PassThrough): PassThrough => {
    sending.add(body)
    return body.once('close', () => sending.delete(body))
  }
  app.get('/file', { config }, async ({ query }, reply) => {
    const size = Number((query as { size: string }).size)
    const body = send(new PassThrough())
    void pipeline(bytesOf(size), body).catch(() => {})
    return reply.header('content-length', size).type('video/mp4').send(body)
  })
  app.get('/broken', { config }, async (_request, reply) => {
    const body = send(new PassThrough())
    body.write('a part')
    setImmediate(() => body.destroy(new Error('the disk')))
    return reply.header('content-length', 1_000).send(body)
  })
  app.get('/gone', { config }, async () => {
    throw new AppError('recording-not-found')
  })
  app.get('/busy', { config }, async () => {
    throw new AppError('database-away')
  })
  app.get('/who', { config }, async ({ ip, headers, protocol }) => ({ ip, headers, protocol }))
}

beforeAll(async () => {
  nodes = await createTwoNodes({ routesAt: () => [routes] })
  files = createNodeFiles({
    async openTunnel(node, client) {
      const tunnel = await nodes.a.openTunnel(node, client)
      tunnels.push(tunnel)
      return tunnel
    },
  })
})
afterAll(() => nodes.remove())
// However it ended.
afterEach(() => until(async () => sending.size === 0 && tunnels.every(({ destroyed }) => destroyed)))

const never = new AbortController().signal
const open = (path: string, signal = never) => files.open('b', path, signal)

async function hashIn(stream: Readable | undefined): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream!) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

test('a file of another node comes whole', async () => {
  expect(await hashIn(await open(`/file?size=${20 * MIB}`))).toBe(hashOf(20 * MIB))
})

test('several come at the same time', async () => {
  const sizes = [1, 3 * MIB, 5 * MIB, 0]
  const hashes = await Promise.all(sizes.map(async (size) => hashIn(await open(`/file?size=${size}`))))
  expect(hashes).toEqual(sizes.map(hashOf))
})

test('the node itself asks, and shows no key', async () => {
  const { ip, headers, protocol } = JSON.parse(await text((await open('/who'))!))
  expect({ ip, headers, protocol }).toEqual({
    ip: '127.0.0.1',
    headers: { host: 'localhost', connection: expect.any(String) as string },
    protocol: 'https',
  })
})

test('who does not read on holds up the sender, and who leaves ends it', async () => {
  const stream = (await open(`/file?size=${200 * MIB}`))!
  await once(stream, 'readable')
  const [body] = sending
  await until(async () => body!.writableNeedDrain)
  stream.destroy()
  await until(async () => sending.size === 0)
})

test('what breaks off fails the reader', async () => {
  await expect(hashIn(await open('/broken'))).rejects.toThrow()
})

test('who stops waiting has the reason for it', async () => {
  const stopping = new AbortController()
  const stream = (await open(`/file?size=${200 * MIB}`, stopping.signal))!
  const read = hashIn(stream)
  stopping.abort()
  await expect(read).rejects.toThrow()
  await expect(open('/file?size=1', AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough')
})

test('what is not there is none', async () => {
  expect(await open('/gone')).toBeUndefined()
  expect(await open('/no/such/route')).toBeUndefined()
})

test.each([
  ['a node that cannot answer now', 'b', '/busy'],
  ['a path that needs a key', 'b', '/here'],
  ['a node that is not there', 'dead', '/file?size=1'],
])('%s is unreachable', async (_which, node, path) => {
  await expect(files.open(node, path, never)).rejects.toMatchObject({ code: 'node-unreachable', status: 503 })
})
