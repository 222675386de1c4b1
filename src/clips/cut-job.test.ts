import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { aClip } from '../../test/builders/clip.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { anAccount } from '../../test/builders/plain-account.ts'
import { aRecordedFile } from '../../test/builders/recorded-file.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { createDeferred } from '../core/deferred.ts'
import { AppError } from '../core/errors.ts'
import { DEFAULT_PICTURE_LIMIT } from '../core/picture-limit.ts'
import { type RecordedFile } from '../core/recorded-time.ts'
import { type CutOrder, partialFile } from '../cutting/messages.ts'
import { createLog } from '../observe/log.ts'
import { type Job } from '../storage/jobs.store.ts'
import { type Clip, clipFile } from './clip.ts'
import { createClipFolder } from './clip-folder.ts'
import { type FinishedClip } from './clips.store.ts'
import { cutJob, type CutJobDeps } from './cut-job.ts'
import { CutterDied, type CutOutcome } from './cutting-worker.ts'

const folder = useTemporaryFolder('aerie-cut-job-')
const video = { codec: 'h264', width: 640, height: 360, fps: 25 }

/** One clip, and what became of it. */
interface Stored {
  clip: Clip | undefined
  finished?: FinishedClip
}

let clock: FakeClock
let stored: Stored
let files: RecordedFile[]
let orders: CutOrder[]
/** What the worker answers, one after the other; the last again and again. */
let answers: ((order: CutOrder, signal: AbortSignal) => Promise<CutOutcome>)[]
let deps: CutJobDeps
beforeEach(() => {
  clock = createFakeClock(100_000)
  stored = { clip: aClip({ createdAt: clock.now() }) }
  files = [aRecordedFile({ id: 'a', startedAt: 5_000 }), aRecordedFile({ id: 'b', startedAt: 15_000 })]
  orders = []
  answers = [async (order) => done(order)]
  const set = (change: Partial<Clip>) => {
    const { clip } = stored
    if (!clip || clip.state === 'ready' || clip.state === 'failed') return false
    stored.clip = { ...clip, ...change }
    return true
  }
  deps = {
    store: {
      find: async () => stored.clip && { ...stored.clip, sourceAlias: 'gate' },
      listFirstWaiting: async () => [],
      begin: async () => (set({ state: 'working' }) ? stored.clip : undefined),
      setProgress: async (_id, progress) => set({ progress }),
      wait: async (_id, error) => set({ state: 'waiting', error }),
      fail: async (_id, error) => set({ state: 'failed', error }),
      async finish(_id, finished) {
        stored.finished = finished
        return set({ state: 'ready' })
      },
    },
    folder: createClipFolder(folder()),
    worker: {
      async cut(order, onProgress, signal) {
        orders.push(order)
        onProgress(0.5)
        return (answers.length > 1 ? answers.shift()! : answers[0]!)(order, signal)
      },
    },
    recordedTime: { filesOf: async () => files, bring: async ({ id }) => `/recorded/${id}.mp4` },
    looks: { bring: async (_of, scratch) => [join(scratch, '1.looks')] },
    rights: { ownerFor: async () => anAccount({ id: 'ann' }) },
    findAccount: async () => anAccount({ id: 'ann' }),
    maxPicture: DEFAULT_PICTURE_LIMIT,
    clock,
    log: createLog({ level: 'silent', write: () => {} }),
  }
})

/** As the worker leaves it. */
function done({ target }: CutOrder, parts = 1): CutOutcome {
  const cut = Array.from({ length: parts }, (_, index) => {
    writeFileSync(partialFile(target, index + 1), `part ${index + 1}`)
    const size = { ...video, height: 360 * (index + 1) }
    return { n: index + 1, from: 10_000, to: 20_000, durationMs: 10_000, sizeBytes: 6, sha256: 'ab', video: size }
  })
  return { type: 'done', parts: cut, gaps: [], cpuMs: 1 }
}

function run(signal = new AbortController().signal): Promise<void> {
  const job: Job = { id: 'job', kind: 'clip-cut', payload: { clipId: 'clip' }, attempts: 1, createdAt: clock.now() }
  return cutJob(deps).handle(job, signal)
}

function left(): string[] {
  const clips = join(folder(), 'clips')
  return existsSync(clips) ? readdirSync(clips, { recursive: true }).map(String).sort() : []
}

test('the clip of somebody who waits is cut before the next of who had a turn, and its failure is no other one’s', async () => {
  const begun: string[] = []
  const store: CutJobDeps['store'] = {
    ...deps.store,
    find: async (id) => ({ ...aClip({ id, accountId: 'ann' }), sourceAlias: 'gate' }),
    listFirstWaiting: async () => [{ id: 'of bob', accountId: 'bob' }],
    async begin(id) {
      begun.push(id)
      if (id === 'of bob') throw new Error('the database is away')
      return undefined
    },
  }
  const job = cutJob({ ...deps, store })
  const handle = (clipId: string) =>
    job.handle(
      { id: 'job', kind: 'clip-cut', payload: { clipId }, attempts: 1, createdAt: clock.now() },
      new AbortController().signal,
    )
  await handle('first')
  await handle('second')
  expect(begun).toEqual(['first', 'of bob', 'second'])
})

test('its files are brought, cut and kept, and nothing else stays', async () => {
  const { id, accountId } = stored.clip!
  await run()
  expect(orders).toMatchObject([
    {
      files: [
        { path: '/recorded/a.mp4', startedAtMs: 5_000 },
        { path: '/recorded/b.mp4', startedAtMs: 15_000 },
      ],
      fromMs: 10_000,
      toMs: 20_000,
      looks: null,
    },
  ])
  expect(stored.clip).toMatchObject({ state: 'ready' })
  expect(stored.finished).toEqual({
    parts: [{ from: 10_000, to: 20_000, durationMs: 10_000, sizeBytes: 6, sha256: 'ab', video }],
    gaps: [],
    note: null,
  })
  expect(readFileSync(join(folder(), clipFile({ id, accountId }, 1)), 'utf8')).toBe('part 1')
  expect(left()).toEqual([accountId, `${accountId}/${id}-1.mp4`, 'scratch'])
})

test('boxes are brought for who wants them', async () => {
  stored.clip = aClip({ withBoxes: true })
  await run()
  expect(orders[0]!.looks).toEqual([expect.stringContaining('1.looks')])
})

test('what the picture becomes, and what is missing, is noted', async () => {
  answers = [async (order) => ({ ...done(order, 2), gaps: [{ from: 12_000, to: 14_000 }] }) as CutOutcome]
  await run()
  expect(stored.finished!.note).toBe(
    'The picture changed from 640×360 to 640×720 at 1970-01-01T00:00:10.000Z: the clip has 2 parts. Of 10 s, 2 s were not recorded.',
  )
})

describe('it fails with a sentence', () => {
  const failed = (reason: 'nothing' | 'gone' | 'disk-full' | 'unreadable') => async (): Promise<CutOutcome> => ({
    type: 'failed',
    reason,
    sentence: `It is ${reason}.`,
  })

  test.each([
    ['nothing of it is there', () => void (files = []), /Nothing of gate was recorded between/],
    ['no picture is of that time', () => void (answers = [failed('nothing')]), /Nothing of gate was recorded/],
    ['the disk is full', () => void (answers = [failed('disk-full')]), /disk-full/],
    ['it cannot be read', () => void (answers = [failed('unreadable')]), /unreadable/],
    [
      'the worker ends again and again',
      () => void (answers = [async () => Promise.reject(new CutterDied('it died'))]),
      /^Cutting it ended three times; the log tells more\.$/,
    ],
    [
      'its key is revoked',
      () => void Object.assign(deps, { findAccount: async () => Promise.reject(new AppError('api-key-invalid')) }),
      /was revoked or has expired/,
    ],
    [
      'there is no room for what is brought',
      () =>
        void Object.assign(deps.recordedTime, {
          bring: async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' })),
        }),
      /^There was no room on the disk of the service; make room and cut it again\.$/,
    ],
  ])('when %s', async (_when, change, sentence) => {
    change()
    await run()
    expect(stored.clip).toMatchObject({ state: 'failed', error: expect.stringMatching(sentence) as string })
    expect(left().filter((name) => name.includes('.mp4'))).toEqual([])
  })
})

test('a worker that dies is started again', async () => {
  answers = [async () => Promise.reject(new CutterDied('it died')), async (order) => done(order)]
  await run()
  expect([orders.length, stored.clip?.state]).toEqual([2, 'ready'])
})

test('what retention took meanwhile is planned anew, once', async () => {
  answers = [
    async () => {
      files = files.slice(1)
      return { type: 'failed', reason: 'gone', sentence: 'It is gone.' }
    },
    async (order) => done(order),
  ]
  await run()
  expect(orders.map(({ files: cut }) => cut.length)).toEqual([2, 1])
  expect(stored.clip?.state).toBe('ready')
})

test('a node that is away is waited for, for a day', async () => {
  const away = new AppError('node-unreachable', { node: 'north', retry_after_seconds: 2 })
  Object.assign(deps.recordedTime, { bring: async () => Promise.reject(away) })
  await expect(run()).rejects.toBe(away)
  expect(stored.clip).toMatchObject({ state: 'waiting', error: expect.stringContaining('north') as string })
  await clock.advance(86_400_000)
  await run()
  expect(stored.clip).toMatchObject({ state: 'failed', error: expect.stringContaining('north') as string })
})

test('what is of another account is not cut', async () => {
  files = [aRecordedFile({ accountId: 'bob', startedAt: 5_000 })]
  await run()
  expect([orders.length, stored.clip?.state]).toEqual([0, 'failed'])
})

test('one that is deleted while it is cut ends at once, and leaves nothing', async () => {
  const cutting = createDeferred()
  answers = [
    (_order, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
        cutting.resolve()
      }),
  ]
  const running = run()
  await cutting.promise
  stored.clip = undefined
  await clock.advance(2_000)
  await running
  expect(left().filter((name) => name.includes('.mp4'))).toEqual([])
})

test('one whose end is written is kept, also where the answer was lost', async () => {
  const { id, accountId } = stored.clip!
  const { finish } = deps.store
  Object.assign(deps.store, {
    async finish(...finished: Parameters<typeof finish>) {
      await finish(...finished)
      throw new Error('the connection broke')
    },
  })
  await run()
  expect(stored.clip).toMatchObject({ state: 'ready' })
  expect(left()).toEqual([accountId, `${accountId}/${id}-1.mp4`, 'scratch'])
})

test('when the service stops, it is cut at the next start', async () => {
  const stopping = new AbortController()
  answers = [async () => Promise.reject(stopping.signal.reason as Error)]
  stopping.abort(new Error('stopping'))
  await expect(run(stopping.signal)).rejects.toThrow()
  expect(stored.clip?.state).toBe('working')
})

test('how far it is is written while it goes on', async () => {
  const cutting = createDeferred()
  const finished = createDeferred()
  answers = [
    async (order) => {
      cutting.resolve()
      await finished.promise
      return done(order)
    },
  ]
  const running = run()
  await cutting.promise
  await clock.advance(2_000)
  expect(stored.clip).toMatchObject({ state: 'working', progress: 50 })
  finished.resolve()
  await running
})

test('what a crash left is removed at the start, and clips stay', async () => {
  const ofAnn = join(folder(), 'clips/ann')
  mkdirSync(ofAnn, { recursive: true })
  mkdirSync(join(folder(), 'clips/scratch/1'), { recursive: true })
  for (const name of ['1-1.mp4', '2-1.mp4.partial']) writeFileSync(join(ofAnn, name), '')
  await createClipFolder(folder()).restore()
  expect(left()).toEqual(['ann', 'ann/1-1.mp4'])
  expect(existsSync(join(folder(), 'clips/scratch'))).toBe(false)
})
