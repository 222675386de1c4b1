import websocket from '@fastify/websocket'
import fastify, { type FastifyRequest } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectDetections } from '../../test/support/detection-socket.ts'
import { aProcess, aScene } from '../../test/builders/process.ts'
import { until } from '../../test/support/until.ts'
import { type Account } from '../core/account.ts'
import { createDeferred } from '../core/deferred.ts'
import { AppError } from '../core/errors.ts'
import { createDetectionChannel, type DetectionChannel } from './detection-channel.ts'
import { detectionRoutes } from './detection.routes.ts'
import { type Process } from './process.ts'

const process = aProcess({ state: 'running' })
/** Large, so that what lies in the sockets' own buffers is soon full. */
const crowd = aScene({ ids: Array.from({ length: 200 }, (_, index) => index + 1) })
const messages = 1_500
vi.setConfig({ testTimeout: 20_000 })

let app: ReturnType<typeof fastify>
let channel: DetectionChannel
let host: string
let find: (processId: string) => Promise<Process>
let stateOf: (processId: string) => Process['state'] | undefined
let ownerLookups: number
let isOfOthers: boolean
let heldRights: (() => Promise<unknown>)[]
beforeEach(async () => {
  channel = createDetectionChannel()
  find = async () => process
  stateOf = () => process.state
  ownerLookups = 0
  isOfOthers = false
  heldRights = []
  app = fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('account')
  app.addHook('onRequest', async (request: FastifyRequest) => void (request.account = { id: 'guard' } as Account))
  app.decorateRequest('holdRight', (ask: () => Promise<unknown>) => void heldRights.push(ask))
  await app.register(websocket)
  await app.register(
    detectionRoutes({
      processes: { find: (_account, id) => find(id), stateOf: (id) => stateOf(id) },
      channel,
      seen: {
        async ownerOf(_caller, _processId, _right, username) {
          if (username !== undefined) ownerLookups += 1
          return { owner: {} as Account, isOfOthers: username === undefined && isOfOthers }
        },
      },
    }),
  )
  await app.listen({ port: 0, host: '127.0.0.1' })
  host = `127.0.0.1:${(app.server.address() as AddressInfo).port}/process/${process.id}`
})
afterEach(async () => {
  app.server.closeAllConnections()
  await app.close()
})

/** A slow client reads none of it until all is said. */
async function sendAll(): Promise<void> {
  for (let sent = 0; sent < messages; sent++) {
    channel.onScene(process, crowd)
    if (sent % 10 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

function expectOneGap(sequences: readonly number[]): void {
  const gaps = sequences.slice(1).filter((sequence, index) => sequence > sequences[index]! + 1)
  expect(gaps).toHaveLength(1)
  expect(sequences.at(-1)).toBe(messages)
  expect(sequences.length).toBeGreaterThanOrEqual(300)
}

test('a websocket that takes nothing loses the oldest messages, and gets the newest when it reads again', async () => {
  const socket = await connectDetections(`ws://${host}/detection_data`)
  socket.stall()
  await sendAll()
  socket.goOn()
  await until(async () => socket.messages.at(-1)?.sequence === messages)
  expectOneGap(socket.messages.map(({ sequence }) => sequence))
  channel.onEnd({ ...process, state: 'finished' })
  expect(await socket.closed).toBe('process finished')
})

test('so does a client of the events', async () => {
  const response = await new Promise<IncomingMessage>((resolve) => get(`http://${host}/events`, resolve))
  await sendAll()
  channel.onEnd({ ...process, state: 'finished' })
  let text = ''
  for await (const chunk of response) text += String(chunk)
  const events = text.split('\n\n').filter(Boolean)
  expect(events.pop()).toBe(`event: end\ndata: {"process_uuid":"${process.id}","state":"finished"}`)
  expectOneGap(events.map((event) => Number(/^id: (\d+)/.exec(event)![1])))
})

test.each([
  ['', []],
  ['?with=alerts', ['alert']],
  ['?with=telemetry,alerts', ['alert', 'telemetry']],
])('events with "%s" have what was asked for beside what is seen', async (query, extras) => {
  const response = await new Promise<IncomingMessage>((resolve) => get(`http://${host}/events${query}`, resolve))
  const about = {
    alert_uuid: 'alert',
    alias: 'gate',
    type: 'filter-search',
    source_uuid: 'cam',
    at: 'now',
    track_ids: [1],
  }
  channel.onAlert({ ...about, event_uuid: 'event', event: 'found', process_uuid: process.id })
  channel.onTelemetry({ process_uuid: process.id, age_ms: 7, timestamp: 1, altitude: 30 }, 1)
  channel.onScene(process, aScene())
  channel.onEnd({ ...process, state: 'finished' })
  let text = ''
  for await (const chunk of response) text += String(chunk)
  expect([...text.matchAll(/^event: (.*)$/gm)].map(([, name]) => name)).toEqual([...extras, 'end'])
  expect(text.match(/^id: /gm)).toHaveLength(1)
  if (extras.includes('telemetry'))
    expect(text).toContain(`data: {"process_uuid":"${process.id}","age_ms":7,"timestamp":1,"altitude":30}`)
})

test('what cannot be sent beside is refused', async () => {
  const { statusCode } = await new Promise<IncomingMessage>((resolve) => get(`http://${host}/events?with=all`, resolve))
  expect(statusCode).toBe(400)
})

/** Asks, and is gone before the process is found. */
async function askAndLeave(path: string, headers: string): Promise<void> {
  const asked = createDeferred()
  const found = createDeferred()
  find = async () => {
    asked.resolve()
    await found.promise
    return process
  }
  const [address, ...rest] = host.split('/')
  const left = new Promise((resolve) =>
    app.server.once('connection', (socket: Socket) => socket.once('close', resolve)),
  )
  const client = connect(Number(address!.split(':')[1]), '127.0.0.1')
  client.write(`GET /${rest.join('/')}/${path} HTTP/1.1\r\nhost: here\r\n${headers}\r\n`)
  await asked.promise
  client.resetAndDestroy()
  await left
  find = async () => process
  found.resolve()
  await new Promise((resolve) => setImmediate(resolve))
}

test('who leaves before the process is found takes no place', async () => {
  await askAndLeave(
    'detection_data',
    'connection: upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==\r\n',
  )
  const socket = await connectDetections(`ws://${host}/detection_data`)
  expect(channel.countClients(process.id)).toBe(1)
  channel.onEnd({ ...process, state: 'finished' })
  expect(await socket.closed).toBe('process finished')
})

test('a client that leaves before the process is found gets no events', async () => {
  await askAndLeave('events', '')
  expect(channel.countClients(process.id)).toBe(0)
})

test('several processes of one owner are sent over one connection, which ends with the last of them', async () => {
  const other = aProcess({ state: 'running' })
  const processes = [process, other]
  find = async (id) => (id === other.id ? other : process)
  const origin = `http://${host.split('/')[0]}`
  const ids = processes.map(({ id }) => id).join(',')
  const url = `${origin}/processes/events?username=bob&process_uuids=${ids}`
  const response = await fetch(url)
  await until(async () => channel.countClients(other.id) === 1)
  expect(ownerLookups).toBe(1)
  for (const one of processes) channel.onScene(one, aScene({ ids: [1] }))
  channel.onEnd({ ...process, state: 'finished' })
  channel.onScene(other, aScene({ ids: [1] }))
  channel.onEnd({ ...other, state: 'stopped' })
  const events = (await response.text())
    .split('\n\n')
    .filter(Boolean)
    .map((event) => [event.startsWith('event: end'), /"process_uuid":"([^"]+)"/.exec(event)![1]])
  expect(events).toEqual([
    [false, process.id],
    [false, other.id],
    [true, process.id],
    [false, other.id],
    [true, other.id],
  ])
})

test('one that ends while the next one is looked up is said to have ended, and the connection ends with the other', async () => {
  const other = aProcess({ state: 'running' })
  const ended = { ...process, state: 'finished' as const }
  const current = new Map<string, Process>([process, other].map((one) => [one.id, one]))
  stateOf = (id) => (current.get(id) === ended ? undefined : 'running')
  find = async (id) => {
    if (id === other.id && current.get(process.id) !== ended) {
      current.set(process.id, ended)
      channel.onEnd(ended)
    }
    return current.get(id)!
  }
  const origin = `http://${host.split('/')[0]}`
  const response = await fetch(`${origin}/processes/events?process_uuids=${process.id},${other.id}`)
  await until(async () => channel.countClients(other.id) === 1)
  channel.onEnd({ ...other, state: 'stopped' })
  const states = [...(await response.text()).matchAll(/^event: end\ndata: (.*)$/gm)].map(([, data]) => data)
  expect(states).toEqual([
    `{"process_uuid":"${process.id}","state":"finished"}`,
    `{"process_uuid":"${other.id}","state":"stopped"}`,
  ])
  await until(async () => channel.countAudiences() === 0)
})

test('a process that ends after it was looked up ends its events, and closes its websocket', async () => {
  let looks = 0
  // Its last state is there before it is written.
  stateOf = () => 'finished'
  find = async () => (looks++ === 0 ? process : { ...process, state: 'finished' })
  const response = await fetch(`http://${host}/events`)
  expect(await response.text()).toBe(`event: end\ndata: {"process_uuid":"${process.id}","state":"finished"}\n\n`)

  find = async () => process
  const socket = await connectDetections(`ws://${host}/detection_data`)
  expect(await socket.closed).toBe('process ended')
  await until(async () => channel.countAudiences() === 0)
})

test('events break off when it cannot be found out whether their process has ended', async () => {
  let looks = 0
  stateOf = () => undefined
  find = async () => {
    if (looks++ > 0) throw new Error('The database is away.')
    return process
  }
  const response = await fetch(`http://${host}/events`)
  await expect(response.text()).rejects.toThrow('terminated')
})

test('few minutes are a warning once, and again after more were added, however few remain then', async () => {
  const response = await fetch(`http://${host}/events`)
  const low = { accountId: process.accountId, processIds: [process.id], lastsSeconds: 600 }
  const looks = [
    { remainingSeconds: 600, allottedSeconds: 6_000 },
    { remainingSeconds: 590, allottedSeconds: 6_000 },
    { remainingSeconds: 590, allottedSeconds: 12_000 },
    { remainingSeconds: -70, allottedSeconds: 12_000 },
  ]
  for (const look of looks) channel.onMinutesLow({ ...low, ...look })
  channel.onEnd({ ...process, state: 'finished' })
  const warnings = (await response.text()).match(/^event: minutes-low$/gm)
  expect(warnings).toHaveLength(2)
})

test('how it goes with a process stands between its events, as one of another kind', async () => {
  const response = await fetch(`http://${host}/events`)
  await until(async () => channel.countClients(process.id) === 1)
  const status = {
    process_uuid: process.id,
    state: 'running' as const,
    problem: 'Telemetry: No message for 6 s.',
    last_frame_at: null,
    last_frame_age_ms: 40,
    last_telemetry_age_ms: 6_000,
  }
  channel.onStatus(status, 'telemetry-silent')
  channel.onEnd({ ...process, state: 'finished' })
  expect((await response.text()).split('\n\n')[0]).toBe(`event: status\ndata: ${JSON.stringify(status)}`)
})

test.each(['', 'x', `${process.id},nobody`])('processes that are none are refused: %j', async (ids) => {
  const response = await fetch(`http://${host.split('/')[0]}/processes/events?process_uuids=${ids}`)
  expect(response.status).toBe(400)
})

test('who was given the right to events does not learn how the source is connected, and keeps asking for the right', async () => {
  isOfOthers = true
  const response = await fetch(`http://${host}/events`)
  await until(async () => channel.countClients(process.id) === 1)
  expect(heldRights).toHaveLength(1)
  await heldRights[0]!()
  find = async () => Promise.reject(new AppError('process-not-found', { process_uuid: process.id }))
  await expect(heldRights[0]!()).rejects.toMatchObject({ code: 'process-not-found' })
  channel.onScene({ ...process, sourceUrl: 'rtsp://camera.local/a"b\\' }, aScene({ ids: [1] }))
  const health = { last_frame_at: null, last_frame_age_ms: null, last_telemetry_age_ms: null }
  channel.onStatus(
    { process_uuid: process.id, state: 'running', problem: 'camera.local does not answer.', ...health },
    'lost',
  )
  const low = { accountId: process.accountId, processIds: [process.id], lastsSeconds: 600 }
  channel.onMinutesLow({ ...low, remainingSeconds: 590, allottedSeconds: 6_000 })
  channel.onEnd({ ...process, state: 'finished' })
  const events = (await response.text()).split('\n\n').filter(Boolean)
  expect(events.map((event) => event.split('\n')[0])).toEqual(['id: 1', 'event: status', 'event: end'])
  expect(JSON.parse(events[0]!.split('data: ')[1]!)).toMatchObject({ source_uri: '', process_uuid: process.id })
  expect(events.join()).not.toContain('camera.local')
})

test('who was given a right takes nobody else’s place at the websocket', async () => {
  const own = await connectDetections(`ws://${host}/detection_data`)
  isOfOthers = true
  const others = await connectDetections(`ws://${host}/detection_data`)
  channel.onScene(process, aScene({ ids: [1] }))
  await until(async () => own.messages.length === 1 && others.messages.length === 1)
  expect(own.messages[0]!.source_uri).not.toBe('')
  expect(others.messages[0]!.source_uri).toBe('')
})
