import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aSource } from '../../test/builders/source.ts'
import { createAccountDatabase } from '../../test/support/account-database.ts'
import { dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type FragmentIndex, type RecordedFile } from '../core/recorded-time.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { createRecordedFileStore } from './recorded-files.store.ts'
import { createRecordedTime, type RecordedTimeDeps } from './recorded-time.ts'
import { createRecordingStore } from './recordings.store.ts'
import { createSegmentStore } from './segments.store.ts'

const index: FragmentIndex = {
  init: 1_000,
  initHash: '0123456789abcdef',
  codecs: 'avc1.64001f',
  width: 640,
  height: 360,
  tracks: [{ id: 1, kind: 'video', timescale: 90_000 }],
  groups: [{ ms: 0, byte: 1_000 }],
  end: 5_000,
  mediaMs: 120,
}
const clock = createFakeClock()
const signer = createLinkSigner('secret')

describe.each(dialects)('recorded time on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  beforeEach(async () => void ({ database, account } = await createAccountDatabase(dialect)))
  afterEach(() => database.remove())

  const timeOf = () =>
    createRecordedTime({
      store: createRecordedFileStore(database.db),
      places: { kept: () => expect.unreachable(), bring: () => expect.unreachable() },
      node: null,
      nodeFiles: undefined,
      signer,
      clock,
    })

  async function addSource(id: string, mediaPath: string): Promise<void> {
    const source = aSource({ id, accountId: account.id, mediaPath, inputUrl: `rtsp://localhost:8554/${id}` })
    await createSourceStore(database.db).insertWithinLimits(account, source)
  }

  /** A recording of a minute's files; `null`: it is being written. */
  async function addFiles(
    sourceId: string,
    files: Readonly<Record<string, readonly [from: number, ms: number | null]>>,
  ) {
    const recording = {
      id: `r-${sourceId}`,
      accountId: account.id,
      sourceId,
      alias: 'cam',
      startedAt: 0,
      endedAt: null,
    }
    await createRecordingStore(database.db).insert(recording)
    const segments = createSegmentStore(database.db)
    for (const [id, [startedAt, durationMs]] of Object.entries(files)) {
      const segment = {
        id,
        recordingId: recording.id,
        accountId: account.id,
        file: `${id}.mp4`,
        startedAt,
        gapMs: null,
      }
      await segments.insert({ ...segment, durationMs: null, sizeBytes: 0 })
      if (durationMs !== null) await segments.end(id, { durationMs, sizeBytes: 5_000, index })
    }
  }
  const idsOf = async (sourceId: string, from: number, to: number) =>
    (await timeOf().filesOf(sourceId, { from, to })).map(({ id }) => id)

  test('the files that overlap a stretch come by time, with where they can be cut', async () => {
    await addFiles('cam', { c: [120, null], a: [0, 60], b: [60, 60] })
    await addFiles('other', { d: [60, 60] })
    expect(await idsOf('cam', 30, 130)).toEqual(['a', 'b', 'c'])
    expect(await idsOf('cam', 60, 120)).toEqual(['b'])
    expect(await idsOf('cam', 59, 61)).toEqual(['a', 'b'])
    expect(await idsOf('cam', 500, 600)).toEqual(['c'])
    expect(await idsOf('nobody', 0, 600)).toEqual([])
    expect(await timeOf().filesOf('cam', { from: 70, to: 130 })).toEqual([
      {
        id: 'b',
        recordingId: 'r-cam',
        accountId: account.id,
        sourceId: 'cam',
        file: 'b.mp4',
        nodeId: null,
        startedAt: 60,
        durationMs: 60,
        sizeBytes: 5_000,
        gapMs: null,
        index,
      },
      expect.objectContaining({ id: 'c', durationMs: null, index: null }),
    ])
  })

  test('what is recorded of a path counts for all sources of the account on it', async () => {
    await addSource('cam', 'admin/gate')
    await addSource('twin', 'admin/gate')
    await addSource('yard', 'admin/yard')
    await addFiles('cam', { a: [0, 60] })
    await addFiles('yard', { b: [0, 60] })
    expect(await idsOf('twin', 0, 60)).toEqual(['a'])
    expect(await idsOf('yard', 0, 60)).toEqual(['b'])
  })
})

describe('a file is brought to this disk', () => {
  let folder: string
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'aerie-time-'))))
  afterEach(() => rmSync(folder, { recursive: true }))

  const file = { id: 'a', file: 'a.mp4', nodeId: 'north' } as RecordedFile
  const { signal } = new AbortController()

  function bring(change: Partial<Omit<RecordedTimeDeps, 'places'>>, places: Partial<RecordedTimeDeps['places']> = {}) {
    const kept = { path: join(folder, 'a.mp4'), inStore: async () => undefined }
    const time = createRecordedTime({
      store: { list: () => expect.unreachable(), listSiblings: () => expect.unreachable() },
      places: { kept: () => kept, bring: () => expect.unreachable(), ...places },
      node: { id: 'south', epoch: 1 },
      nodeFiles: { open: () => expect.unreachable() },
      signer,
      clock,
      ...change,
    })
    return time.bring(file, join(folder, 'scratch'), signal)
  }

  test('where it is there, it stays', async () => {
    writeFileSync(join(folder, 'a.mp4'), 'here')
    expect(await bring({})).toBe(join(folder, 'a.mp4'))
  })

  test('from its node, by a link that it takes', async () => {
    const asked: string[] = []
    const path = await bring({
      nodeFiles: {
        async open(nodeId, address) {
          asked.push(`${nodeId} ${address}`)
          return Readable.from([Buffer.from('there')])
        },
      },
    })
    expect(readFileSync(path!, 'utf8')).toBe('there')
    const [, token] = /^north \/sources\/recordings\/segments\/a\.mp4\?token=(.*)$/.exec(asked[0]!)!
    expect(signer.isValid('a', token!, clock.now())).toBe(true)
  })

  test('what breaks off on its way leaves nothing', async () => {
    const broken = new Readable({ read: () => void broken.destroy(new Error('gone')) })
    await expect(bring({ nodeFiles: { open: async () => broken } })).rejects.toThrow('gone')
    await expect(bring({ nodeFiles: { open: async () => undefined } })).resolves.toBeUndefined()
  })

  test('from the store, which may take its time', async () => {
    const inStore = { path: join(folder, 'a.mp4'), inStore: async () => ({}) as never }
    let asked = 0
    const isWaiting = clock.nextSleep()
    const brought = bring(
      {},
      {
        kept: () => inStore,
        async bring() {
          if (asked++ === 0)
            throw new AppError('file-being-fetched', { percent: 1, size_bytes: 9, retry_after_seconds: 5 })
          return '/data/a.mp4'
        },
      },
    )
    await isWaiting
    await clock.advance(1_000)
    expect(await brought).toBe('/data/a.mp4')
  })
})
