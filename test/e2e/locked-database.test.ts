import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OutboundMessage } from '../../src/core/outbound-message.ts'
import { type AlertListener, listenToAlerts } from '../support/alert-listener.ts'
import { createHttpReceiver, type HttpReceiver, type ReceivedCall } from '../support/http-receiver.ts'
import { createMosquitto, type Mosquitto, rememberingIn } from '../support/mosquitto.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { lockSqlite } from '../support/sqlite-lock.ts'
import { readGatheredTracks, readSpoolOnDisk } from '../support/spool-on-disk.ts'
import { until } from '../support/until.ts'

const LOCKED_MS = 10_000
const KILLED_AFTER_MS = 6_000

let rig: ProcessRig
let broker: Mosquitto
let receiver: HttpReceiver
let listener: AlertListener
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-locked-'))
  rig = await createProcessRig()
  broker = await createMosquitto(rememberingIn(folder))
  receiver = await createHttpReceiver()
  listener = await listenToAlerts(broker.port, 'site/#')
})
afterAll(async () => {
  await listener.close()
  await rig.remove()
  await broker.remove()
  await receiver.close()
  rmSync(folder, { recursive: true, force: true })
})

const idOf = ({ headers }: ReceivedCall) => headers['webhook-id'] as string
const callsTo = (path: string) => receiver.calls.filter((call) => call.path === path)
const urlOf = (path: string) => `http://127.0.0.1:${receiver.port}${path}`
const tracksIn = (body: string) =>
  (JSON.parse(body) as { detections?: { id: number }[] }).detections?.map(({ id }) => id) ?? []
interface Track {
  readonly track_id: number
}
const trackIdOf = (track: Track) => track.track_id
const numberOf = ({ id }: OutboundMessage) => Number(id.split(':').at(-1))
const inSpool = () => readSpoolOnDisk<OutboundMessage>(rig.installation.dataDir, 'message')

async function register(type: string, trigger: object): Promise<string> {
  const output = [
    { type: 'mqtt', config: { host: `127.0.0.1:${broker.port}`, topic: `site/${type}` } },
    { type: 'webhook', config: { url: urlOf(`/${type}`) } },
  ]
  return (await rig.ask<{ uuid: string }>('POST', '/alert', { body: { alias: type, type, trigger, output } })).uuid
}

/** As a listener to the broker knows it, which hears no id. */
const nameOf = ({ id, destination }: OutboundMessage) =>
  destination.kind === 'mqtt' ? id.replace(/:[0-9a-f]+:(\d+)$/, ':mqtt:$1') : id
const arrived = () =>
  new Set([
    ...receiver.calls.map(idOf),
    ...listener.heard.map((one) => `alert:${one.alert_uuid}:${one.process_uuid}:mqtt:${one.sequence}`),
  ])

test('another program locks the database for 10 s, and the service is killed meanwhile: all arrives, in order', async () => {
  const follow = await register('follow-track', { interval_seconds: 0.2 })
  const search = await register('filter-search', { for_seconds: 0, cooldown_seconds: 0 })
  const { sourceId } = await rig.goLive('locked')
  const started = await rig.start(sourceId)
  const { process_uuid: id } = started
  const socket = await rig.connect(started)
  for (const [event_type, path, backoff_seconds] of [
    ['new-tracks', '/new-tracks', 0],
    ['target-count', '/target-count', 0],
    ['new-tracks', '/gathered', 2],
  ] as const)
    await rig.ask('POST', `/subscribe/${id}`, {
      body: { notification_url: urlOf(path), event_type, notifier_policy_args: { backoff_seconds } },
    })
  await listener.first(follow, ({ event }) => event === 'update')
  await until(async () => callsTo('/gathered').length > 0 && callsTo('/target-count').length > 0)
  const spoolBytes = () => statSync(join(rig.installation.dataDir, 'delivery.spool'), { throwIfNoEntry: false })?.size
  await until(async () => spoolBytes() !== undefined)

  const lock = await lockSqlite(join(rig.installation.dataDir, 'aerie.db'))
  const lockedAt = Date.now()
  await sleep(KILLED_AFTER_MS)
  await socket.more(5)
  const seen = new Set(socket.messages.flatMap(({ active_tracks: tracks }) => tracks.map(trackIdOf)))
  const isOnDisk = async () => {
    const bodies = [...callsTo('/new-tracks'), ...(await inSpool())].map(({ body }) => body)
    const reported = new Set(bodies.flatMap(tracksIn))
    const gathered = callsTo('/gathered').flatMap(({ body }) => tracksIn(body))
    const kept = new Set([...gathered, ...(await readGatheredTracks(rig.installation.dataDir, urlOf('/gathered')))])
    return [...seen].every((track) => reported.has(track) && kept.has(track))
  }
  await until(isOnDisk, 10_000)
  await rig.service.stop('SIGKILL')
  const promised = await inSpool()
  expect(promised.length).toBeGreaterThan(10)
  await sleep(Math.max(0, lockedAt + LOCKED_MS - Date.now()))
  lock.release()
  await rig.restart()
  rig.publish('locked')
  await rig.untilState(id, 'running', 20_000)

  const missing = () => promised.map(nameOf).filter((one) => !arrived().has(one))
  await until(async () => missing().length === 0, 20_000).catch(() => expect(missing()).toEqual([]))
  const gathered = () => new Set(callsTo('/gathered').flatMap(({ body }) => tracksIn(body)))
  await until(async () => [...seen].every((track) => gathered().has(track)), 20_000)
  expect(await inSpool()).toEqual([])

  // What was seen in the outage is among it.
  const inOutage = listener.of(follow).filter(({ timestamp }) => {
    const atMs = Date.parse(timestamp)
    return atMs > lockedAt && atMs < lockedAt + KILLED_AFTER_MS
  })
  expect(inOutage.length).toBeGreaterThan(5)
  for (const path of ['/new-tracks', '/target-count', '/gathered']) {
    const ids = [...new Set(callsTo(path).map(idOf))]
    expect(ids, path).toEqual([...ids].sort())
  }
  for (const alert of [follow, search]) {
    const numbers = [...new Set(listener.of(alert).map(({ sequence }) => sequence))]
    expect(numbers).toEqual([...numbers].sort((one, other) => one - other))
    // Up to the kill there is no hole; after it numbers go on with the next hundred.
    const last = Math.max(...promised.filter((one) => one.channel.includes(alert)).map(numberOf))
    expect(numbers.slice(0, last)).toEqual(Array.from({ length: last }, (_, index) => index + 1))
  }
  const found = new Set(listener.of(search).flatMap(({ data }) => (data.tracks as Track[]).map(trackIdOf)))
  expect([...seen].filter((track) => !found.has(track))).toEqual([])
  for (const one of new Set(receiver.calls.map(idOf)))
    expect(new Set(receiver.calls.filter((call) => idOf(call) === one).map(({ body }) => body)).size).toBe(1)
}, 180_000)
