/** Programs that listen on the NATS of a service of two nodes, with rights to one account each. */
import { type NatsConnection } from '@nats-io/nats-core'
import { connect } from '@nats-io/transport-node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DetectionMessage } from '../../src/processes/detection-message.ts'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { type Started } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

const programOf = (username: string) => ({
  user: username,
  password: 'listening',
  permissions: {
    publish: { deny: '>' },
    subscribe: [`aerie.v1.scene.${username}.>`, `aerie.v1.notification.${username}.>`],
  },
})
const node = {
  user: 'nodes',
  password: 'speaking',
  permissions: { publish: ['aerie.v1.>', '_INBOX.>'], subscribe: ['aerie.v1.>', '_INBOX.>'] },
}
const authorization = `authorization: ${JSON.stringify({ users: [node, programOf('admin'), programOf('others')] })}`

let cluster: NodeCluster
const programs: NatsConnection[] = []
beforeAll(async () => {
  const settings = { AERIE_NATS_PUBLISH: 'scenes,notifications' }
  cluster = await createNodeCluster(['a', 'b'], settings, { nats: [authorization], natsLogin: 'nodes:speaking' })
})
afterAll(async () => {
  for (const program of programs) await program.close()
  await cluster.remove()
})

interface Heard {
  readonly subject: string
  readonly message: { readonly sequence: number; readonly type: string; readonly state?: string }
}

/** What a program hears of an account, and what it is refused. */
async function listen(user: string, username: string) {
  const heard: Heard[] = []
  const refused: string[] = []
  const program = await connect({ servers: cluster.nats.url, user, pass: 'listening' })
  programs.push(program)
  for (const kind of ['scene', 'notification'])
    program.subscribe(`aerie.v1.${kind}.${username}.>`, {
      callback: (error, message) => {
        if (error) refused.push(error.name)
        else heard.push({ subject: message.subject, message: message.json() })
      },
    })
  await program.flush()
  return { heard, refused }
}

async function published(name: string): Promise<Record<string, number>> {
  const text = await (await cluster.node(name).call('GET', '/metrics')).text()
  const lines = [...text.matchAll(/^aerie_nats_published\{kind="(\w+)",outcome="(\w+)"\} (\d+)$/gm)]
  return Object.fromEntries(lines.map(([, kind, outcome, value]) => [`${kind} ${outcome}`, Number(value)]))
}

test('a program hears what the processes of its account see and what is notified of it, and nothing of others', async () => {
  const [own, stranger, empty] = [
    await listen('admin', 'admin'),
    await listen('others', 'admin'),
    await listen('others', 'others'),
  ]
  const { sourceId } = await cluster.goLive('a', 'heard')
  const b = cluster.node('b')
  const output = [{ type: 'webhook', config: { url: 'http://127.0.0.1:9/nobody' } }]
  await b.ask('POST', '/alert', {
    body: { alias: 'people', type: 'filter-search', filter: { classes: ['person'] }, output },
  })
  const started = await b.ask<Started>('POST', `/start?source_uuid=${sourceId}`)
  const { process_uuid: id } = started
  const socket = await b.connect(started)
  await socket.more(10)

  const scenes = () => own.heard.filter(({ subject }) => subject === `aerie.v1.scene.admin.${id}`)
  const sceneNumbered = (sequence: number) => scenes().find(({ message }) => message.sequence === sequence)?.message
  const { sequence } = socket.messages.at(-1)!
  await until(async () => sceneNumbered(sequence) !== undefined)
  for (const message of socket.messages.slice(0, 10)) {
    expect(DetectionMessage.safeParse(message).error).toBeUndefined()
    expect(sceneNumbered(message.sequence)).toEqual(message)
  }

  const notified = (type: string) =>
    own.heard.filter(({ subject }) => subject === `aerie.v1.notification.admin.${id}.${type}`)
  await until(async () => notified('new-tracks').length > 0 && notified('filter-search').length > 0, 30_000)
  await b.ask('POST', `/process/${id}/stop`)
  await until(async () => notified('process-state').some(({ message }) => message.state === 'stopped'))
  for (const type of ['new-tracks', 'filter-search', 'process-state'])
    expect(new Set(notified(type).map(({ message }) => message.type))).toEqual(new Set([type]))
  const alerts = notified('filter-search').map(({ message }) => message.sequence)
  expect(new Set(alerts).size).toBe(alerts.length)

  expect(stranger).toEqual({ heard: [], refused: ['PermissionViolationError', 'PermissionViolationError'] })
  expect(empty).toEqual({ heard: [], refused: [] })
  // The node that runs it publishes it, whichever was asked.
  expect(await published('a')).toMatchObject({ 'scenes sent': scenes().length, 'scenes dropped': 0 })
  expect(await published('b')).toMatchObject({ 'scenes sent': 0, 'notifications sent': 0 })
  for (const name of ['a', 'b']) expect(cluster.node(name).service.stderr()).not.toMatch(/NATS does not let/)
})
