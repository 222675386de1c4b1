import { expect, test } from 'vitest'
import { createFakeClock } from '../../../test/builders/fake-clock.ts'
import { createLog } from '../../observe/log.ts'
import { BucketFailure } from './bucket-failure.ts'
import { type StoredFileRecord } from './stored-files.store.ts'
import { createUploader } from './uploader.ts'

const aFile = (name: string): StoredFileRecord => ({
  file: `recordings/${name}`,
  kind: 'recordings',
  accountId: 'a',
  sizeBytes: 10,
  key: `recordings/${name}-0`,
  place: 'disk',
  localAt: 0,
  nodeId: null,
})

const away = () => new BucketFailure('The object store is away.', 'store', true)
const signal = new AbortController().signal

/** Files that wait, and what putting one does. */
function setUp(waiting: StoredFileRecord[], put: (key: string, signal: AbortSignal) => Promise<number>) {
  const clock = createFakeClock()
  const lines: string[] = []
  const known = new Set(waiting.map(({ key }) => key))
  const postponed: string[] = []
  const unknown: string[] = []
  const tried: string[] = []
  const remove = ({ key }: StoredFileRecord) =>
    waiting.splice(
      waiting.findIndex((one) => one.key === key),
      1,
    )
  const uploader = createUploader({
    dataDir: '/data',
    bucket: {
      put: async (key, file, options) => {
        expect(file).toBe(`/data/${key.replace(/-0$/, '')}`)
        tried.push(key)
        return put(key, options.signal!)
      },
    },
    store: {
      listWaiting: async (_now, limit) => waiting.slice(0, limit),
      postpone: async (file) => {
        postponed.push(file.key)
        remove(file)
      },
      setStored: async (file) => {
        if (known.has(file.key)) remove(file)
        return known.has(file.key)
      },
      drop: async (file) => void remove(file),
      count: async () => ({ files: waiting.length, bytes: waiting.length * 10 }),
    },
    onUnknown: async (key) => void unknown.push(key),
    clock,
    log: createLog({ level: 'info', write: (line) => void lines.push(line) }),
  })
  return { uploader, clock, lines, known, postponed, unknown, tried, waiting }
}

test('what waits is put, the whole of it', async () => {
  const { uploader, waiting } = setUp([aFile('1'), aFile('2')], async () => 10)
  expect(await uploader.putSome(signal)).toBe(true)
  expect(await uploader.putSome(signal)).toBe(false)
  expect(waiting).toEqual([])
  expect(uploader.status).toEqual({ waiting: { files: 0, bytes: 0 }, lastError: null })
})

test('a store that is away is asked by one file, ever more seldom, and said once to be away and once to be back', async () => {
  let isAway = true
  const files = ['1', '2', '3', '4', '5', '6'].map(aFile)
  const { uploader, clock, lines, tried, waiting } = setUp(files, async () => {
    if (isAway) throw away()
    return 10
  })
  expect(await uploader.putSome(signal)).toBe(false)
  expect(tried).toHaveLength(4)
  expect(uploader.status).toMatchObject({ waiting: { files: 6 }, lastError: { sentence: 'The object store is away.' } })
  expect(await uploader.putSome(signal)).toBe(false)
  expect(tried).toHaveLength(4)
  await clock.advance(2_000)
  await uploader.putSome(signal)
  await clock.advance(2_000)
  await uploader.putSome(signal)
  expect(tried).toHaveLength(5)
  await clock.advance(2_000)
  isAway = false
  while (await uploader.putSome(signal));
  expect(waiting).toEqual([])
  expect(uploader.status.lastError).toBeNull()
  expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
    'the object store cannot be used: files wait on the disk',
    'the object store can be used again',
  ])
})

test('a file that the store does not take waits, and holds up no other', async () => {
  const { uploader, postponed, waiting } = setUp([aFile('bad'), aFile('good')], async (key) => {
    if (key.includes('bad')) throw new BucketFailure('It is too large.', 'file', false)
    return 10
  })
  while (await uploader.putSome(signal));
  expect(postponed).toEqual(['recordings/bad-0'])
  expect(waiting).toEqual([])
})

test('a file that is not on the disk any more is none that waits', async () => {
  const { uploader, waiting } = setUp([aFile('gone')], async () => {
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' })
  })
  await uploader.putSome(signal)
  expect(waiting).toEqual([])
  expect(uploader.status.lastError).toBeNull()
})

test('what was removed while it was put is removed from the store too', async () => {
  const { uploader, known, unknown } = setUp([aFile('1')], async (key) => {
    known.delete(key)
    return 10
  })
  await uploader.putSome(signal)
  expect(unknown).toEqual(['recordings/1-0'])
})

test('what is not wanted any more is not put on, and whoever ends it knows when that is so', async () => {
  let begun = () => {}
  const isBegun = new Promise<void>((resolve) => (begun = resolve))
  const { uploader, lines } = setUp([aFile('1')], (_key, stopped) => {
    begun()
    return new Promise((_resolve, reject) => stopped.addEventListener('abort', () => reject(new Error('stopped'))))
  })
  const putting = uploader.putSome(signal)
  await isBegun
  await uploader.abandon(['recordings/1-0', 'another'])
  await putting
  expect(lines).toEqual([])
})

test('a database that goes away fails the job, which comes back', async () => {
  const { uploader } = setUp([aFile('1')], async () => {
    throw new Error('the database is away')
  })
  await expect(uploader.putSome(signal)).rejects.toThrow('the database is away')
})
