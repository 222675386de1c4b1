import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock } from '../../../test/builders/fake-clock.ts'
import { createTurns } from '../../core/turns.ts'
import { type DiskState } from '../disk-shares.ts'
import { createBorrowedCopies } from './borrowed-copies.ts'
import { createFetcher } from './fetcher.ts'

let dataDir: string
beforeEach(() => void (dataDir = mkdtempSync(join(tmpdir(), 'aerie-fetcher-'))))
afterEach(() => rmSync(dataDir, { recursive: true }))

/** Files of ten bytes, all of them in the store. */
function setUp(open: () => Readable, diskLeftBytes = 1_000) {
  const clock = createFakeClock()
  const places: string[] = []
  const state: DiskState = { holders: [], usedBytes: 0, limitBytes: 1_000, leftBytes: 1_000, diskLeftBytes }
  const fetcher = createFetcher({
    dataDir,
    reader: { open: async () => ({ status: 200, headers: {}, body: open() }) },
    store: {
      find: async (file) => ({
        file,
        kind: 'videos',
        accountId: 'a',
        sizeBytes: 10,
        key: file,
        place: 'store',
        localAt: 0,
        nodeId: null,
      }),
      setPlace: async ({ file }, place) => void places.push(`${file} ${place}`),
    },
    budget: { state: async () => state, trim: async () => state },
    nodeId: undefined,
    borrowed: createBorrowedCopies({ dataDir, kinds: [], turns: createTurns(), clock }),
    turns: createTurns(),
    signal: new AbortController().signal,
    clock,
  })
  return { fetcher, clock, places }
}

test('what takes longer than somebody waits says how far it is, and goes on', async () => {
  const body = new PassThrough()
  const { fetcher, clock, places } = setUp(() => body)
  body.write('seven b')
  const slept = clock.nextSleep()
  const first = fetcher.bring('videos/a.mp4')
  await slept
  while (body.readableLength > 0) await new Promise((resolve) => setImmediate(resolve))
  const refused = expect(first).rejects.toMatchObject({
    code: 'file-being-fetched',
    message: expect.stringContaining('70 % of its 10 bytes'),
  })
  await clock.advance(10_000)
  await refused
  const second = fetcher.bring('videos/a.mp4')
  body.end('yte')
  expect(readFileSync((await second)!, 'utf8')).toBe('seven byte')
  expect(places).toEqual(['videos/a.mp4 both'])
})

test.each([
  ['shorter', 'short'],
  ['longer', 'longer than it was'],
])('a file that is %s than what was stored is none', async (_name, content) => {
  const { fetcher, places } = setUp(() => Readable.from([content]))
  await expect(fetcher.bring('videos/a.mp4')).rejects.toMatchObject({ code: 'object-store-unusable' })
  expect(existsSync(join(dataDir, 'videos/a.mp4'))).toBe(false)
  expect(existsSync(join(dataDir, 'videos/a.mp4.fetching'))).toBe(false)
  expect(places).toEqual([])
})

test('what the disk cannot hold is not fetched', async () => {
  const { fetcher } = setUp(() => Readable.from(['0123456789']), 9)
  await expect(fetcher.bring('videos/a.mp4')).rejects.toMatchObject({ code: 'disk-full' })
})

test('no more are fetched at once than we bear', async () => {
  const bodies: PassThrough[] = []
  const { fetcher } = setUp(() => {
    bodies.push(new PassThrough())
    return bodies.at(-1)!
  })
  const fetches = ['1', '2', '3', '4'].map((name) => fetcher.bring(`videos/${name}.mp4`))
  while (bodies.length < 4) await new Promise((resolve) => setImmediate(resolve))
  await expect(fetcher.bring('videos/5.mp4')).rejects.toThrow('As many files are being fetched as may be at once')
  for (const body of bodies) body.end('0123456789')
  expect(await Promise.all(fetches)).toHaveLength(4)
})
