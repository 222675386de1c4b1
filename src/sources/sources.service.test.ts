import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { anAccount } from '../../test/builders/plain-account.ts'
import { aSource } from '../../test/builders/source.ts'
import { AppError } from '../core/errors.ts'
import { type LastSeen } from '../core/last-seen.ts'
import { type PullStatus } from '../streams/pulled-paths.ts'
import { type RemotePath } from '../streams/remote-paths.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type Source } from './source.ts'
import { type SourceToken } from './source-tokens.store.ts'
import { type SourceUser } from '../core/source-user.ts'
import { createSourceService } from './sources.service.ts'
import { type SourceUse } from './uses-elsewhere.ts'

const account = anAccount({ username: 'ann' })

const aUser = (isUsed: (sourceId: string) => boolean, lastTelemetry: LastSeen | null = null): SourceUser => ({
  processesOf: (id) => (isUsed(id) ? ['p'] : []),
  withOldTelemetry: (id) => (isUsed(id) ? ['old'] : []),
  isVideoNeeded: isUsed,
  lastTelemetryOf: () => lastTelemetry,
  telemetryErrorOf: () => null,
  onAddressChange: () => {},
})

function createRig(...given: Source[]) {
  const rows = new Map(given.map((source) => [source.id, source]))
  const calls: string[] = []
  const live = new Set<string>()
  const pulls = new Map<string, PullStatus>()
  const remote = new Map<string, RemotePath>()
  /** What processes of other nodes do with sources. */
  const elsewhere = new Map<string, readonly SourceUse[]>()
  const state = {
    recorded: undefined as string | undefined,
    isStopped: false,
    lastFrame: null as LastSeen | null,
  }
  const service = createSourceService({
    store: {
      find: async (_accountId, id) => rows.get(id),
      list: async () => ({ items: [...rows.values()].slice(0, 1), nextCursor: undefined }),
      listByIds: async (ids) => [...rows.values()].filter(({ id }) => ids.includes(id)),
      usedBytes: async () => 0,
    },
    registry: {
      async insert(_account, source) {
        const isNew = ![...rows.values()].some(({ fingerprint }) => fingerprint === source.fingerprint)
        const placed = source.isPulled ? { ...source, mediaPath: `ann/${source.alias}` } : source
        rows.set(source.id, placed)
        return { source: placed, isNew }
      },
      async remove({ id }, isUsed = () => false) {
        if (await isUsed()) throw new AppError('source-in-use')
        rows.delete(id)
      },
    },
    paths: { mediaPathOf: async (_account, url) => (url.includes('//here/') ? url.split('//here/')[1]! : null) },
    dials: { checkBroker: async () => void calls.push('broker checked') },
    knownClasses: () => new Set(['person']),
    changeSource: async (_account, source, { alias = source.alias }) => ({ ...source, alias }),
    tokens: { list: async (sourceId) => [{ id: `of ${sourceId}` } as SourceToken] },
    videos: { removeEmptyFolder: async (accountId) => void calls.push(`folder of ${accountId} removed`) },
    streams: {
      livePaths: {
        find: (path) => (live.has(path) ? { path, since: 0 } : undefined),
        isLive: (path) => live.has(path),
      } as Streams['livePaths'],
      localPaths: { isLive: (path) => live.has(path) && !remote.has(path) } as Streams['localPaths'],
      remotePaths: { find: (path) => remote.get(path) } as Streams['remotePaths'],
      pulledPaths: { find: (path) => pulls.get(path) } as Streams['pulledPaths'],
      videoTimes: { find: () => state.lastFrame },
      expel: (principal) => void calls.push(`expelled ${principal}`),
    },
    directory: {
      aliasOf: (id) => rows.get(id)?.alias,
      hasTelemetry: () => true,
      find: () => undefined,
      list: () => [...rows.values()],
    },
    refresh: async (...paths) => void calls.push(`refreshed ${paths.join()}`),
    recordings: {
      recordedSource: () => state.recorded,
      isStopped: () => state.isStopped,
    },
    elsewhere: () => ({
      isUsed: async () => elsewhere.size > 0,
      find: async () => elsewhere,
      listWithOldTelemetry: async (id) => (elsewhere.has(id) ? ['old elsewhere'] : []),
    }),
    clock: createFakeClock(5),
  })
  const stateOf = async (source: Source) => (await service.statesOf([source]))[0]!
  return { service, stateOf, elsewhere, rows, calls, live, pulls, remote, state }
}

describe('registering a stream', () => {
  const stream = { alias: 'cam', input_url: 'rtsp://here/ann/cam', stream_type: 'rtsp' } as const

  test('its path is recorded from then on; registering it again refreshes the path, in case the first time failed', async () => {
    const { service, calls } = createRig()
    expect(await service.registerStream(account, stream)).toMatchObject({ isNew: true, source: { createdAt: 5 } })
    expect(calls).toEqual(['broker checked', 'refreshed ann/cam'])
    expect(await service.registerStream(account, stream)).toMatchObject({ isNew: false })
    expect(calls.slice(2)).toEqual(['broker checked', 'refreshed ann/cam'])
  })

  test('what is recorded of it is as it was asked for', async () => {
    const { service } = createRig()
    const recording = { recording_mode: 'events' as const, recording_classes: ['person'] }
    expect((await service.registerStream(account, { ...stream, ...recording, alias: 'a' })).source).toMatchObject({
      recordingMode: 'events',
      recordingClasses: ['person'],
    })
    const contradictory = { ...stream, alias: 'b', record: false, recording_mode: 'events' } as const
    await expect(service.registerStream(account, contradictory)).rejects.toMatchObject({ code: 'input-invalid' })
  })

  test('one elsewhere is called, and has a path like any other', async () => {
    const { service, stateOf, calls, pulls } = createRig()
    const { source } = await service.registerStream(account, { ...stream, input_url: 'rtsp://cam.test/x' })
    expect(source).toMatchObject({ isPulled: true, recordingMode: 'always', mediaPath: 'ann/cam' })
    expect(calls).toEqual(['broker checked', 'refreshed ann/cam'])
    pulls.set('ann/cam', { state: 'lost', since: 7, lastError: { sentence: 'Connection refused.', at: 7 } })
    expect(await stateOf(source)).toMatchObject({
      status: 'unknown',
      connection: { kind: 'pulled', state: 'lost', since: 7 },
    })
  })
})

test('a stream with a mask in the place of its password is not registered', async () => {
  const { service, rows } = createRig()
  const stream = { alias: 'cam', input_url: 'rtsp://me:***@cam.test/x', stream_type: 'rtsp' } as const
  await expect(service.registerStream(account, stream)).rejects.toMatchObject({
    errors: [{ path: 'body.input_url', message: expect.stringContaining('***') }],
  })
  expect(rows.size).toBe(0)
})

describe('removing', () => {
  test('a source that is processed stays; otherwise its tokens’ clients go with it, and its recording ends', async () => {
    const source = aSource({ id: 's' })
    const { service, rows, calls } = createRig(source)
    let isProcessing = true
    service.addUser(aUser((_id) => isProcessing))
    await expect(service.remove(account, 's')).rejects.toMatchObject({ code: 'source-in-use' })
    isProcessing = false
    await service.remove(account, 's')
    expect(rows.size).toBe(0)
    expect(calls).toEqual(['expelled token:of s', 'refreshed admin/cam'])
    await expect(service.remove(account, 's')).rejects.toMatchObject({ code: 'source-not-found' })
  })

  test('all of an account, page after page, and then its folder', async () => {
    const { service, rows, calls } = createRig(aSource({ mediaPath: null }), aSource({ mediaPath: null }))
    await service.removeAllOf('a')
    expect(rows.size).toBe(0)
    expect(calls.at(-1)).toBe('folder of a removed')
  })
})

test('a change names the processes that still have the telemetry of before', async () => {
  const { service, elsewhere } = createRig(aSource({ id: 's' }))
  expect(await service.change(account, 's', { alias: 'new' })).toMatchObject({ needsRelaunch: [] })
  service.addUser(aUser((id) => id === 's'))
  expect(await service.change(account, 's', { alias: 'newer' })).toMatchObject({ needsRelaunch: ['old'] })
  elsewhere.set('s', [])
  expect(await service.change(account, 's', { alias: 'newest' })).toMatchObject({
    needsRelaunch: ['old', 'old elsewhere'],
  })
})

describe('what processes of other nodes use', () => {
  const use: SourceUse = {
    isVideoNeeded: true,
    lastTelemetry: { atMs: 9_300, ageMs: 700 },
    telemetryError: 'The broker does not answer.',
  }

  test('is processed, with what they know of it', async () => {
    const source = aSource({ id: 's', mediaPath: 'ann/cam' })
    const { stateOf, elsewhere, live } = createRig(source)
    live.add('ann/cam')
    elsewhere.set('s', [use])
    expect(await stateOf(source)).toMatchObject({
      status: 'processing',
      lastTelemetry: use.lastTelemetry,
      problem: 'Telemetry: The broker does not answer.',
    })
    expect((await stateOf({ ...source, id: 'other' })).status).toBe('streaming')
  })

  test('is not removed, whether they answer or not', async () => {
    const { service, elsewhere, rows } = createRig(aSource({ id: 's' }))
    elsewhere.set('s', [])
    await expect(service.remove(account, 's')).rejects.toMatchObject({ code: 'source-in-use' })
    expect(rows.size).toBe(1)
  })
})

describe('the state of a source', () => {
  test('it is processed, else it streams or not, else nobody knows', async () => {
    const { service, stateOf, live } = createRig()
    const source = aSource({ id: 's', mediaPath: 'ann/cam' })
    expect((await stateOf({ ...source, mediaPath: null })).status).toBe('unknown')
    expect((await stateOf(source)).status).toBe('offline')
    live.add('ann/cam')
    expect((await stateOf(source)).status).toBe('streaming')
    service.addUser(aUser((id) => id === 's'))
    expect((await stateOf(source)).status).toBe('processing')
  })

  test('what comes from it is as old as the newest that is known, and what a process misses is said', async () => {
    const { service, stateOf, state } = createRig()
    const source = aSource({ id: 's', mediaPath: 'ann/cam' })
    state.lastFrame = { atMs: 1_000, ageMs: 90_000 }
    expect(await stateOf(source)).toMatchObject({ lastFrame: state.lastFrame, lastTelemetry: null, problem: null })
    const [old, young] = [5_000, 700].map((ageMs) => ({ atMs: 10_000 - ageMs, ageMs }))
    service.addUser(aUser(() => false, old))
    service.addUser(aUser((id) => id === 's', young))
    expect(await stateOf(source)).toMatchObject({
      lastFrame: state.lastFrame,
      lastTelemetry: young,
      problem: 'Nothing has been sent for 90 s.',
    })
    expect(await stateOf({ ...source, mediaPath: null })).toMatchObject({ lastFrame: null, problem: null })
  })

  test('it is recorded, or not, or not for lack of room; one elsewhere never is', async () => {
    const { stateOf, live, state } = createRig()
    const source = aSource({ id: 's', mediaPath: 'ann/cam' })
    state.isStopped = true
    expect((await stateOf({ ...source, mediaPath: null })).recording).toBeNull()
    expect((await stateOf(source)).recording).toBe('off')
    live.add('ann/cam')
    expect((await stateOf(source)).recording).toBe('stopped-disk-full')
    state.recorded = 's'
    expect((await stateOf(source)).recording).toBe('on')
  })

  test('of a stream or a camera that another node has, it is what that node says', async () => {
    const { stateOf, live, remote } = createRig()
    const source = aSource({ id: 's', mediaPath: 'ann/cam', recordingMode: 'events' })
    const camera = aSource({ id: 'c', mediaPath: 'ann/cam', isPulled: true })
    const onB: RemotePath = { path: 'ann/cam', nodeId: 'b', isCamera: true, live: undefined }
    remote.set('ann/cam', onB)
    expect((await stateOf(camera)).connection).toMatchObject({ kind: 'pulled', state: 'idle' })
    const pull: PullStatus = { state: 'lost', since: 3, lastError: { sentence: 'Connection refused.', at: 3 } }
    remote.set('ann/cam', { ...onB, pull })
    expect(await stateOf(camera)).toMatchObject({ connection: { ...pull }, problem: 'Connection refused.' })

    remote.set('ann/cam', { ...onB, isCamera: false, live: { protocol: 'rtsp', video: undefined, since: 0 } })
    live.add('ann/cam')
    expect(await stateOf(source)).toMatchObject({ status: 'streaming', recording: 'on' })
    expect((await stateOf({ ...source, recordingMode: 'off' })).recording).toBe('off')
  })

  test('what is recorded by event has to be looked at, on whichever node, by the account’s other source of the path too', async () => {
    const { service, stateOf, rows, elsewhere } = createRig()
    const source = aSource({ id: 's', mediaPath: 'ann/cam', recordingMode: 'events' })
    const [twin, foreign] = [
      aSource({ id: 't', mediaPath: 'ann/cam' }),
      aSource({ id: 'f', mediaPath: 'ann/cam', accountId: 'bob' }),
    ]
    for (const one of [source, twin, foreign]) rows.set(one.id, one)
    const problem = async () => (await stateOf(source)).problem
    const unwatched =
      /^Recorded by event, and no process looks at it: nothing is kept for longer than an hour\. Start one,/
    expect(await problem()).toMatch(unwatched)
    expect((await stateOf(twin)).problem).toBeNull()
    elsewhere.set('f', [])
    expect(await problem()).toMatch(unwatched)
    elsewhere.set('t', [])
    expect(await problem()).toBeNull()
    elsewhere.clear()
    service.addUser({ ...aUser((id) => id === 's'), isVideoNeeded: () => false })
    expect(await problem()).toBeNull()
  })
})
