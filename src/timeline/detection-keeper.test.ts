import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount, keepForDays } from '../../test/builders/account.ts'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { addNodeRow } from '../../test/builders/node-row.ts'
import { aDetectionFileRow, aProcessStateChangeRow } from '../../test/builders/recorded-rows.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { type OwnNode } from '../core/own-node.ts'
import { createLog } from '../observe/log.ts'
import { createFileRemoval } from '../storage/file-removal.ts'
import { createJobStore } from '../storage/jobs.store.ts'
import { type DetectionFileRow } from '../storage/schema.ts'
import { createDetectionFileStore } from './detection-files.store.ts'
import { createDetectionKeeper } from './detection-keeper.ts'
import { createProcessStateStore } from './process-states.store.ts'

const DAY_MS = 86_400_000
const folder = useTemporaryFolder('aerie-detection-keeper-')
const clock = createFakeClock()
let database: TestDatabase
let accountId: string
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  accountId = (await addAccount(database, { username: 'admin', minutes: 10 })).account.id
})
afterEach(() => database.remove())

function createKeeper(node: OwnNode | null = null) {
  const keeper = createDetectionKeeper({
    store: createDetectionFileStore(database.db, node),
    states: createProcessStateStore(database.db),
    places: diskOnly(folder()),
    fileRemoval: createFileRemoval({ dataDir: folder(), jobStore: createJobStore(database, node), clock }),
    node,
    clock,
    log: createLog({ level: 'silent' }),
  })
  return { ...keeper, runJob: () => keeper.job.handle(undefined as never, new AbortController().signal) }
}

let made = 0
async function add(change: Partial<DetectionFileRow> = {}): Promise<DetectionFileRow> {
  const row = aDetectionFileRow({ id: `looks-${made++}`, account_id: accountId, ...change })
  await database.db.insertInto('detection_file').values(row).execute()
  const path = join(folder(), row.file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, 'looks')
  return row
}

const isThere = ({ file }: DetectionFileRow) => existsSync(join(folder(), file))
const countRows = async () => (await database.db.selectFrom('detection_file').select('id').execute()).length

test('what is past its retention goes with its file, and states with it', async () => {
  await keepForDays(database, accountId, 1)
  const at = clock.now() - DAY_MS
  const old = await Promise.all(Array.from({ length: 120 }, (_, index) => add({ ended_at: at - 1 - index })))
  const young = await add({ ended_at: at })
  const states = [at - 2, at - 1, at].map((one) => aProcessStateChangeRow({ at: one, account_id: accountId }))
  await database.db.insertInto('process_state_change').values(states).execute()
  await createKeeper().runJob()
  expect([isThere(young), old.some(isThere), await countRows()]).toEqual([true, false, 1])
  expect(await database.db.selectFrom('process_state_change').selectAll().execute()).toEqual([states[2]])
})

test('all of an account go, and no others', async () => {
  const { account: other } = await addAccount(database, { username: 'other', minutes: 10 })
  const mine = await Promise.all(Array.from({ length: 101 }, () => add({ source_id: 'gate' })))
  const theirs = await add({ account_id: other.id })
  for (const account_id of [accountId, other.id])
    await database.db.insertInto('process_state_change').values(aProcessStateChangeRow({ account_id, process_id: account_id })).execute() // prettier-ignore
  await createKeeper().removeAllOf(accountId)
  expect([mine.some(isThere), isThere(theirs), await countRows()]).toEqual([false, true, 1])
  expect(existsSync(join(folder(), 'detections/gate'))).toBe(false)
  const states = await database.db.selectFrom('process_state_change').select('account_id').execute()
  expect(states).toEqual([{ account_id: other.id }])
})

test('it is counted, and removed for room, the oldest first, before what an alert is about', async () => {
  const [newer, older] = [await add({ started_at: 2, size_bytes: 20 }), await add({ started_at: 1, size_bytes: 1 })]
  const open = await add({ is_open: 1, size_bytes: 300 })
  const { kept } = createKeeper()
  expect(await kept.heldBytes()).toEqual(new Map([[accountId, 321]]))
  expect(await kept.removal!.writingBytes()).toEqual(new Map([[accountId, 300]]))
  const removable = await kept.removal!.listOldest(accountId, 10)
  expect(removable).toMatchObject([
    { importance: 1, writtenAt: 1, sizeBytes: 1 },
    { importance: 1, writtenAt: 2, sizeBytes: 20 },
  ])
  await removable[0]!.remove()
  expect([older, newer, open].map(isThere)).toEqual([false, true, true])
})

test('the file of another node is left to it; one of a node that nobody knows to nobody', async () => {
  for (const id of ['a', 'b']) await addNodeRow(database.db, id)
  const [own, other] = [await add({ node_id: 'a' }), await add({ node_id: 'b' }), await add({ node_id: 'forgotten' })]
  await createKeeper({ id: 'a', epoch: 1 }).removeAllOf(accountId)
  expect([isThere(own), await countRows()]).toEqual([false, 0])
  const jobs = await database.db.selectFrom('job').select(['kind', 'node_id', 'payload']).execute()
  expect(jobs).toEqual([{ kind: 'file-removal', node_id: 'b', payload: JSON.stringify({ files: [other.file] }) }])
})
