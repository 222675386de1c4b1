/**
 * Two nodes on one PostgreSQL: one is cut off from it, goes on seeing, and dies; the other goes on with the process, from what the database
 * has. What the first one had gathered alone arrives when it is back.
 */
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Account } from '../../src/core/account.ts'
import { createSourceStore } from '../../src/sources/sources.store.ts'
import { NewSubscription } from '../../src/webhooks/webhooks.schema.ts'
import { aSetup } from '../builders/alerts.ts'
import { aSource } from '../builders/source.ts'
import { createMigratedDatabase, type TestDatabase } from '../support/databases.ts'
import { createFakeNodes } from '../support/fake-nodes.ts'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { type NotifyingService, startNotifyingService } from '../support/notifying-service.ts'
import { readGatheredTracks, readSpoolOnDisk } from '../support/spool-on-disk.ts'
import { startTcpRelay, type TcpRelay } from '../support/tcp-relay.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'
import { until } from '../support/until.ts'

const sourceId = '00000000-0000-7000-9000-000000000001'
const folder = useTemporaryFolder('aerie-cut-off-')
const BACKOFF_SECONDS = 1

let database: TestDatabase
let relay: TcpRelay
let nodes: Awaited<ReturnType<typeof createFakeNodes>>
let receiver: HttpReceiver
let account: Account
let processId: string
const services: NotifyingService[] = []

beforeEach(async () => {
  receiver = await createHttpReceiver()
  database = await createMigratedDatabase('postgres')
  relay = await startTcpRelay(Number(new URL(database.url).port))
  nodes = await createFakeNodes(database)
  account = nodes.account
  await createSourceStore(database.db).insertWithinLimits(
    account,
    aSource({ id: sourceId, alias: 'yard camera', accountId: account.id, mediaPath: null }),
  )
})
afterEach(async () => {
  await relay.mend().catch(() => {})
  for (const service of services.splice(0)) await service.close()
  await receiver.close()
  await relay.close()
  await nodes.disconnect()
  await database.remove()
})

const folderOf = (name: string) => {
  mkdirSync(join(folder(), name), { recursive: true })
  return join(folder(), name)
}

/** A node, as it starts: with the process if it has that by now. */
async function start(id: string, epoch: number, options: { dataDir: string; databaseUrl?: string; takes?: string[] }) {
  const { dataDir, databaseUrl = database.url, takes = [processId] } = options
  const process = { processId, accountId: account.id, sourceId }
  const service = await startNotifyingService({ databaseUrl, dataDir, process, node: { id, epoch }, takes: { ids: takes } }) // prettier-ignore
  services.push(service)
  return service
}

const urlOf = (path: string) => `http://127.0.0.1:${receiver.port}${path}`
const bodiesTo = (path: string) => receiver.calls.filter((call) => call.path === path).map(({ body }) => JSON.parse(body)) // prettier-ignore
const idOf = (detection: { id: number }) => detection.id
const gathered = () => bodiesTo('/gathered').flatMap(({ detections }) => detections.map(idOf))
const found = () => bodiesTo('/search').flatMap(({ data }) => data.tracks.map((one: { track_id: number }) => one.track_id)) // prettier-ignore
const sequencesOf = (path: string) => bodiesTo(path).map(({ sequence }) => sequence as number)
const crowds = () => bodiesTo('/crowd').map(({ event, data }) => `${event} ${data.reason ?? ''}`.trim()).sort() // prettier-ignore

async function register(service: NotifyingService): Promise<void> {
  const output = (path: string) => [{ type: 'webhook' as const, config: { url: urlOf(path) } }]
  const trigger = { for_seconds: 0, cooldown_seconds: 0 }
  for (const setup of [
    aSetup({ type: 'filter-search', trigger: { ...trigger, cooldown_seconds: 600 }, output: output('/search') }),
    aSetup({ type: 'grid-density', trigger: { ...trigger, min_count: 1 }, output: output('/crowd') }),
  ])
    await service.alerts.create(account, { alias: 'yard', status: 'active', source_uuids: null, ...setup })
  const policy = { notifier_policy_args: { backoff_seconds: BACKOFF_SECONDS } }
  const body = { event_type: 'new-tracks', notification_url: urlOf('/gathered'), ...policy }
  await service.webhooks.subscribe(account, processId, NewSubscription.parse(body))
}

/** How much the database has of what waits. */
async function isStored(...trackIds: readonly number[]): Promise<boolean> {
  const [webhook] = await database.db.selectFrom('webhook_subscription').select('progress').execute()
  const alerts = await database.db.selectFrom('alert_sequence').select('progress').execute()
  const texts = [webhook!.progress, ...alerts.map(({ progress }) => progress ?? '')]
  return trackIds.every((id) => texts.filter((text) => text.includes(`"track_id":${id},`)).length === 2)
}

const spooledAlerts = async (dataDir: string) =>
  (await readSpoolOnDisk<{ stored: string | null }>(dataDir, 'alert-progress')).map(({ stored }) => stored ?? '')

test('what a node gathered while it was cut off arrives once, though another has the process by then', async () => {
  const epoch = await nodes.join('a')
  processId = await nodes.addProcess({ id: 'a', epoch }, { sourceId, state: 'running' })
  const throughRelay = new URL(database.url)
  throughRelay.port = String(relay.port)
  const cutOff = await start('a', epoch, { dataDir: folderOf('a'), databaseUrl: throughRelay.href })
  await register(cutOff)
  let atMs = Date.now()
  cutOff.see(atMs, [1])
  await until(async () => ['/gathered', '/search', '/crowd'].every((path) => bodiesTo(path).length === 1))
  cutOff.see((atMs += 100), [1, 2])
  await until(() => isStored(2))

  await relay.cut()
  cutOff.see((atMs += 100), [1, 2, 3])
  // By the time of the scenes nobody is there for two seconds, and then somebody is.
  for (let step = 0; step < 25; step++) cutOff.see((atMs += 100), [])
  cutOff.see((atMs += 100), [4])
  await until(async () => (await readGatheredTracks(folderOf('a'), urlOf('/gathered'))).includes(4))
  await until(async () => (await spooledAlerts(folderOf('a'))).filter((one) => /"track_id":4,|"endOf"/.test(one)).length === 2) // prettier-ignore
  // Killed: what is on its disk is all there is of it.
  copyFileSync(join(folderOf('a'), 'delivery.spool'), join(folderOf('a, again'), 'delivery.spool'))

  const successorEpoch = await nodes.join('b')
  await database.db.updateTable('process').set({ node_id: 'b', node_epoch: successorEpoch }).execute()
  const successor = await start('b', successorEpoch, { dataDir: folderOf('b') })
  await until(async () => found().length === 2 && crowds().length === 2)
  expect(found()).toEqual([1, 2])
  // The cooldown after what the first node left counts from now by the clock, which the scenes may be far behind by here.
  successor.see(Math.max(atMs + 100, Date.now()), [5])

  await start('a', await nodes.join('a'), { dataDir: folderOf('a, again'), takes: [] })
  await until(async () => {
    await successor.sweep()
    return gathered().length >= 5 && found().length >= 4 && crowds().length >= 6
  })
  expect(gathered().toSorted()).toEqual([1, 2, 3, 4, 5])
  expect(found().toSorted()).toEqual([1, 2, 3, 4])
  expect(crowds()).toEqual(['ended below-min-count', 'ended service-restart', 'ended service-restart', 'started', 'started', 'started']) // prettier-ignore
  for (const path of ['/search', '/crowd']) expect(new Set(sequencesOf(path)).size).toBe(sequencesOf(path).length)
})
