import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { AppError } from '../core/errors.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { createHlsViewers, type HlsViewers, type ViewerLimits } from './hls-viewers.ts'
import { type WatchQuestion } from './watch-access.ts'
import { type WatchCredentials } from './watch-credentials.ts'

const KEY = 'ak_right'
const signer = createLinkSigner('secret')
let clock: FakeClock
let viewers: HlsViewers
let checks: number
/** The paths whose viewers were new. */
let firstChecks: string[]
let isRevoked: boolean
let isAway: boolean
/** What the database says comes when this resolves. */
let hanging: Promise<void> | undefined

function create(limits?: ViewerLimits): HlsViewers {
  const deps = {
    signer,
    clock,
    async access({ path, credentials, isAgain }: WatchQuestion) {
      checks += 1
      if (!isAgain) firstChecks.push(path)
      await hanging
      if (isAway) throw new Error('The database is away.')
      if (isRevoked || credentials.key !== KEY) throw new AppError('api-key-invalid')
      return { principal: 'ann', isOwner: true }
    },
  }
  return createHlsViewers(deps, limits)
}

beforeEach(() => {
  clock = createFakeClock()
  checks = 0
  firstChecks = []
  isRevoked = false
  isAway = false
  hanging = undefined
  viewers = create()
})

async function admit(credentials: WatchCredentials, { path = 'ann/cam', isFirst = false, isInQuery = true } = {}) {
  const { uriQuery } = await viewers.admit({ path, credentials, isInQuery, isFirst, address: '192.0.2.1' })
  return uriQuery
}
const tokenOf = (uriQuery: string) => ({ token: uriQuery.replace('token=', '') })

test('a key in the address is replaced by a token for the same path', async () => {
  const query = await admit({ key: KEY }, { isFirst: true })
  expect(query).toMatch(/^token=hv_[\w.-]+$/)
  expect(await admit(tokenOf(query))).toBe(query)
  await expect(admit(tokenOf(query), { path: 'ann/other' })).rejects.toMatchObject({ code: 'viewing-expired' })
})

test('a key in a header is not in any address', async () => {
  expect(await admit({ key: KEY }, { isInQuery: false })).toBe('')
  await expect(admit({ key: 'ak_wrong' }, { isInQuery: false })).rejects.toMatchObject({ status: 403 })
})

test.each(['hv_', 'hv_a.b.c', 'hv_..', `hv_${'x'.repeat(180)}`])('nobody can make up %j', async (token) => {
  await expect(admit({ token })).rejects.toMatchObject({ code: 'viewing-expired' })
})

test('a token that is not used is over after two minutes', async () => {
  const token = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  await clock.advance(119_000)
  await admit(token)
  await clock.advance(121_000)
  await expect(admit(token)).rejects.toMatchObject({ code: 'viewing-expired' })
})

test('a token that is used goes on', async () => {
  const used = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  const unused = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  for (let i = 0; i < 20; i++) {
    await clock.advance(20_000)
    await admit(used)
  }
  await expect(admit(unused)).rejects.toMatchObject({ code: 'viewing-expired' })
})

test('a token outlives a restart of the service, for its own two minutes', async () => {
  const token = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  viewers = create()
  expect(await admit(token)).toBe(`token=${token.token}`)
  for (let i = 0; i < 2; i++) await clock.advance(59_000).then(() => admit(token))
  await clock.advance(2_000)
  await expect(admit(token)).rejects.toMatchObject({ code: 'viewing-expired' })
})

test('a revoked key ends the viewings that came of it within three seconds', async () => {
  const token = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  isRevoked = true
  await clock.advance(3_000)
  for (let i = 0; i < 3; i++) await expect(admit(token)).rejects.toMatchObject({ code: 'api-key-invalid' })
  await clock.advance(60_000)
  await expect(admit(token)).rejects.toMatchObject({ code: 'api-key-invalid' })
})

test('a clock that is set back puts no check off, and keeps no viewer for longer', async () => {
  const token = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  clock.setBack(7_200_000)
  await clock.advance(121_000)
  await expect(admit(token)).rejects.toMatchObject({ code: 'viewing-expired' })
  const later = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  isRevoked = true
  clock.setBack(7_200_000)
  await clock.advance(3_000)
  await expect(admit(later)).rejects.toMatchObject({ code: 'api-key-invalid' })
})

test('the right to watch is not checked for every piece', async () => {
  const token = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  for (let i = 0; i < 50; i++) await admit(token)
  for (let i = 0; i < 50; i++) await admit({ key: KEY }, { isInQuery: false })
  expect(checks).toBe(1)
})

test('viewers go on while their rights cannot be checked; new ones do not get in', async () => {
  const query = await admit({ key: KEY }, { isFirst: true })
  isAway = true
  await clock.advance(3_000)
  expect(await admit(tokenOf(query))).toBe(query)
  await expect(admit({ key: KEY }, { path: 'ann/other' })).rejects.toThrow('The database is away.')
})

test('viewers do not wait for a database that hangs; what it says then counts', async () => {
  const query = await admit({ key: KEY }, { isFirst: true })
  const answered = createDeferred()
  hanging = answered.promise
  isRevoked = true
  await clock.advance(3_000)
  const waiting = admit(tokenOf(query))
  await clock.advance(1_000)
  expect(await waiting).toBe(query)
  answered.resolve()
  await clock.advance(1)
  await expect(admit(tokenOf(query))).rejects.toMatchObject({ code: 'api-key-invalid' })
  isAway = true
  await clock.advance(3_000)
  await expect(admit(tokenOf(query))).rejects.toMatchObject({ code: 'api-key-invalid' })
})

const watch = (path: string) => admit({ key: KEY }, { path, isInQuery: false })
/** Which of them are checked as viewers that were never seen before. */
async function listForgotten(paths: readonly string[]): Promise<string[]> {
  firstChecks = []
  for (const path of paths) await watch(path)
  return firstChecks
}

test('viewers that are over are forgotten, whichever streams are requested next', async () => {
  const paths = Array.from({ length: 100 }, (_, i) => `owner${i}/cam`)
  expect(await listForgotten(paths)).toEqual(paths)
  expect(await listForgotten(paths)).toEqual([])
  await clock.advance(121_000)
  // Each request looks at the owners whose last request is longest ago, as far as their viewers are over.
  await watch('ann/cam')
  expect(await listForgotten(paths)).toEqual(paths)
})

test('who goes on asking keeps neither owners nor viewers that are over', async () => {
  await watch('gone/cam')
  for (let i = 0; i < 3; i++) {
    await clock.advance(61_000)
    await watch('ann/cam')
  }
  expect(await listForgotten(['ann/cam', 'gone/cam'])).toEqual(['gone/cam'])
})

test('one owner has so many viewers, and all together have so many: the oldest are forgotten', async () => {
  viewers = create({ perOwner: 3, all: 5 })
  for (let i = 0; i < 10; i++) await watch(`ann/cam${i}`)
  expect(await listForgotten(['ann/cam7', 'ann/cam8', 'ann/cam9', 'ann/cam6'])).toEqual(['ann/cam6'])
  for (let i = 0; i < 10; i++) await watch(`owner${i}/cam`)
  const latest = [5, 6, 7, 8, 9].map((i) => `owner${i}/cam`)
  expect(await listForgotten([...latest, 'owner4/cam'])).toEqual(['owner4/cam'])
})

test('the owner is recognized by its key and by the token made from it, but not by a token from before a restart', async () => {
  const ownership = async (credentials: WatchCredentials) => {
    const request = { path: 'ann/cam', credentials, isInQuery: true, isFirst: true, address: '192.0.2.1' }
    return viewers.admit(request)
  }
  const { isOwner, uriQuery } = await ownership({ key: KEY })
  expect(isOwner).toBe(true)
  expect(await ownership(tokenOf(uriQuery))).toMatchObject({ isOwner: true })
  viewers = create()
  expect(await ownership(tokenOf(uriQuery))).toMatchObject({ isOwner: false })
})
