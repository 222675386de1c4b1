import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { BucketFailure, ObjectMissing, RequestRefused } from './bucket-failure.ts'
import { createStoreReader } from './store-reader.ts'
import { type StoredFileRecord } from './stored-files.store.ts'

const stored: StoredFileRecord = {
  file: 'recordings/1.mp4',
  kind: 'recordings',
  accountId: 'a',
  sizeBytes: 10,
  key: 'recordings/1-0.mp4',
  place: 'store',
  localAt: 0,
  nodeId: null,
}
const request = { signal: new AbortController().signal }
const shown = { contentType: 'video/mp4', downloadName: 'front.mp4' }

function readerOf(open: () => Promise<Readable>, links: 'presigned' | 'proxied' = 'proxied') {
  const bucket = {
    open: async () => ({ status: 200 as const, headers: {}, body: await open() }),
    link: async (key: string) => `https://s3.example.org/${key}`,
  }
  return createStoreReader(bucket, links)
}

test.each([
  ['the store is away', new BucketFailure('It is away.', 'store', true), 'object-store-unusable'],
  ['somebody has removed it', new ObjectMissing('1'), 'recording-not-found'],
  ['the range begins behind its end', new RequestRefused(416, null), 'range-not-satisfiable'],
  ['it is another file', new RequestRefused(412, null), 'precondition-failed'],
])('where %s, that is the answer', async (_name, failure, code) => {
  const reader = readerOf(() => Promise.reject(failure))
  await expect(reader.open(stored, request)).rejects.toMatchObject({ code })
})

test('no more are read at once than we bear, and who has ended makes room', async () => {
  const reader = readerOf(async () => Readable.from(['x']))
  const contents = await Promise.all(Array.from({ length: 64 }, () => reader.open(stored, request)))
  await expect(reader.open(stored, request)).rejects.toThrow('As many files are being read from it as may be at once')
  const closed = new Promise((resolve) => contents[0]!.body.once('close', resolve))
  contents[0]!.body.destroy()
  await closed
  await reader.open(stored, request)
})

test('failures take no room', async () => {
  let fails = true
  const reader = readerOf(async () => {
    if (fails) throw new BucketFailure('It is away.', 'store', true)
    return Readable.from(['x'])
  })
  for (let tries = 0; tries < 100; tries++) await reader.open(stored, request).catch(() => {})
  fails = false
  await reader.open(stored, request)
})

test('a link is given only where clients are sent to the store', async () => {
  const open = async () => Readable.from(['x'])
  expect(await readerOf(open).toStoredFile(stored).link(shown)).toBeUndefined()
  const link = await readerOf(open, 'presigned').toStoredFile(stored).link(shown)
  expect(link).toBe('https://s3.example.org/recordings/1-0.mp4')
})

test('what was stored while a store was set is not to be had without one', async () => {
  await expect(createStoreReader(undefined, 'proxied').open(stored, request)).rejects.toThrow(
    'AERIE_OBJECT_STORE_URL is not set any more',
  )
})
