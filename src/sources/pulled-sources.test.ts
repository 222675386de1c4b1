import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { anAccount } from '../../test/builders/plain-account.ts'
import { aSource } from '../../test/builders/source.ts'
import { createDeferred } from '../core/deferred.ts'
import { AppError } from '../core/errors.ts'
import { isTaken } from '../core/taken-processes.ts'
import { createLog } from '../observe/log.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { createPulledSources } from './pulled-sources.ts'
import { type Source } from './source.ts'

const account = anAccount({ username: 'ann' })
const aCamera = (change: Partial<Source>) =>
  aSource({ accountId: account.id, mediaPath: 'ann/gate', isPulled: true, inputUrl: 'rtsp://cam.test/1', ...change })

/** `called` are the cameras that the media server is to call, as `path url mode`. */
function createRig(...given: Source[]) {
  const rows = new Map(given.map((source) => [source.id, source]))
  const cameras = () => [...rows.values()].filter(({ isPulled }) => isPulled)
  /** Sources that are another node's. */
  const elsewhere = new Set<string>()
  const called = new Map<string, string>()
  const warnings: string[] = []
  const rules = { gate: Promise.resolve() }
  const database = { isAway: false }
  const clock = createFakeClock()
  const pulled = createPulledSources({
    store: {
      async listCamerasAt(path) {
        if (database.isAway) throw new Error('The database is away.')
        return cameras().filter(({ id, mediaPath }) => mediaPath === path && !elsewhere.has(id))
      },
      listPulled: async (owner) => cameras().filter(({ accountId }) => accountId === owner),
      listTakenCameras: async (ids) => cameras().filter(({ id }) => isTaken(ids)(id)),
    },
    registry: {
      async change(_account, id) {
        const before = rows.get(id)!
        const source = { ...before, mediaPath: `ann/${before.alias}` }
        rows.set(id, source)
        return { before, source }
      },
    },
    streams: {
      pulledPaths: {
        set: (path, { url, mode }) => void called.set(path, `${url} ${mode}`),
        remove: (path) => void called.delete(path),
      },
    },
    async rulesOf() {
      await rules.gate
      return OPERATOR_RULES
    },
    async findAccount(accountId) {
      if (accountId !== account.id) throw new AppError('api-key-invalid')
      return account
    },
    clock,
    log: createLog({ level: 'warn', write: (line) => void warnings.push(line) }),
  })
  return { pulled, rows, elsewhere, called: () => Object.fromEntries(called), warnings, rules, database, clock }
}

test('a camera is always called while one of its sources is recorded, else on demand, and not without one', async () => {
  const [kept, watched] = [aCamera({ recordingMode: 'events' }), aCamera({ recordingMode: 'off' })]
  const { pulled, rows, called } = createRig(kept, watched)
  await pulled.refresh('ann/gate')
  expect(called()).toEqual({ 'ann/gate': 'rtsp://cam.test/1 always' })
  rows.delete(kept.id)
  await pulled.refresh('ann/gate')
  expect(called()).toEqual({ 'ann/gate': 'rtsp://cam.test/1 on-demand' })
  // Somebody publishes there from now on.
  rows.set(watched.id, { ...watched, isPulled: false })
  await pulled.refresh('ann/gate')
  expect(called()).toEqual({})
})

test('at the start cameras without a path get one, and one that cannot have one stops no other', async () => {
  const unplaced = { mediaPath: null, inputUrl: 'rtsp://cam.test/2', recordingMode: 'off' } as const
  const { pulled, called, warnings } = createRig(
    aCamera({ accountId: 'gone', ...unplaced, alias: 'lost' }),
    aCamera({ ...unplaced, alias: 'yard' }),
    aCamera({}),
  )
  await pulled.takeUp({ sourceIds: 'all' })
  expect(called()).toEqual({ 'ann/yard': 'rtsp://cam.test/2 on-demand', 'ann/gate': 'rtsp://cam.test/1 always' })
  expect(warnings).toHaveLength(1)
})

test('no camera of a key that is gone is called any more', async () => {
  const theirs = aCamera({ accountId: 'bob', mediaPath: 'bob/gate' })
  const { pulled, called } = createRig(aCamera({}), theirs)
  for (const path of ['ann/gate', 'bob/gate']) await pulled.refresh(path)
  await pulled.removeAllOf(account.id)
  expect(Object.keys(called())).toEqual(['bob/gate'])
})

test('of two changes at once the later one counts, however long the first takes', async () => {
  const camera = aCamera({})
  const { pulled, rows, called, rules } = createRig(camera)
  const slow = createDeferred()
  rules.gate = slow.promise
  const first = pulled.refresh('ann/gate')
  await new Promise(setImmediate)
  rules.gate = Promise.resolve()
  rows.set(camera.id, { ...camera, inputUrl: 'rtsp://cam.test/2' })
  const second = pulled.refresh('ann/gate')
  // As far as the second gets without the first.
  await new Promise(setImmediate)
  slow.resolve()
  await Promise.all([first, second])
  expect(called()).toEqual({ 'ann/gate': 'rtsp://cam.test/2 always' })
})

test.each([
  ['is called', { 'ann/gate': 'rtsp://cam.test/1 always' }, [aCamera({})]],
  ['is called no more', {}, []],
])('a camera %s once the database is back', async (_what, expected, registered) => {
  const { pulled, rows, called, database, clock } = createRig(aCamera({}))
  if (registered.length === 0) await pulled.refresh('ann/gate')
  rows.clear()
  for (const camera of registered) rows.set(camera.id, camera)
  database.isAway = true
  await pulled.refresh('ann/gate')
  await clock.advance(10_000)
  expect(called()).not.toEqual(expected)
  database.isAway = false
  await clock.advance(2_000)
  expect(called()).toEqual(expected)
})

test('nothing is tried again once the service stops', async () => {
  const { pulled, called, database, clock } = createRig(aCamera({}))
  database.isAway = true
  await pulled.refresh('ann/gate')
  database.isAway = false
  await pulled.close()
  await clock.advance(10_000)
  expect(called()).toEqual({})
})

test('of cameras that are taken up only those are called, and let go they are called no more', async () => {
  const [gate, yard] = [aCamera({}), aCamera({ mediaPath: 'ann/yard', inputUrl: 'rtsp://cam.test/2' })]
  const { pulled, called } = createRig(gate, yard)
  await pulled.takeUp({ sourceIds: [yard.id] })
  expect(Object.keys(called())).toEqual(['ann/yard'])
  await pulled.takeUp({ sourceIds: [gate.id] })
  await pulled.release([yard.id])
  expect(Object.keys(called())).toEqual(['ann/gate'])
})

test('a camera of another node is not called here when it changes', async () => {
  const camera = aCamera({})
  const { pulled, elsewhere, called } = createRig(camera)
  elsewhere.add(camera.id)
  await pulled.refresh('ann/gate')
  expect(called()).toEqual({})
})
