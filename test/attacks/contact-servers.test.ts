/**
 * Whoever has a key names the mail server, the ntfy and the Bot API server that the service calls: one that says nothing, says it slowly,
 * never ends or breaks its promises holds neither connections nor memory, and keeps nobody else's messages.
 */
import { type Socket } from 'node:net'
import { type Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type AttackedService, createChild, startAttacked } from '../support/attacked-service.ts'
import { createBodyReceiver } from '../support/body-receiver.ts'
import { createMailServer } from '../support/mail-server.ts'
import { createTcpServer } from '../support/tcp-server.ts'
import { until } from '../support/until.ts'

interface Tested {
  readonly delivered: boolean
  readonly problem: string | null
}

/** Thirty seconds for a message, and what a busy machine adds to them. */
const GIVEN_UP_WITHIN_MS = 45_000

let service: AttackedService
let children = 0
beforeAll(async () => void (service = await startAttacked({ AERIE_OUTBOUND_ALLOW: '127.0.0.1/32' })))
afterAll(() => service.installation.remove())

/** Of somebody new each time, whose tests do not wait for those of others. */
async function addContact(type: string, config: object) {
  const key = await createChild(service, `eve${++children}`)
  const answer = await service.call('POST', '/contact', { key, body: { alias: 'x', type, config } })
  expect(answer.status, await answer.clone().text()).toBe(201)
  const { contact_uuid: id } = (await answer.json()) as { contact_uuid: string }
  return async (): Promise<Tested> =>
    (await (await service.call('POST', `/contact/${id}/test`, { key })).json()) as Tested
}

const mailTo = (port: number, change: object = {}) =>
  addContact('email', {
    host: '127.0.0.1',
    port,
    security: 'none',
    from: 'aerie@example.org',
    to: ['guard@example.org'],
    ...change,
  })

/** The same over and over, as fast as it is taken. */
function repeat(to: Writable, text: string): void {
  const more = () => void (to.destroyed || to.write(text.repeat(4_096), () => setImmediate(more)))
  more()
}

/** A byte each tenth of a second: each line in time, and no end of them. */
function drip(socket: Socket, text: string): void {
  let sent = 0
  const timer = setInterval(() => void socket.write(text[sent++ % text.length]!), 100)
  socket.once('close', () => clearInterval(timer))
}

/** Answers each command, but the one that it is asked for otherwise. */
function speak(socket: Socket, extensions: string, answers: Readonly<Record<string, () => void>>): void {
  socket.write('220 hostile\r\n')
  socket.on('data', (chunk: Buffer) => {
    const [verb = ''] = chunk.toString().split(/[\s:]/)
    const answer = answers[verb]
    if (answer) return answer()
    socket.write(verb === 'EHLO' ? `250-hostile\r\n250 ${extensions}\r\n` : '250 ok\r\n')
  })
}

const habits: readonly [name: string, habit: (socket: Socket) => void, change: object, sentence: RegExp][] = [
  ['says nothing', () => {}, {}, /timed out|SMTP/],
  ['greets byte by byte', (socket) => drip(socket, '2'), {}, /timed out/],
  ['answers byte by byte', (socket) => speak(socket, '', { EHLO: () => drip(socket, '250-x\r\n') }), {}, /not taken within 30 s/],
  ['greets without an end', (socket) => repeat(socket, '220-hostile\r\n'), {}, /does not speak SMTP/],
  ['greets in one line that has no end', (socket) => repeat(socket, 'x'), {}, /does not speak SMTP/],
  ['answers what nobody asked', (socket) => repeat(socket, '550 no\r\n'), {}, /550|does not speak SMTP/],
  ['refuses TLS after it offered it', (socket) => speak(socket, 'STARTTLS', { STARTTLS: () => socket.write('454 not now\r\n') }), { security: 'starttls' }, /STARTTLS|454/],
  ['promises TLS and goes on without', (socket) => speak(socket, 'STARTTLS', { STARTTLS: () => socket.write('220 go\r\n250 PLAIN\r\n') }), { security: 'starttls', username: 'u', password: 'never-in-the-clear' }, /TLS|SMTP/],
  ['ends when the mail comes', (socket) => speak(socket, 'OK', { DATA: () => socket.destroy() }), {}, /./],
  ['takes the mail and says nothing', (socket) => speak(socket, 'OK', { DATA: () => socket.write('354 go\r\n') && socket.removeAllListeners('data').resume() }), {}, /timed out|SMTP|not taken/],
] // prettier-ignore

describe('a mail server that', () => {
  test.concurrent.for(habits)('%s is given up, with a sentence', async (attack, { expect, onTestFinished }) => {
    const [, habit, change, sentence] = attack
    const heard: Buffer[] = []
    const server = await createTcpServer((socket) => {
      socket.on('data', (chunk) => heard.push(chunk))
      habit(socket)
    })
    onTestFinished(() => server.close())
    const send = await mailTo(server.port, change)
    const startedAt = performance.now()
    const { delivered, problem } = await send()
    expect(performance.now() - startedAt).toBeLessThan(GIVEN_UP_WITHIN_MS)
    expect(delivered).toBe(false)
    expect(problem).toMatch(sentence)
    expect(problem).not.toMatch(/hostile|never-in-the-clear/)
    expect(Buffer.concat(heard).toString('latin1')).not.toMatch(/never-in-the-clear|bmV2ZXItaW4tdGhlLWNsZWFy/)
    // Nothing is held for a server that nobody waits for.
    await until(async () => server.openCount === 0, 10_000)
  })

  test.concurrent('says nothing keeps nobody else’s mail', async ({ expect, onTestFinished }) => {
    const silent = await createTcpServer(() => {})
    const honest = await createMailServer()
    onTestFinished(async () => void (await Promise.all([silent.close(), honest.close()])))
    const stuck = Promise.all(Array.from({ length: 20 }, async () => (await mailTo(silent.port))()))
    await until(async () => silent.sockets.length === 20)
    expect(await (await mailTo(honest.port))()).toEqual({ delivered: true, problem: null })
    expect(silent.openCount).toBeGreaterThan(0)
    await stuck
  })
})

describe('an answer without an end', () => {
  const token = `123456:${'A'.repeat(35)}`
  const kinds = {
    ntfy: (url: string) => addContact('ntfy', { server: url, topic: 'yard' }),
    telegram: (url: string) => addContact('telegram', { api_url: url, bot_token: token, chat_id: '1' }),
  }
  test.concurrent.for(
    Object.entries(kinds).flatMap(([type, add]) => [200, 500].map((status) => [type, status, add] as const)),
  )('of %s, by %i, is not read to it', async ([, status, add], { expect, onTestFinished }) => {
    const server = await createBodyReceiver()
    onTestFinished(() => server.close())
    let isOpen = true
    server.answerBy((_call, response) => {
      response.writeHead(status)
      response.on('close', () => (isOpen = false))
      repeat(response, 'what is inside ')
    })
    const startedAt = performance.now()
    const { delivered, problem } = await (await add(server.url))()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(delivered).toBe(status === 200)
    expect(problem ?? '').not.toMatch(/inside|AAAA/)
    await until(async () => !isOpen, 10_000)
  })

  test('is none that a redirect leads to', async () => {
    const [server, inner] = [await createBodyReceiver(), await createBodyReceiver()]
    onTestFinished(async () => void (await Promise.all([server.close(), inner.close()])))
    server.answerBy((_call, response) => void response.writeHead(307, { location: inner.url }).end())
    for (const add of Object.values(kinds))
      expect(await (await add(server.url))()).toMatchObject({ delivered: false, problem: expect.stringMatching(/307/) })
    expect([server.calls.length, inner.calls.length]).toEqual([2, 0])
  })
})
