import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { anAccount } from '../../test/builders/plain-account.ts'
import { collectWarnings } from '../../test/support/warnings.ts'
import { createDeferred } from '../core/deferred.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { createLog } from '../observe/log.ts'
import { HlsFailure } from './hls-failures.ts'
import { createHls, type HlsDeps } from './hls.service.ts'
import { type HlsAnswer, type HlsWorker, type WorkerQuestion } from './hls-worker.ts'

type End = Awaited<HlsWorker['ended']>

/** Answers everything with the number of the worker, until it is over or dead. */
class FakeWorker implements HlsWorker {
  isOver = false
  isDead = false
  asking = 0
  askedAt: number
  isStopped = false
  /** What addresses in the latest playlist were to carry. */
  uriQuery = ''
  readonly end = createDeferred<End>()
  readonly ended = this.end.promise
  readonly firstSequence: number
  readonly path: string
  readonly #steady: () => number

  constructor(path: string, firstSequence: number, steady: () => number) {
    this.path = path
    this.firstSequence = firstSequence
    this.#steady = steady
    this.askedAt = steady()
  }

  async ask({ uriQuery }: WorkerQuestion): Promise<HlsAnswer | undefined> {
    this.askedAt = this.#steady()
    this.uriQuery = uriQuery
    if (this.isOver || this.isDead) return undefined
    return { type: String(this.firstSequence), cacheControl: '', sizeBytes: 0, body: Readable.from([]) }
  }

  async stop(): Promise<void> {
    this.isStopped = true
    this.end.resolve({ failure: undefined, wasWatchable: true })
  }
}

function createRig(change: Partial<HlsDeps> = {}) {
  const clock = createFakeClock()
  const workers: FakeWorker[] = []
  const live = new Set(['ann/cam'])
  const hls = createHls({
    access: async () => ({ principal: 'ann' }),
    owners: { find: async (username) => (username === 'nobody' ? undefined : anAccount({ username })) },
    streams: { canBeRead: (path) => live.has(path), livePaths: { isLive: (path) => live.has(path) } },
    startWorker(path) {
      const worker = new FakeWorker(path, 100 * (workers.length + 1), () => clock.steady())
      workers.push(worker)
      return worker
    },
    signer: createLinkSigner('secret'),
    clock,
    log: createLog({ level: 'silent' }),
    ...change,
  })
  const request = (
    path = 'ann/cam',
    { file = 'index.m3u8', isFirst = false, isInQuery = false, signal = new AbortController().signal } = {},
  ) =>
    hls.answer({
      path,
      file,
      search: '',
      isFirst,
      address: '192.0.2.1',
      credentials: { key: 'k' },
      isInQuery,
      signal,
    })
  const answeredBy = async (...question: Parameters<typeof request>) => Number((await request(...question)).type)
  return { hls, clock, workers, live, request, answeredBy }
}

describe('a worker', () => {
  test('is started by the first request for a path, and shared by all others', async () => {
    const { answeredBy, workers, hls } = createRig()
    expect(await Promise.all([answeredBy(), answeredBy(), answeredBy()])).toEqual([100, 100, 100])
    expect(workers.map(({ path }) => path)).toEqual(['ann/cam'])
    await hls.close()
    expect(workers[0]!.isStopped).toBe(true)
    await expect(answeredBy()).rejects.toMatchObject({ code: 'shutting-down' })
  })

  test('is stopped once nobody has asked for a while, and nothing is under way', async () => {
    const { answeredBy, workers, clock, hls } = createRig({ idleMs: 1_000 })
    await answeredBy()
    await clock.advance(600)
    await answeredBy()
    // Durations do not depend on the wall clock.
    clock.setBack(7_200_000)
    await clock.advance(600)
    expect(workers[0]!.isStopped).toBe(false)
    workers[0]!.asking = 1
    await clock.advance(1_000)
    expect(workers[0]!.isStopped).toBe(false)
    workers[0]!.asking = 0
    await clock.advance(100)
    expect(workers[0]!.isStopped).toBe(true)
    expect(await answeredBy()).toBe(200)
    await hls.close()
  })

  test('that died is replaced by another, which is asked the same', async () => {
    const { answeredBy, workers, hls } = createRig()
    await answeredBy()
    workers[0]!.isDead = true
    expect(await answeredBy()).toBe(200)
    expect(workers[0]!.isStopped).toBe(true)
    await hls.close()
  })

  test('that failed before it could be watched is not tried again at once, and its reason is said', async () => {
    const { answeredBy, workers, clock, hls } = createRig()
    await answeredBy()
    workers[0]!.end.resolve({ failure: new HlsFailure('It is broken.'), wasWatchable: false })
    await setImmediate()
    await expect(answeredBy()).rejects.toMatchObject({
      code: 'stream-not-watchable',
      message: expect.stringContaining('It is broken.'),
    })
    // Durations do not depend on the wall clock.
    clock.setBack(7_200_000)
    await clock.advance(1_000)
    expect(await answeredBy()).toBe(200)
    await hls.close()
  })

  test.each([
    ['its owner', true, 'cam.lan refuses the connection.'],
    ['others', false, 'There is no video of this camera now.'],
  ])('that failed because of its camera: %s is told why as far as allowed', async (_whom, isOwner, reason) => {
    const { answeredBy, workers, hls } = createRig({ access: async () => ({ principal: 'ann', isOwner }) })
    await answeredBy()
    const failure = new HlsFailure('cam.lan refuses the connection.', { isOfCamera: true })
    workers[0]!.end.resolve({ failure, wasWatchable: false })
    await setImmediate()
    const message = `ann/cam cannot be shown: ${reason} Try again in a moment.`
    await expect(answeredBy()).rejects.toMatchObject({ code: 'stream-not-watchable', message })
    await hls.close()
  })
})

test.each([
  { name: 'alone', nodeId: undefined, isInQuery: false, wanted: /^$/ },
  { name: 'alone, with a key in the address', nodeId: undefined, isInQuery: true, wanted: /^token=hv_[^&]+$/ },
  { name: 'one of several', nodeId: 'north-1', isInQuery: false, wanted: /^node=north-1$/ },
  {
    name: 'one of several, with a key in the address',
    nodeId: 'north-1',
    isInQuery: true,
    wanted: /^token=hv_[^&]+&node=north-1$/,
  },
])('what addresses in a playlist carry, of a service that is $name', async ({ nodeId, isInQuery, wanted }) => {
  const { request, workers, hls } = createRig({ nodeId })
  await request('ann/cam', { isInQuery })
  expect(workers[0]!.uriQuery).toMatch(wanted)
  await hls.close()
})

describe('refusals', () => {
  test.each([
    ['a path that is not live', 'ann/other', 'stream-not-live'],
    ['a path of nobody', 'nobody/cam', 'stream-not-live'],
  ])('%s', async (_name, path, code) => {
    const { request, live } = createRig()
    live.add('nobody/cam')
    await expect(request(path)).rejects.toMatchObject({ code })
  })

  test('more streams of one owner than it may, and of all than the machine can make', async () => {
    const { request, live, workers, hls } = createRig({ maxWorkers: 3 })
    const paths = ['ann/1', 'ann/2', 'ann/3', 'bob/1', 'bob/2']
    for (const path of paths) live.add(path)
    await request('ann/1')
    await request('ann/2')
    await expect(request('ann/3')).rejects.toMatchObject({ code: 'hls-stream-limit-reached' })
    await request('bob/1')
    await expect(request('bob/2')).rejects.toMatchObject({ code: 'stream-not-watchable' })
    // One whose stream is over makes room.
    workers[0]!.isOver = true
    await request('bob/2')
    await hls.close()
  })

  test('a path whose workers end again and again waits', async () => {
    const { request, workers, hls } = createRig()
    for (let start = 0; start < 10; start++) {
      await request()
      workers.at(-1)!.end.resolve({ failure: undefined, wasWatchable: true })
      await setImmediate()
    }
    await expect(request()).rejects.toMatchObject({ code: 'stream-not-watchable', retryAfterSeconds: 60 })
    await hls.close()
  })
})

describe('a stream that broke off', () => {
  test('is waited for, and goes on with another worker; pieces of the one before can still be had', async () => {
    const { answeredBy, workers, clock, live, hls } = createRig()
    await answeredBy()
    workers[0]!.isOver = true
    live.clear()
    const waiting = answeredBy()
    await clock.nextSleep()
    await clock.advance(50)
    live.add('ann/cam')
    await clock.advance(50)
    expect(await waiting).toBe(200)
    workers[0]!.isOver = false
    expect(await answeredBy('ann/cam', { file: '150.m4s' })).toBe(100)
    expect(await answeredBy('ann/cam', { file: '250.m4s' })).toBe(200)
    await hls.close()
  })

  test('a player that leaves meanwhile is not waited for', async () => {
    const { request, workers, clock, live, hls } = createRig()
    await request()
    workers[0]!.isOver = true
    live.clear()
    const leaving = new AbortController()
    const waiting = request('ann/cam', { signal: leaving.signal })
    const refused = expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    await clock.nextSleep()
    leaving.abort()
    await clock.advance(50)
    await refused
    await hls.close()
  })
})

test('many watched streams are no leak of listeners', async () => {
  const warnings = collectWarnings()
  const { request, live, workers, hls } = createRig()
  for (let index = 0; index < 20; index++) {
    live.add(`user${index}/cam`)
    await request(`user${index}/cam`)
  }
  expect(workers).toHaveLength(20)
  await setImmediate()
  expect(warnings).toEqual([])
  await hls.close()
})
