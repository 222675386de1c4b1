import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount, keepForDays } from '../../test/builders/account.ts'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { addNodeRow } from '../../test/builders/node-row.ts'
import { anAlertEventRow } from '../../test/builders/recorded-rows.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type OwnNode } from '../core/own-node.ts'
import { createLog } from '../observe/log.ts'
import { createFileRemoval } from '../storage/file-removal.ts'
import { createJobStore } from '../storage/jobs.store.ts'
import { type AlertEventRow } from '../storage/schema.ts'
import { createAlertEventKeeper } from './alert-event-keeper.ts'
import { createAlertEventStore } from './alert-events.store.ts'
import { eventPictureFile } from './event-picture-files.ts'

const DAY_MS = 86_400_000
const folder = useTemporaryFolder('aerie-event-keeper-')
const clock = createFakeClock()
let database: TestDatabase
let accountId: string
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  accountId = (await addAccount(database, { username: 'admin', minutes: 10 })).account.id
})
afterEach(() => database.remove())

function createKeeper(node: OwnNode | null = null) {
  const forgotten: string[] = []
  const store = createAlertEventStore(database.db, node)
  const jobStore = createJobStore(database, node)
  const keeper = createAlertEventKeeper({
    store,
    pictures: { forget: (ids) => void forgotten.push(...ids) },
    places: diskOnly(folder()),
    fileRemoval: createFileRemoval({ dataDir: folder(), jobStore, clock }),
    clock,
    log: createLog({ level: 'silent' }),
  })
  const runJob = () => keeper.job.handle(undefined as never, new AbortController().signal)
  return { keeper, store, forgotten, runJob }
}

async function add(change: Partial<AlertEventRow>): Promise<AlertEventRow> {
  const event = anAlertEventRow({ id: orderedUuid(), account_id: accountId, ...change })
  await createAlertEventStore(database.db).put([event])
  const path = join(folder(), eventPictureFile(event))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'jpeg')
  return event
}

const isThere = (event: AlertEventRow) => existsSync(join(folder(), eventPictureFile(event)))

test('what is past its retention goes with its picture, also one that a crash kept from being noted', async () => {
  await keepForDays(database, accountId, 1)
  const at = clock.now() - DAY_MS
  const old = await Promise.all(
    Array.from({ length: 120 }, (_, index) => add({ at: at - 1 - index, process_id: `p${index % 3}` })),
  )
  const young = await add({ at })
  const { store, runJob } = createKeeper()
  await runJob()
  expect(await store.listOfAccount(accountId, 10)).toEqual([young])
  expect([isThere(young), ...old.map(isThere)]).toEqual([true, ...old.map(() => false)])
})

test('all of an account go, and no others', async () => {
  const { account: other } = await addAccount(database, { username: 'other', minutes: 10 })
  const mine = await Promise.all(Array.from({ length: 101 }, () => add({})))
  const theirs = await add({ account_id: other.id })
  const { keeper, store, forgotten } = createKeeper()
  await keeper.removeAllOf(accountId)
  expect(await store.listOfAccount(accountId, 1)).toEqual([])
  expect(await store.find(theirs.id)).toEqual(theirs)
  expect([isThere(theirs), mine.some(isThere)]).toEqual([true, false])
  // Whatever comes of them is not written any more.
  expect(forgotten.sort()).toEqual(mine.map(({ id }) => id).sort())
})

test('what its pictures take is counted, and nothing of it is removed for room', async () => {
  await add({ file: 'events/p/1.jpg', size_bytes: 40 })
  const { keeper } = createKeeper()
  expect(await keeper.kept.heldBytes()).toEqual(new Map([[accountId, 40]]))
  expect(keeper.kept.removal).toBeUndefined()
})

test('the picture of another node is left to it', async () => {
  for (const id of ['a', 'b']) await addNodeRow(database.db, id)
  const event = await add({})
  const noted = { folder: 'events/p', kind: 'events', account_id: accountId, node_id: 'b', object_key: 'k' }
  await database.db
    .insertInto('stored_file')
    .values({ ...noted, file: eventPictureFile(event), size_bytes: 4, place: 'disk', local_at: 0, retry_at: 0 })
    .execute()
  const { keeper } = createKeeper({ id: 'a', epoch: 1 })
  await keeper.remove([event])
  const jobs = await database.db.selectFrom('job').select(['kind', 'node_id', 'payload']).execute()
  expect(jobs).toEqual([
    { kind: 'file-removal', node_id: 'b', payload: JSON.stringify({ files: [eventPictureFile(event)] }) },
  ])
})
