import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNatsServer, type NatsServer } from '../../../test/support/nats.ts'
import { until } from '../../../test/support/until.ts'
import { type TunnelSocket } from '../../core/tunnel.ts'
import { createLog } from '../../observe/log.ts'
import { createNatsBus, type NatsBus } from '../nats-bus.ts'
import { nodeSubject } from '../subjects.ts'
import { encodeConnect } from './handshake.ts'
import { MAX_WINDOW_BYTES } from './tunnel-end.ts'
import { createTunnels, type Tunnels } from './tunnels.ts'

const SECRET = 'of the service'
const client = { address: '203.0.113.7', isEncrypted: true }

interface Node {
  readonly bus: NatsBus
  readonly tunnels: Tunnels
  readonly accepted: TunnelSocket[]
  readonly lines: Record<string, unknown>[]
  /** What it sends next does not arrive. */
  readonly loseNext: () => void
}

let nats: NatsServer
const ends: (() => unknown)[] = []
beforeEach(async () => void (nats = await createNatsServer()))
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await nats.remove()
})

async function startNode(nodeId: string, secret = SECRET): Promise<Node> {
  const lines: Node['lines'] = []
  const log = createLog({ level: 'debug', write: (line) => void lines.push(JSON.parse(line)) })
  const bus = createNatsBus({ url: nats.url, name: nodeId }, { log })
  let isNextLost = false
  const publish = (subject: string, data: Uint8Array) => {
    const isLost = isNextLost
    isNextLost = false
    return isLost || bus.publish(subject, data)
  }
  const tunnels = createTunnels({ bus: { ...bus, publish }, nodeId, secret, log })
  ends.push(
    () => bus.close(),
    () => tunnels.close(),
  )
  const accepted: TunnelSocket[] = []
  tunnels.acceptTunnels((tunnel) => accepted.push(tunnel))
  await until(async () => bus.isConnected)
  return { bus, tunnels, accepted, lines, loseNext: () => void (isNextLost = true) }
}

/** Tries until the other node's subscriptions are known to the server. */
async function openTo(from: Node, nodeId: string): Promise<TunnelSocket> {
  let tunnel: TunnelSocket | undefined
  await until(async () => Boolean((tunnel = await from.tunnels.openTunnel(nodeId, client).catch(() => undefined))))
  ends.push(() => tunnel!.destroy())
  return tunnel!
}

async function connect(): Promise<{ a: Node; b: Node; ours: TunnelSocket; theirs: TunnelSocket }> {
  const [a, b] = [await startNode('a'), await startNode('b.example.org')]
  const ours = await openTo(a, 'b.example.org')
  await until(async () => b.accepted.length === 1)
  return { a, b, ours, theirs: b.accepted[0]! }
}

/** Reads to the end, and leaves the other direction as it is. (`node:stream/consumers` closes both.) */
async function buffer(stream: TunnelSocket): Promise<Buffer> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(stream, 'end')
  return Buffer.concat(chunks)
}

const text = async (stream: TunnelSocket) => (await buffer(stream)).toString()

const errorOf = (stream: TunnelSocket) => once(stream, 'error') as Promise<[NodeJS.ErrnoException]>

describe('a tunnel', () => {
  test('carries bytes both ways, and who the client is', async () => {
    const { ours, theirs } = await connect()
    expect(theirs).toMatchObject({ remoteAddress: client.address, encrypted: true })
    const [up, down] = [randomBytes(3_000_000), randomBytes(2_000_000)]
    ours.end(up)
    theirs.end(down)
    const [atThem, atUs] = await Promise.all([buffer(theirs), buffer(ours)])
    expect(atThem.equals(up) && atUs.equals(down)).toBe(true)
  })

  test('goes on in one direction when the other is at its end', async () => {
    const { ours, theirs } = await connect()
    ours.end('question')
    expect(await text(theirs)).toBe('question')
    theirs.end('answer')
    expect(await text(ours)).toBe('answer')
  })

  test('is closed at both ends when one is destroyed, and says why', async () => {
    const { b, ours, theirs } = await connect()
    const broken = errorOf(theirs)
    ours.destroy()
    expect((await broken)[0]).toMatchObject({ code: 'ECONNRESET', message: expect.stringMatching(/has closed/) })
    // Clients leave all the time.
    expect(b.lines).toEqual([])
  })

  test('what was answered arrives although the other end did not read the question to its end', async () => {
    const { ours, theirs } = await connect()
    ours.write(randomBytes(MAX_WINDOW_BYTES * 3))
    theirs.end('no, thank you')
    theirs.destroySoon()
    expect(await text(ours)).toBe('no, thank you')
    const closed = once(ours, 'close')
    ours.end()
    await closed
  })

  test('a node reaches itself too', async () => {
    const a = await startNode('a')
    const ours = await openTo(a, 'a')
    ours.end('hello')
    await until(async () => a.accepted.length === 1)
    expect(await text(a.accepted[0]!)).toBe('hello')
  })
})

describe('is not opened', () => {
  test('to a node that is not there: at once', async () => {
    const a = await startNode('a')
    const attempt = a.tunnels.openTunnel('nobody', client)
    await expect(attempt).rejects.toMatchObject({ code: 'node-unreachable', status: 503, retryAfterSeconds: 2 })
  })

  test('while NATS is away: at once', async () => {
    const a = await startNode('a')
    await nats.kill()
    await until(async () => !a.bus.isConnected)
    await expect(a.tunnels.openTunnel('b', client)).rejects.toMatchObject({ code: 'node-unreachable' })
  })

  test('to a node that does not answer: within seconds', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    b.bus.subscribe(nodeSubject('silent', 'connect'), () => {})
    await openTo(a, 'b')
    const error = await a.tunnels.openTunnel('silent', client).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'node-unreachable', cause: { failure: 'late' } })
  })

  test('by who does not know the secret, nor to them', async () => {
    const [a, stranger] = [await startNode('a'), await startNode('stranger', 'another secret')]
    await until(async () => {
      const error = await stranger.tunnels.openTunnel('a', client).catch((reason: unknown) => reason)
      return /another secret/.test(String((error as Error).cause))
    })
    expect(a.accepted).toHaveLength(0)
    expect(a.lines.map(({ msg }) => msg)).toContain('a connection from another node was refused')
    await expect(a.tunnels.openTunnel('stranger', client)).rejects.toMatchObject({ code: 'node-unreachable' })
  })

  test('to who answers in the place of a node', async () => {
    const a = await startNode('a')
    const integrator = createNatsBus({ url: nats.url, name: 'integrator' }, { log: createLog({ level: 'silent' }) })
    ends.push(() => integrator.close())
    const answer = Buffer.from(JSON.stringify({ tunnel: 'x'.repeat(22), proof: 'made up' }))
    integrator.subscribe(nodeSubject('b', 'connect'), ({ respond }) => respond(answer))
    await until(async () => {
      const error = await a.tunnels.openTunnel('b', client).catch((reason: unknown) => reason)
      return /does not know the secret/.test(String((error as Error).cause))
    })
  })

  test('by a message that somebody has heard and says again: nothing is handed on', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    await openTo(a, 'b')
    await until(async () => b.accepted.length === 1)
    const heard = encodeConnect(SECRET, { from: 'a', to: 'b', tunnel: 'x'.repeat(22), client })
    const answer = await a.bus.request(nodeSubject('b', 'connect'), heard, { timeoutMs: 5_000 })
    const { tunnel } = JSON.parse(Buffer.from(answer).toString()) as { tunnel: string }
    a.bus.publish(nodeSubject('b', 'tunnel', tunnel), randomBytes(100))
    await openTo(a, 'b')
    await until(async () => b.accepted.length === 2)
  })

  test('when a node has stopped accepting', async () => {
    const [a, b] = [await startNode('a'), await startNode('b')]
    await openTo(a, 'b')
    b.tunnels.acceptTunnels(() => {})()
    await until(async () => {
      const error = await a.tunnels.openTunnel('b', client).catch((reason: unknown) => reason)
      return String((error as Error).cause).length > 0
    })
  })
})

describe('trouble', () => {
  test('NATS restarts in the middle, and nothing was lost: the tunnel goes on', async () => {
    const { a, b, ours, theirs } = await connect()
    ours.write('before, ')
    await once(theirs, 'readable')
    await nats.kill()
    await until(async () => !a.bus.isConnected && !b.bus.isConnected)
    await nats.start()
    await until(async () => a.bus.isConnected && b.bus.isConnected)
    ours.end('after')
    expect(await text(theirs)).toBe('before, after')
  })

  test('a message is lost on the way: both ends break', async () => {
    const { a, ours, theirs } = await connect()
    const broken = Promise.all([errorOf(ours), errorOf(theirs)])
    a.loseNext()
    await new Promise<void>((resolve) => void ours.write('lost', () => resolve()))
    ours.write('and this arrives')
    const [, [error]] = await broken
    expect(error.message).toMatch(/lost on the way/)
  })
})
