import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { aClip, aClipPart } from '../../test/builders/clip.ts'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { addNodeRow } from '../../test/builders/node-row.ts'
import { useAccountDatabase } from '../../test/support/account-database.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { type OwnNode } from '../core/own-node.ts'
import { createLog } from '../observe/log.ts'
import { createFileRemoval } from '../storage/file-removal.ts'
import { createJobStore } from '../storage/jobs.store.ts'
import { type Clip, clipFile } from './clip.ts'
import { createClipKeeper } from './clip-keeper.ts'
import { type ClipStore, createClipStore } from './clips.store.ts'

const folder = useTemporaryFolder('aerie-clip-keeper-')
const created = useAccountDatabase('sqlite')
const clock = createFakeClock()
const DAY_MS = 86_400_000
let store: ClipStore
beforeEach(() => void (store = createClipStore(created().database.db)))

function keeperOf(node: OwnNode | null = null) {
  const { database } = created()
  return createClipKeeper({
    store: createClipStore(database.db, node),
    node,
    places: diskOnly(folder()),
    fileRemoval: createFileRemoval({ dataDir: folder(), jobStore: createJobStore(database, node), clock }),
    clock,
    log: createLog({ level: 'silent', write: () => {} }),
  })
}

const pathOf = (clip: Clip, n = 1) => join(folder(), clipFile(clip, n))

/** Ready, with its files. */
async function add(change: Partial<Clip> = {}): Promise<Clip> {
  const parts = [aClipPart(), aClipPart()]
  const accountId = created().account.id
  const clip = aClip({ accountId, state: 'ready', parts, finishedAt: clock.now(), ...change })
  await store.insert(clip, { waiting: 10, all: 10 }, async () => {})
  mkdirSync(dirname(pathOf(clip)), { recursive: true })
  for (const n of [1, 2]) writeFileSync(pathOf(clip, n), 'a part')
  return clip
}

const isThere = async ({ id }: Clip) => (await store.find(id)) !== undefined

test('a clip goes with its files', async () => {
  const clip = await add()
  await keeperOf().remove(clip)
  expect([await isThere(clip), existsSync(pathOf(clip)), existsSync(pathOf(clip, 2))]).toEqual([false, false, false])
})

test('with a purged key all of its clips go, and no others', async () => {
  const clips = [await add(), await add({ kind: 'link', uniqueKey: 'event:1' })]
  await keeperOf().removeAllOf('somebody')
  expect(await Promise.all(clips.map(isThere))).toEqual([true, true])
  await keeperOf().removeAllOf(created().account.id)
  expect(await Promise.all(clips.map(isThere))).toEqual([false, false])
  expect(clips.map((clip) => existsSync(pathOf(clip)))).toEqual([false, false])
})

test('those of links go after a day in which nobody opened them; those of users stay', async () => {
  const user = await add({ usedAt: null, createdAt: clock.now() - 100 * DAY_MS })
  const unused = await add({ kind: 'link', uniqueKey: 'a', usedAt: clock.now() - DAY_MS - 1 })
  const used = await add({ kind: 'link', uniqueKey: 'b', usedAt: clock.now() - DAY_MS + 1_000 })
  const job = { id: '1', kind: 'clip-retention', payload: {}, attempts: 1, createdAt: clock.now() }
  await keeperOf().job.handle(job, new AbortController().signal)
  expect(await Promise.all([user, unused, used].map(isThere))).toEqual([true, false, true])
})

test('without room those of links go, the longest unused first; those of users are fixed', async () => {
  const { account } = created()
  await add()
  const [late, early] = [
    await add({ kind: 'link', uniqueKey: 'late', usedAt: 2 }),
    await add({ kind: 'link', uniqueKey: 'early', usedAt: 1 }),
  ]
  const [users, links] = keeperOf().kept
  expect([users!.removal, (await users!.heldBytes()).get(account.id)]).toEqual([undefined, 1_000])
  const oldest = await links!.removal!.listOldest(account.id, 10)
  expect(oldest.map(({ writtenAt }) => writtenAt)).toEqual([1, 2])
  await oldest[0]!.remove()
  expect(await Promise.all([late, early].map(isThere))).toEqual([true, false])
})

test('the files of another node are left to it', async () => {
  const { db } = created().database
  await addNodeRow(db, 'north')
  const clip = await add({ nodeId: 'north' })
  await keeperOf({ id: 'south', epoch: 1 }).remove(clip)
  const jobs = await db.selectFrom('job').select(['kind', 'node_id', 'payload']).execute()
  expect(jobs.map((job) => ({ ...job, payload: JSON.parse(job.payload) as unknown }))).toEqual([
    { kind: 'file-removal', node_id: 'north', payload: { files: [clipFile(clip, 1), clipFile(clip, 2)] } },
  ])
})
