/**
 * Alerts and webhooks with the real delivery, on a SQLite database that another program locks: what happens meanwhile is on disk, and
 * a service that starts on what the disk has notifies of all of it.
 */
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Account } from '../../src/core/account.ts'
import { createSourceStore } from '../../src/sources/sources.store.ts'
import { openDatabase, sqlitePathOf } from '../../src/storage/database.ts'
import { NewSubscription } from '../../src/webhooks/webhooks.schema.ts'
import { addAccount } from '../builders/account.ts'
import { aSetup } from '../builders/alerts.ts'
import { aSource } from '../builders/source.ts'
import { createMigratedDatabase, type TestDatabase } from '../support/databases.ts'
import { createHttpReceiver, type HttpReceiver, type ReceivedCall } from '../support/http-receiver.ts'
import { type NotifyingService, startNotifyingService } from '../support/notifying-service.ts'
import { lockSqlite } from '../support/sqlite-lock.ts'
import { readGatheredTracks } from '../support/spool-on-disk.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const processId = '00000000-0000-7000-8000-00000000000a'
const sourceId = '00000000-0000-7000-9000-000000000001'
const DATABASE = 'aerie.db'
const SPOOL = 'delivery.spool'
const folder = useTemporaryFolder('aerie-notifications-')

let template: TestDatabase
let account: Account
let receiver: HttpReceiver

const services: NotifyingService[] = []

async function start(dataDir: string): Promise<NotifyingService> {
  const process = { processId, accountId: account.id, sourceId }
  const service = await startNotifyingService({ databaseUrl: `sqlite:${join(dataDir, DATABASE)}`, dataDir, process })
  services.push(service)
  return service
}

beforeEach(async () => {
  receiver = await createHttpReceiver()
  template = await createMigratedDatabase('sqlite')
  ;({ account } = await addAccount(template, { username: 'admin', minutes: 10 }))
  const source = aSource({ id: sourceId, alias: 'yard camera', accountId: account.id, mediaPath: null })
  await createSourceStore(template.db).insertWithinLimits(account, source)
  await template.close()
  copyFileSync(sqlitePathOf(template.url)!, join(folder(), DATABASE))
})
afterEach(async () => {
  for (const service of services.splice(0)) await service.close()
  await receiver.close()
  await template.remove()
})

/** What a service finds that starts after the one on this folder was killed now. */
function copyOfDisk(from: string, name: string): string {
  const to = join(from, name)
  mkdirSync(to)
  for (const file of [DATABASE, `${DATABASE}-wal`, SPOOL])
    if (existsSync(join(from, file))) copyFileSync(join(from, file), join(to, file))
  return to
}

const idOf = (detection: object) => (detection as { id: number }).id
const bodyOf = ({ body }: ReceivedCall) => JSON.parse(body)
const callsTo = (path: string) => receiver.calls.filter((call) => call.path === path)
/** By the first arrival of each; what comes twice comes with the same id. */
const bodiesTo = (path: string) =>
  [...new Map(callsTo(path).toReversed().map((call) => [call.headers['webhook-id'], bodyOf(call)])).values()].toReversed() // prettier-ignore
const tracksTo = (path: string) => bodiesTo(path).flatMap(({ detections }) => detections.map(idOf))
const eventsTo = (path: string) => bodiesTo(path).map(({ event, sequence }) => `${sequence} ${event}`)

const output = (path: string) => [{ type: 'webhook' as const, config: { url: urlOf(path) } }]
const urlOf = (path: string) => `http://127.0.0.1:${receiver.port}${path}`

async function register(service: NotifyingService): Promise<void> {
  const trigger = { for_seconds: 0, cooldown_seconds: 0 }
  for (const setup of [
    aSetup({ type: 'filter-search', trigger, output: output('/search') }),
    aSetup({ type: 'grid-density', trigger: { ...trigger, min_count: 1 }, output: output('/one') }),
    aSetup({ type: 'grid-density', trigger: { ...trigger, min_count: 3 }, output: output('/three') }),
  ])
    await service.alerts.create(account, { alias: 'yard', status: 'active', source_uuids: null, ...setup })
  for (const [event_type, path, backoff_seconds] of [
    ['new-tracks', '/tracks', 0],
    ['target-count', '/count', 0],
    ['new-tracks', '/gathered', 1],
  ] as const) {
    const body = { event_type, notification_url: urlOf(path), notifier_policy_args: { backoff_seconds } }
    await service.webhooks.subscribe(account, processId, NewSubscription.parse(body))
  }
}

const paths = ['/search', '/one', '/tracks', '/count', '/gathered']
/** What was sent to these as `sequence uuid`, each once. */
const uuidsTo = (...to: string[]) =>
  to.flatMap((path) => [
    ...new Set(
      callsTo(path)
        .map(bodyOf)
        .map((one) => `${path} ${one.sequence} ${one.event_uuid}`),
    ),
  ])

/** What is written of it in the database of a service. */
async function writtenAt(dataDir: string): Promise<string[]> {
  const database = openDatabase(`sqlite:${join(dataDir, DATABASE)}`)
  const rows = await database.db.selectFrom('alert_event').select('id').execute()
  await database.close()
  return rows.map(({ id }) => id).sort()
}

/** In the outage; the last ones come when something of each is in the spool already. */
const seen = { before: [1], first: [2, 3, 4], last: [5, 6] }
const all = [...seen.before, ...seen.first, ...seen.last]

test('what happens while the database is locked is notified when it is back, and after a kill, all of it and in order', async () => {
  const service = await start(folder())
  await register(service)
  let atMs = Date.now()
  const see = (...ids: number[]) => service.see((atMs += 100), ids)
  see(...seen.before)
  await until(async () => paths.every((path) => callsTo(path).length === 1))

  const lock = await lockSqlite(join(folder(), DATABASE))
  // Three at once have never been there: the first notification of that alert is in the outage.
  see(...seen.first)
  // For two seconds nobody is there, by the time of the scenes.
  for (let step = 0; step < 25; step++) see()
  for (const id of seen.last) {
    see(id)
    await until(async () => (await readGatheredTracks(folder(), urlOf('/gathered'))).includes(id))
  }
  expect(receiver.calls).toHaveLength(paths.length)

  const killed = copyOfDisk(folder(), 'killed')
  await start(killed)
  await until(async () => tracksTo('/gathered').length === all.length)
  await until(async () => eventsTo('/one').length === 4 && eventsTo('/three').length === 2)
  const expectAll = () => {
    expect(tracksTo('/tracks')).toEqual(all)
    expect(tracksTo('/gathered')).toEqual(all)
    expect(bodiesTo('/search').flatMap(({ data }) => data.tracks.map((one: { track_id: number }) => one.track_id))).toEqual(all) // prettier-ignore
    expect(bodiesTo('/search').map(({ sequence }) => sequence)).toEqual(bodiesTo('/search').map((_, index) => index + 1)) // prettier-ignore
    const counts = bodiesTo('/count')
    expect(counts.map((one) => one.previous_count)).toEqual([0, ...counts.slice(0, -1).map((one) => one.track_count)])
  }
  expectAll()
  // What was on when it was killed is over, under a number that nobody has used.
  expect(eventsTo('/one')).toEqual(['1 started', '2 ended', '3 started', '101 ended'])
  expect(eventsTo('/three')).toEqual(['1 started', '2 ended'])
  expect(bodiesTo('/one').at(-1).data.reason).toBe('service-restart')
  for (const { source_alias: alias } of bodiesTo('/three')) expect(alias).toBe('yard camera')
  // Sent by both, it is the same event, and is written once.
  const uuids = uuidsTo('/search', '/one', '/three')
  const sequences = uuids.map((one) => one.split(' ', 2).join(' '))
  expect(sequences).toEqual([...new Set(sequences)])
  const sent = uuids.map((one) => one.split(' ')[2]!).sort()
  await until(async () => (await writtenAt(killed)).length >= sent.length)
  expect(await writtenAt(killed)).toEqual(sent)

  // The one that was not killed goes on.
  receiver.calls.splice(paths.length)
  lock.release()
  see(7)
  await until(async () => tracksTo('/gathered').includes(7) && tracksTo('/tracks').includes(7))
  all.push(7)
  await until(async () => bodiesTo('/search').length === bodiesTo('/tracks').length)
  expectAll()
  expect(eventsTo('/one')).toEqual(['1 started', '2 ended', '3 started'])
})
