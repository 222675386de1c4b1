/** docs/nats.md: every example of a configuration is taken by a real server, and lets and refuses what the page says. */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type NatsConnection } from '@nats-io/nats-core'
import { connect, type NodeConnectionOptions } from '@nats-io/transport-node'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createExchange } from '../../src/cluster/exchange.ts'
import { createNatsBus, type NatsBus } from '../../src/cluster/nats-bus.ts'
import { type NatsOptions } from '../../src/cluster/nats-connection.ts'
import { createPublications } from '../../src/cluster/publications.ts'
import { systemClock } from '../../src/core/clock.ts'
import { type LivePublisher } from '../../src/core/live-publishing.ts'
import { createLog } from '../../src/observe/log.ts'
import { createMetrics } from '../../src/observe/metrics.ts'
import { freePort } from '../support/free-port.ts'
import { createNatsServer, type NatsServer } from '../support/nats.ts'
import { until } from '../support/until.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/nats.md'), 'utf8')
const examples = [...page.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text: text! }))
const exampleWith = (part: string) => examples.find(({ text }) => text.includes(part))!.text

const [users, tls, hub, box] = ['authorization {', 'tls: {\n', 'leafnodes: {\n  listen', 'remotes:'].map(exampleWith)
const program = exampleWith('for await')
/** The test's server says itself where it listens. */
const withoutListen = (config: string) => {
  expect(config).toMatch(/^listen: /)
  return config.replace(/^listen: .*$/m, '').split('\n')
}
const NODES = { user: 'nodes', pass: 'change-me-nodes' }
const PILOT = { user: 'pilot-dashboard', pass: 'change-me-pilot' }
const ids = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002'] as const
const [MINE, OTHERS] = ids

let folder: string
let certificate: { readonly cert: string; readonly key: string }
const ends: (() => unknown)[] = []
let lines: Record<string, unknown>[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-nats-page-'))
  certificate = { cert: join(folder, 'fullchain.pem'), key: join(folder, 'privkey.pem') }
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  const options = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', ...names]
  execFileSync('openssl', ['req', ...options, '-keyout', certificate.key, '-out', certificate.cert], {
    stdio: 'ignore',
  })
})
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  lines = []
})

async function serve(settings: readonly string[]): Promise<NatsServer> {
  const server = await createNatsServer(settings)
  ends.push(() => server.remove())
  return server
}

async function joinAs(options: NatsOptions): Promise<NatsBus> {
  const log = createLog({ level: 'warn', write: (line) => void lines.push(JSON.parse(line)) })
  const bus = createNatsBus(options, { log })
  ends.push(() => bus.close())
  await until(async () => bus.isConnected)
  return bus
}
const nodeUrl = ({ port }: NatsServer, login = 'nodes:change-me-nodes') => `nats://${login}@127.0.0.1:${port}`

async function listen(server: NatsServer, options: NodeConnectionOptions = PILOT): Promise<NatsConnection> {
  const connection = await connect({ servers: server.url, reconnect: false, ...options })
  ends.push(() => connection.close())
  return connection
}

/** Publishes as a node does, for two accounts. */
function publisherOn(bus: NatsBus): LivePublisher & { readonly publishAll: (message: string) => void } {
  const publisher = createPublications({
    kinds: ['scenes', 'notifications'],
    bus,
    findUsername: async (accountId) => accountId,
    isWithinLease: () => true,
    metrics: createMetrics(),
    log: createLog({ level: 'silent' }),
  })
  return {
    ...publisher,
    publishAll(message) {
      for (const [accountId, processId] of [
        ['pilot', MINE],
        ['others', OTHERS],
      ] as const) {
        // prettier-ignore
        publisher.publishScene!({ accountId, processId }, message)
        publisher.publishNotification!({ accountId, processId }, 'new-tracks', message)
      }
    },
  }
}

/** What comes at a subject; or why nothing does. */
function heardAt(connection: NatsConnection, subject: string) {
  const heard: string[] = []
  const refusals: string[] = []
  connection.subscribe(subject, {
    callback: (error, message) => void (error ? refusals.push(error.name) : heard.push(message.subject)),
  })
  return { heard, refusals }
}

describe('the users of the page', () => {
  let server: NatsServer
  beforeAll(async () => void (server = await createNatsServer(withoutListen(users!))))
  afterAll(() => server.remove())

  test('a program of an account gets its scenes and notifications, and nothing of others', async () => {
    const pilot = await listen(server)
    const scenes = heardAt(pilot, 'aerie.v1.scene.pilot.*')
    const notifications = heardAt(pilot, 'aerie.v1.notification.pilot.>')
    const refused = ['aerie.v1.scene.>', 'aerie.v1.scene.others.*', 'aerie.v1.notification.*.*.*', '>'].map((subject) =>
      heardAt(pilot, subject),
    )
    await pilot.flush()
    const { publishAll } = publisherOn(await joinAs({ url: nodeUrl(server), name: 'a' }))
    await until(async () => {
      publishAll('{}')
      return notifications.heard.length > 1
    })
    await pilot.flush()
    expect(new Set(scenes.heard)).toEqual(new Set([`aerie.v1.scene.pilot.${MINE}`]))
    expect(new Set(notifications.heard)).toEqual(new Set([`aerie.v1.notification.pilot.${MINE}.new-tracks`]))
    for (const { heard, refusals } of refused) expect([heard, refusals]).toEqual([[], ['PermissionViolationError']])
    expect(lines).toEqual([])
  })

  test('it neither hears what nodes say nor says anything', async () => {
    const pilot = await listen(server)
    const violations: string[] = []
    void (async () => {
      for await (const status of pilot.status())
        if (status.type === 'error') violations.push(/to "(\S+)"/.exec(status.error.message)![1]!)
    })()
    const node = await joinAs({ url: nodeUrl(server), name: 'a' })
    const arrived: string[] = []
    for (const subject of ['aerie.v1.>', '_INBOX.>'])
      node.subscribe(subject, (message) => arrived.push(message.subject))
    const eavesdropped = ['aerie.v1.nodes.>', 'aerie.v1.node.>', '_INBOX.>'].map((subject) => heardAt(pilot, subject))
    const subjects = [
      'aerie.v1.nodes.placed',
      'aerie.v1.node.a.ask.relay',
      'aerie.v1.node.a.connect',
      `aerie.v1.scene.pilot.${MINE}`,
      '_INBOX.somebody',
    ]
    await pilot.flush()
    for (const subject of subjects) pilot.publish(subject, 'forged')
    await pilot.flush()
    await until(async () => subjects.every((subject) => violations.includes(subject)))
    const exchange = createExchange({
      bus: node,
      node: { id: 'a', epoch: 1 },
      secret: 's',
      clock: systemClock,
      log: createLog({ level: 'silent' }),
    })
    exchange.publish({ name: 'real', schema: undefined as never }, {})
    await until(async () => arrived.length > 0)
    expect(arrived).toEqual(['aerie.v1.nodes.real'])
    for (const { heard, refusals } of eavesdropped)
      expect([heard, refusals]).toEqual([[], ['PermissionViolationError']])
  })

  test('nobody gets in without a user, or with a wrong password, and a node says why', async () => {
    for (const login of [{}, { ...PILOT, pass: 'wrong' }, { ...NODES, user: 'others' }])
      await expect(listen(server, { reconnect: false, ...login })).rejects.toThrow(/Authorization/i)
    const log = createLog({ level: 'warn', write: (line) => void lines.push(JSON.parse(line)) })
    const bus = createNatsBus({ url: nodeUrl(server, 'nodes:wrong'), name: 'a' }, { log })
    ends.push(() => bus.close())
    await until(async () => lines.length > 0)
    expect(lines[0]).toMatchObject({
      msg: expect.stringMatching(/^NATS is away: /),
      reason: expect.stringMatching(/Authorization Violation/i),
    })
  })

  test('who listens to what it may not is ended with an error', async () => {
    const messages = (await listen(server)).subscribe('aerie.v1.scene.others.*')
    await expect(messages[Symbol.asyncIterator]().next()).rejects.toThrow(/Permissions Violation/)
  })

  test('the program of the page shows what it listens to', async () => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      env: { ...process.env, NATS_SERVERS: server.url },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const exited = once(child, 'exit')
    ends.push(async () => {
      child.kill()
      await exited
    })
    let shown = ''
    createInterface(child.stdout).once('line', (line) => (shown = line))
    const { publishAll } = publisherOn(await joinAs({ url: nodeUrl(server), name: 'a' }))
    const scene = { process_uuid: MINE, sequence: 7, active_tracks: [{ class_name: 'person' }, { class_name: 'car' }] }
    await until(async () => {
      publishAll(JSON.stringify(scene))
      return shown !== ''
    }, 30_000)
    expect(shown).toBe(`${MINE} 7 person car`)
  })
})

describe('with too few rights', () => {
  const rights = (publish: string[], subscribe: string[]) => [
    `authorization { users: [{ user: "nodes", password: "p", permissions: ${JSON.stringify({ publish, subscribe })} }] }`,
  ]
  const logged = () => lines.map(({ msg }) => String(msg))

  test('a node says once which right it lacks for scenes, and the rest goes on', async () => {
    const server = await serve(rights(['aerie.v1.node.>', 'aerie.v1.nodes.>', '_INBOX.>'], ['aerie.v1.>', '_INBOX.>']))
    const node = await joinAs({ url: nodeUrl(server, 'nodes:p'), name: 'a' })
    const { publishScene } = publisherOn(node)
    for (let i = 0; i < 50; i++) publishScene!({ accountId: 'pilot', processId: MINE }, '{}')
    await until(async () => lines.length > 0)
    node.subscribe('aerie.v1.nodes.echo', ({ respond }) => respond(Buffer.from('heard')))
    const answer = await node.request('aerie.v1.nodes.echo', Buffer.from('?'), { timeoutMs: 5_000 })
    expect(Buffer.from(answer).toString()).toBe('heard')
    expect(logged()).toEqual([
      'NATS does not let this node publish to aerie.v1.scene.>; give its user the right to (docs/nats.md)',
    ])
  })

  test('a node that may not hear the others says so, and what it asks fails', async () => {
    const server = await serve(rights(['>'], ['aerie.v1.scene.>']))
    const node = await joinAs({ url: nodeUrl(server, 'nodes:p'), name: 'a' })
    node.subscribe('aerie.v1.nodes.placed', () => {})
    await expect(node.request('aerie.v1.node.b.ask.x', Buffer.from('?'), { timeoutMs: 2_000 })).rejects.toThrow()
    await until(async () => lines.length > 1)
    expect(logged()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^NATS does not let this node subscribe to aerie\.v1\.nodes\.>; /),
        expect.stringMatching(/^NATS does not let this node subscribe to _INBOX\.[\w-]+\.\*; /),
      ]),
    )
  })
})

const withFiles = (config: string) =>
  config.replaceAll('/etc/nats/fullchain.pem', certificate.cert).replaceAll('/etc/nats/privkey.pem', certificate.key)

test('with the TLS of the page nothing goes in the clear', async () => {
  const server = await serve([...withoutListen(users!), withFiles(tls!)])
  const url = `tls://nodes:change-me-nodes@localhost:${server.port}`
  const node = await joinAs({ url, tls: { caFile: certificate.cert }, name: 'a' })
  const pilot = await listen(server, {
    ...PILOT,
    servers: `localhost:${server.port}`,
    tls: { caFile: certificate.cert },
  })
  expect(pilot.info?.tls_required).toBe(true)
  const { heard } = heardAt(pilot, 'aerie.v1.scene.pilot.*')
  await pilot.flush()
  publisherOn(node).publishAll('{}')
  await until(async () => heard.length === 1)
  // A certificate of nobody that we trust.
  await expect(listen(server, { ...PILOT, servers: `localhost:${server.port}`, tls: {} })).rejects.toThrow()
})

test('a box sends over the line what somebody listens to, and nothing else', async () => {
  const [leafPort, monitorPort] = [await freePort(), await freePort()]
  const centre = await serve([
    ...withoutListen(users!),
    withFiles(hub!).replace('0.0.0.0:7422', `127.0.0.1:${leafPort}`),
    `http: "127.0.0.1:${monitorPort}"`,
  ])
  const remote = box!
    .replace('nats.example.org:7422', `localhost:${leafPort}`)
    .replace(/" }$/m, `", tls: { ca_file: "${certificate.cert}" } }`)
  const onBox = await serve(withoutListen(remote))
  const leaf = async () => {
    const { leafs } = (await (await fetch(`http://127.0.0.1:${monitorPort}/leafz`)).json()) as {
      leafs?: { in_msgs: number }[]
    }
    return leafs?.[0]
  }
  await until(async () => (await leaf()) !== undefined)
  const node = await joinAs({ url: onBox.url, name: 'box' })
  const other = await joinAs({ url: nodeUrl(centre), name: 'a' })
  const publisher = publisherOn(node)

  // Nodes reach each other through it.
  other.subscribe('aerie.v1.node.a.ask.x', ({ respond }) => respond(Buffer.from('yes')))
  await until(async () => {
    const answer = node.request('aerie.v1.node.a.ask.x', Buffer.from('?'), { timeoutMs: 2_000 })
    return (await answer.catch(() => undefined)) !== undefined
  })
  const pilot = await listen(centre)
  const notifications = heardAt(pilot, `aerie.v1.notification.pilot.>`)
  await until(async () => {
    publisher.publishAll('{}')
    return notifications.heard.length > 0
  })
  const before = (await leaf())!.in_msgs
  for (let i = 0; i < 500; i++) publisher.publishScene!({ accountId: 'pilot', processId: MINE }, '{}')
  const heardBefore = notifications.heard.length
  publisher.publishNotification!({ accountId: 'pilot', processId: MINE }, 'new-tracks', '{}')
  await until(async () => notifications.heard.length > heardBefore)
  expect((await leaf())!.in_msgs - before).toBeLessThan(20)

  const scenes = heardAt(pilot, 'aerie.v1.scene.pilot.*')
  await until(async () => {
    publisher.publishScene!({ accountId: 'pilot', processId: MINE }, '{}')
    return scenes.heard.length > 0
  })
})

test('what somebody makes up who has a node’s user is ignored by the nodes, and cannot be read by it', async () => {
  const server = await serve(withoutListen(users!))
  const bus = await joinAs({ url: nodeUrl(server), name: 'a' })
  const log = createLog({ level: 'warn', write: (line) => void lines.push(JSON.parse(line)) })
  const exchange = createExchange({
    bus,
    node: { id: 'a', epoch: 1 },
    secret: 'of the service',
    clock: systemClock,
    log,
  })
  const told: unknown[] = []
  const topic = { name: 'placed', schema: { safeParse: (data: unknown) => ({ data }) } } as never
  exchange.subscribe(topic, (message) => told.push(message))
  const intruder = await listen(server, NODES)
  const read: string[] = []
  intruder.subscribe('aerie.v1.nodes.>', {
    callback: (_, message) => void read.push(Buffer.from(message.data).toString('latin1')),
  })
  await intruder.flush()
  await until(async () => {
    intruder.publish('aerie.v1.nodes.placed', JSON.stringify({ from: 'b', at: Date.now(), message: ['a'] }))
    exchange.publish(topic, 'a secret of the nodes' as never)
    return (
      lines.some(({ msg }) => msg === 'a message between nodes is ignored') &&
      read.some((text) => !text.startsWith('{'))
    )
  })
  expect(told).toEqual([])
  expect(read.join('')).not.toContain('a secret of the nodes')
})

test('a reload ends the connection of a user who was removed, and no other', async () => {
  const server = await serve(withoutListen(users!))
  const [node, pilot] = [await joinAs({ url: nodeUrl(server), name: 'a' }), await listen(server)]
  const changes: boolean[] = []
  node.onConnection((isConnected) => changes.push(isConnected))
  const gone = pilot.closed()
  server.reload(withoutListen(users!.replace(/ {4}\{\n {6}# a program.*?\n {4}\}\n/s, '')))
  await gone
  await expect(listen(server)).rejects.toThrow(/Authorization/i)
  expect([node.isConnected, changes]).toEqual([true, []])
})
