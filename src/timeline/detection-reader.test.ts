import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aLookAt, type SeenIds } from '../../test/builders/recorded-looks.ts'
import { aDetectionFileRow } from '../../test/builders/recorded-rows.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { AppError } from '../core/errors.ts'
import { type NodeFiles } from '../core/node-files.ts'
import { type RecordedLook } from '../core/recorded-look.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { type DetectionFileRow } from '../storage/schema.ts'
import { createDetectionFileStore } from './detection-files.store.ts'
import { createDetectionReader, type LookOfProcess, type LooksQuestion } from './detection-reader.ts'
import { toBlock } from './look-files.ts'

const T0 = Date.UTC(2026, 10, 16, 3)
const folder = useTemporaryFolder('aerie-detection-reader-')
const signer = createLinkSigner('secret')
const clock = createFakeClock(T0)
let database: TestDatabase
let accountId: string
let flushed: unknown[]
beforeEach(async () => {
  flushed = []
  database = await createMigratedDatabase('sqlite')
  accountId = (await addAccount(database, { username: 'admin', minutes: 10 })).account.id
})
afterEach(() => database.remove())

const at = (seconds: number, ids?: SeenIds) => aLookAt(T0 + seconds * 1000, ids)
let made = 0

/** A block for each list of looks. */
async function add(blocks: readonly RecordedLook[][], change: Partial<DetectionFileRow> = {}, root = folder()) {
  const times = blocks.flat().map(({ takenAtMs }) => takenAtMs)
  const row = aDetectionFileRow({
    id: `file-${made++}`,
    account_id: accountId,
    started_at: Math.min(...times),
    ended_at: Math.max(...times),
    ...change,
  })
  await database.db.insertInto('detection_file').values(row).execute()
  const bytes = Buffer.concat(await Promise.all(blocks.map(toBlock)))
  mkdirSync(dirname(join(root, row.file)), { recursive: true })
  writeFileSync(join(root, row.file), bytes)
  return { row, bytes }
}

function createReader(nodeFiles?: NodeFiles) {
  return createDetectionReader({
    store: createDetectionFileStore(database.db),
    recorder: { flush: async (filter) => void flushed.push(filter) },
    places: diskOnly(folder()),
    node: nodeFiles ? { id: 'a', epoch: 1 } : null,
    nodeFiles,
    signer,
    clock,
  })
}

const question = (from: number, to: number, change: Partial<LooksQuestion> = {}): LooksQuestion => ({
  sourceId: 'cam',
  stretch: { from: T0 + from * 1000, to: T0 + to * 1000 },
  signal: new AbortController().signal,
  ...change,
})

async function read(asked: LooksQuestion, reader = createReader()) {
  const { looks, missingNodes } = await reader.read(asked)
  const found: [process: string, seconds: number][] = []
  for await (const some of looks)
    for (const { processId, look } of some) found.push([processId, (look.takenAtMs - T0) / 1000])
  return { found, missingNodes }
}

test('looks of a stretch, from its first moment to before its last, over blocks and files', async () => {
  await add([[at(0), at(5)], [at(10), at(15)], [at(20)]])
  await add([[at(30), at(35)]])
  expect(await read(question(5, 35))).toEqual({
    found: [5, 10, 15, 20, 30].map((second) => ['p', second]),
    missingNodes: [],
  })
  expect(flushed).toEqual([{ sourceId: 'cam' }])
  expect((await read(question(36, 90))).found).toEqual([])
})

test('what several processes saw, and one whose clock was set back, is in the order of time', async () => {
  await add([[at(0), at(8)], [at(4), at(6)], [at(20)]])
  await add([[at(1), at(7)], [at(21)]], { process_id: 'q' })
  await add([[at(2)]], { process_id: 'r', source_id: 'gate' })
  const { found } = await read(question(0, 60))
  expect(found).toEqual([['p', 0], ['q', 1], ['p', 4], ['p', 6], ['q', 7], ['p', 8], ['p', 20], ['q', 21]]) // prettier-ignore
  expect((await read(question(0, 60, { processId: 'q' }))).found).toEqual([['q', 1], ['q', 7], ['q', 21]]) // prettier-ignore
})

test('a file that is gone, and one that is torn, keep nothing of the others', async () => {
  await add([[at(0)]], { file: 'detections/cam/elsewhere.looks' }, join(folder(), 'other'))
  const { row, bytes } = await add([[at(1)], [at(12)]])
  writeFileSync(join(folder(), row.file), bytes.subarray(0, -1))
  expect((await read(question(0, 60))).found).toEqual([['p', 1]])
})

test('whoever has left is read for no longer', async () => {
  await add([[at(0)], [at(10)], [at(20)]])
  const gone = new AbortController()
  const { looks } = await createReader().read(question(0, 60, { signal: gone.signal }))
  const seen: LookOfProcess[] = []
  const reading = (async () => {
    for await (const some of looks) {
      seen.push(...some)
      gone.abort()
    }
  })()
  await expect(reading).rejects.toThrow(/abort/i)
  expect(seen).toHaveLength(1)
})

test('files of other nodes are asked for by a token, and a node that is away is named', async () => {
  const root = join(folder(), 'b')
  await add([[at(0)]], { node_id: 'a' })
  const { row, bytes } = await add([[at(1)]], { node_id: 'b', process_id: 'q' }, root)
  await add([[at(2)]], { node_id: 'gone', process_id: 'r' }, root)
  await add([[at(3)]], { node_id: 'gone', process_id: 'r' }, root)
  // Brought here before.
  await add([[at(4)]], { node_id: 'gone', process_id: 'r' })
  const asked: string[] = []
  const nodeFiles: NodeFiles = {
    async open(nodeId, path) {
      asked.push(`${nodeId} ${path.split('?')[0]}`)
      if (nodeId !== 'b') throw new AppError('node-unreachable', { node: nodeId, retry_after_seconds: 2 })
      const token = new URL(path, 'http://b').searchParams.get('token')!
      expect(signer.isValid(`looks ${row.id}`, token, clock.now())).toBe(true)
      return Readable.from([bytes])
    },
  }
  const answer = await read(question(0, 60), createReader(nodeFiles))
  expect(answer).toEqual({ found: [['p', 0], ['q', 1], ['r', 4]], missingNodes: ['gone'] }) // prettier-ignore
  // One that is away is asked once.
  expect(asked).toHaveLength(2)
})

test('another node gets a whole file for its token, and what waits for it is written first', async () => {
  const { row, bytes } = await add([[at(0)], [at(20)]])
  const reader = createReader()
  const token = signer.sign(`looks ${row.id}`, clock.now() + 60_000)
  expect((await reader.readFile(row.id, token))!.equals(bytes)).toBe(true)
  expect(flushed).toEqual([{ processId: 'p' }])
  for (const bad of [
    '',
    'made.up',
    signer.sign(`looks ${row.id}`, clock.now()),
    signer.sign(row.id, clock.now() + 60_000),
  ])
    await expect(reader.readFile(row.id, bad)).rejects.toMatchObject({ code: 'link-expired' })
  const unknown = signer.sign('looks unknown', clock.now() + 60_000)
  expect(await reader.readFile('unknown', unknown)).toBeUndefined()
})
