import { beforeEach, expect, test } from 'vitest'
import { aClip, aClipPart } from '../../test/builders/clip.ts'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { anAccount } from '../../test/builders/plain-account.ts'
import { AppError } from '../core/errors.ts'
import { type Clip } from './clip.ts'
import { type LinkedClip } from './clip-requests.ts'
import { type ListedClip } from './clips.store.ts'
import { type ClipTarget, createLinkClipService, type LinkClipDeps } from './link-clips.service.ts'

const target: ClipTarget = { kind: 'event-clip', eventId: 'e1' }
const KEY = 'event:e1'
const wanted: LinkedClip = {
  ...{ ownerId: 'ann', sourceId: 'cam', sourceAlias: 'gate', processId: 'p', trackId: null, eventId: 'e1' },
  ...{ alias: 'gate', withBoxes: false, from: 10_000, to: 20_000 },
}

let clock: FakeClock
let clips: Map<string, ListedClip>
let made: number
let deps: LinkClipDeps
beforeEach(() => {
  clock = createFakeClock(1_000_000)
  ;[clips, made] = [new Map(), 0]
  deps = {
    store: {
      find: async (id) => clips.get(id),
      findByKey: async (key) => [...clips.values()].find(({ uniqueKey }) => uniqueKey === key),
      touch: async (id, now) => set(id, { usedAt: now }),
    },
    requests: { ofEvent: async () => wanted, ofTrack: async () => wanted },
    clips: {
      async make(_owner, order, of) {
        made += 1
        return add({ ...order, ...of })
      },
    },
    keeper: { remove: async ({ id }) => void clips.delete(id) },
    places: diskOnly('/data'),
    links: { isValid: (_target, token) => token === 'right' },
    rights: { ownerFor: async () => anAccount({ id: 'ann' }) },
    findAccount: async () => anAccount({ id: 'ann' }),
    clock,
  }
})

function add(change: Partial<Clip>): ListedClip {
  const clip = { ...aClip({ kind: 'link', uniqueKey: KEY, ...change }), sourceAlias: 'gate' }
  clips.set(clip.id, clip)
  return clip
}
const set = (id: string, change: Partial<Clip>) => void clips.set(id, { ...clips.get(id)!, ...change })
const ready = { state: 'ready', parts: [aClipPart()], finishedAt: 1_000_000 } as const
const open = (token = 'right') => createLinkClipService(deps).byLink(target, token)

test('the first who opens it waits until it is cut, and is no longer made to wait than that', async () => {
  const [sleeping, opening] = [clock.nextSleep(), open()]
  await sleeping
  set([...clips.keys()][0]!, ready)
  await clock.advance(400)
  expect(await opening).toMatchObject({
    state: 'ready',
    kind: 'link',
    uniqueKey: KEY,
    accountId: 'ann',
    usedAt: 1_000_000,
  })
})

test('after eight seconds it is answered as it is then', async () => {
  let isAnswered = false
  const opening = open().finally(() => (isAnswered = true))
  await clock.nextSleep()
  for (let passedMs = 0; passedMs < 8_000; passedMs += 400) {
    expect(isAnswered).toBe(false)
    await clock.advance(400)
  }
  expect(await opening).toMatchObject({ state: 'waiting' })
})

test('many who wait for one look for it together', async () => {
  const { id } = add({})
  let looks = 0
  const { find } = deps.store
  const counted = (of: string) => {
    looks += 1
    return find(of)
  }
  deps = { ...deps, store: { ...deps.store, find: counted } }
  const service = createLinkClipService(deps)
  const opening = Promise.all(Array.from({ length: 100 }, () => service.byLink(target, 'right')))
  await clock.nextSleep()
  for (let passedMs = 0; passedMs < 4_000; passedMs += 400) await clock.advance(400)
  set(id, ready)
  await clock.advance(400)
  expect((await opening).map(({ state }) => state)).toEqual(Array.from({ length: 100 }, () => 'ready'))
  expect(looks).toBeLessThan(20)
  // Who comes after them is answered anew.
  expect(await service.byLink(target, 'right')).toMatchObject({ state: 'ready' })
})

test('one that is there is answered at once, and who opens it keeps it', async () => {
  const { id } = add({ ...ready, usedAt: 1 })
  expect(await open()).toMatchObject({ id })
  expect([made, clips.get(id)!.usedAt]).toEqual([0, clock.now()])
})

test('what goes on is cut anew when there is more of it', async () => {
  const { id } = add({ ...ready, to: 15_000 })
  const opening = open()
  await clock.nextSleep()
  const [clip] = [...clips.values()]
  set(clip!.id, ready)
  await clock.advance(400)
  expect([(await opening).id === id, clips.has(id), made]).toEqual([false, false, 1])
})

test.each([
  ['a minute later it is tried again', 60_000, 1],
  ['before that it says why it failed', 59_999, 0],
])('one that failed: %s', async (_what, ageMs, times) => {
  add({ state: 'failed', error: 'The disk was full.', finishedAt: clock.now() - ageMs })
  deps.clips.make = async (_owner, order, of) => {
    made += 1
    return add({ ...order, ...of, state: 'failed', error: 'The disk was full.', finishedAt: clock.now() })
  }
  const failure = { code: 'clip-failed', message: expect.stringContaining('The disk was full.') as string }
  await expect(open()).rejects.toMatchObject(failure)
  expect(made).toBe(times)
})

test('one that is deleted while somebody waits for it is not found', async () => {
  const opening = open()
  opening.catch(() => {})
  await clock.nextSleep()
  clips.clear()
  await clock.advance(400)
  await expect(opening).rejects.toMatchObject({ code: 'clip-not-found' })
})

test('a link that was not signed, or whose key is revoked, opens nothing', async () => {
  await expect(open('wrong')).rejects.toMatchObject({ code: 'link-expired' })
  deps = { ...deps, findAccount: () => Promise.reject(new AppError('api-key-invalid')) }
  await expect(open()).rejects.toMatchObject({ code: 'link-expired' })
  expect(made).toBe(0)
})

test('with a key both rights are needed, of whoever has the source', async () => {
  add(ready)
  const asked: string[] = []
  const byKey = () => createLinkClipService(deps).forCaller(anAccount({ id: 'bob' }), 'ann', target)
  deps = {
    ...deps,
    rights: {
      async ownerFor({ id }, sourceId, right, username) {
        asked.push([id, sourceId, right, username].join(' '))
        return anAccount({ id: 'ann' })
      },
    },
  }
  expect(await byKey()).toMatchObject({ state: 'ready' })
  expect(asked).toEqual(['bob cam watch ann', 'bob cam events ann'])
  deps = { ...deps, rights: { ownerFor: async (caller) => caller } }
  await expect(byKey()).rejects.toMatchObject({ code: 'alert-event-not-found' })
})

test('only who may see it is led to the node that has it, and to none where it is in the store or not ready', async () => {
  const nodeOf = (token: string | undefined, isCaller: boolean) =>
    createLinkClipService(deps).nodeOf(target, token, isCaller)
  const { id } = add({ ...ready, nodeId: 'north' })
  expect([await nodeOf('right', false), await nodeOf(undefined, true)]).toEqual(['north', 'north'])
  // A token that was made up counts no more for who has a key.
  expect([await nodeOf('wrong', true), await nodeOf(undefined, false)]).toEqual([undefined, undefined])
  set(id, { state: 'working' })
  expect(await nodeOf('right', false)).toBeUndefined()
})
