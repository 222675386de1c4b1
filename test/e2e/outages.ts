import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'libsql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AlertListener, listenToAlerts, type Notification } from '../support/alert-listener.ts'
import { type Answering, createHttpReceiver, type HttpReceiver, type ReceivedCall } from '../support/http-receiver.ts'
import { createMosquitto, type Mosquitto, rememberingIn } from '../support/mosquitto.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

const AWAY_MS = 30_000
/** So many numbers are set aside on the disk at a time, and skipped when the service is killed. */
const SEQUENCES_AT_ONCE = 100

let rig: ProcessRig
let broker: Mosquitto
let folder: string
let listener: AlertListener
const receivers: HttpReceiver[] = []
const idOf = ({ headers }: ReceivedCall) => headers['webhook-id'] as string
const bodyOf = ({ body }: ReceivedCall) =>
  JSON.parse(body) as { type: string; state?: string; sequence?: number; detections?: { id: number }[] }
const calls = () => receivers.flatMap((receiver) => receiver.calls)
const callsOf = (type: string) => calls().filter((call) => bodyOf(call).type === type)

/** Takes the first call of each kind and refuses it all the same, as who crashes over it does: it comes twice. */
function refuseFirst(): Answering {
  const known = new Set<string>()
  return (call, response) => {
    const { type } = bodyOf(call)
    response.writeHead(known.has(type) ? 204 : 503).end()
    known.add(type)
  }
}

async function leave(): Promise<void> {
  await Promise.all([broker.kill(), receivers.at(-1)!.close()])
}
async function comeBack(): Promise<void> {
  await broker.start()
  receivers.push(await createHttpReceiver(undefined, receivers.at(-1)!.port))
}

const types = ['new-tracks', 'target-count', 'process-state']

async function register(type: string, output: readonly object[], trigger: object): Promise<string> {
  const body = { alias: type, type, trigger, output }
  return (await rig.ask<{ uuid: string }>('POST', '/alert', { body })).uuid
}
const toBroker = (topic: string) => ({ type: 'mqtt', config: { host: `127.0.0.1:${broker.port}`, topic } })

/** Of everything that was promised at the moment of a power cut, as the disk says. */
function waitingOnDisk(): string[] {
  const db = new Sqlite(join(rig.installation.dataDir, 'aerie.db'), { readonly: true })
  const rows = db.prepare("select id, destination from delivery where state = 'waiting'").all()
  db.close()
  return (rows as { id: string; destination: string }[]).map(({ id, destination }) => {
    const { kind } = JSON.parse(destination) as { kind: string }
    // A listener to the broker hears no id, only whose notification it is and its number.
    return kind === 'mqtt' ? id.replace(/:[0-9a-f]+:(\d+)$/, ':mqtt:$1') : id
  })
}

/** Each number once, by its first arrival: without a hole up to where the service was killed, and without one after it. */
function expectOrdered(sequences: readonly number[]): void {
  const numbers = [...new Set(sequences)]
  const cut = numbers.findIndex((number, index) => number !== index + 1)
  const [before, after] = [numbers.slice(0, cut), numbers.slice(cut)]
  expect(before.length).toBeGreaterThan(SEQUENCES_AT_ONCE)
  // After a crash numbers go on with the next hundred, so that none is used twice.
  expect(after[0]! % SEQUENCES_AT_ONCE).toBe(1)
  expect(after).toEqual(after.map((_, index) => after[0]! + index))
}

/** Beside other tests, on a service of its own: most of its time is waiting. */
export function describeOutages(): void {
  describe.concurrent('outages', () => {
    beforeAll(async () => {
      rig = await createProcessRig()
      folder = mkdtempSync(join(tmpdir(), 'aerie-outages-'))
      broker = await createMosquitto(rememberingIn(folder))
      listener = await listenToAlerts(broker.port, 'site/#')
    })
    afterAll(async () => {
      await listener.close()
      await rig.remove()
      await broker.remove()
      await receivers.at(-1)?.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('broker and receiver are away for 30 s, and again when the service is killed: all arrives, in order', async () => {
      const receiver = await createHttpReceiver(refuseFirst())
      receivers.push(receiver)
      const follow = await register(
        'follow-track',
        [toBroker('site/follow'), { type: 'webhook', config: { url: `http://127.0.0.1:${receiver.port}/follow` } }],
        { interval_seconds: 0.2 },
      )
      const search = await register('filter-search', [toBroker('site/search')], {
        for_seconds: 0,
        cooldown_seconds: 0,
      })
      const { sourceId } = await rig.goLive('outage')
      const started = await rig.start(sourceId)
      const { process_uuid: id } = started
      const socket = await rig.connect(started)
      for (const type of types)
        await rig.ask('POST', `/subscribe/${id}`, {
          body: { notification_url: receiver.url, event_type: type, notifier_policy_args: { backoff_seconds: 0 } },
        })
      await listener.first(follow, ({ event }) => event === 'update')
      const isDoubled = (type: string) => callsOf(type).length > new Set(callsOf(type).map(idOf)).size
      await until(async () => ['new-tracks', 'target-count', 'follow-track'].every(isDoubled), 20_000)

      await leave()
      await sleep(AWAY_MS)
      await comeBack()
      const backAt = Date.now()
      // A busy machine looks less often: the test goes on once the first hundred numbers are used up.
      const isNew = ({ timestamp, sequence }: Notification) =>
        Date.parse(timestamp) > backAt && sequence > SEQUENCES_AT_ONCE
      await listener.first(follow, isNew, 60_000)

      await leave()
      await socket.more(10)
      const seen = new Set(
        socket.messages.flatMap(({ active_tracks: tracks }) => tracks.map((track) => track.track_id)),
      )
      // What was seen as much as half a second ago is on disk.
      await socket.more(4)
      await rig.service.stop('SIGKILL')
      const promised = waitingOnDisk()
      expect(promised.length).toBeGreaterThan(10)
      await comeBack()
      await rig.restart()
      rig.publish('outage')
      await rig.untilState(id, 'running', 20_000)

      const arrived = () =>
        new Set([
          ...calls().map(idOf),
          ...listener.heard.map((one) => `alert:${one.alert_uuid}:${one.process_uuid}:mqtt:${one.sequence}`),
        ])
      await until(async () => {
        const all = arrived()
        return promised.every((one) => all.has(one))
      }, 20_000).catch(() => expect(promised.filter((one) => !arrived().has(one))).toEqual([]))
      const last = Math.max(...listener.of(follow).map(({ sequence }) => sequence))
      await listener.first(follow, ({ sequence }) => sequence > last + 3, 20_000)

      await rig.ask('DELETE', `/process/${id}`)
      const isOver = ({ event, data }: Notification) => event === 'lost' && data.reason === 'process-ended'
      await listener.first(follow, isOver)
      await until(async () => callsOf('process-state').some((call) => bodyOf(call).state === 'stopped'), 10_000)
      let promisedIds: string[] = []
      await until(async () => {
        const path = `/subscriptions/${id}/deliveries?limit=1000`
        const deliveries = await rig.ask<{ webhook_id: string; state: string }[]>('GET', path)
        promisedIds = deliveries.map((one) => one.webhook_id)
        return deliveries.every(({ state }) => state === 'delivered')
      }, 10_000)
      const receivedIds = new Set(calls().map(idOf))
      expect(promisedIds.length).toBeGreaterThan(0)
      expect(promisedIds.filter((one) => !receivedIds.has(one))).toEqual([])
      const reportedTracks = callsOf('new-tracks').flatMap((call) => bodyOf(call).detections!.map((one) => one.id))
      expect([...seen].filter((track) => !reportedTracks.includes(track))).toEqual([])

      for (const type of types) {
        const ids = [...new Set(callsOf(type).map(idOf))]
        expect(ids, type).toEqual([...ids].sort())
      }
      expectOrdered(listener.of(follow).map(({ sequence }) => sequence))
      expectOrdered(callsOf('follow-track').map((call) => bodyOf(call).sequence!))
      for (const webhookId of new Set(calls().map(idOf)))
        expect(
          new Set(
            calls()
              .filter((call) => idOf(call) === webhookId)
              .map(({ body }) => body),
          ).size,
        ).toBe(1)
      // Every track that was seen was notified, and once.
      const notified = new Map(
        listener.of(search).map((one) => [one.sequence, one.data.tracks as { track_id: number }[]]),
      )
      const found = [...notified.values()].flat().map((track) => track.track_id)
      expect(found).toEqual([...new Set(found)])
      expect(found).toEqual(expect.arrayContaining([...seen]))
    }, 180_000)
  })
}
