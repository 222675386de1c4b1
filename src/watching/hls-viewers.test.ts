import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
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
let isRevoked: boolean
let isAway: boolean

function create(limits?: ViewerLimits): HlsViewers {
  const deps = {
    signer,
    clock,
    async access({ credentials }: WatchQuestion) {
      checks += 1
      if (isAway) throw new Error('The database is away.')
      if (isRevoked || credentials.key !== KEY) throw new AppError('api-key-invalid')
      return { principal: 'ann' }
    },
  }
  return createHlsViewers(deps, limits)
}

beforeEach(() => {
  clock = createFakeClock()
  checks = 0
  isRevoked = false
  isAway = false
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

test('who may watch is not asked for every piece', async () => {
  const token = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  for (let i = 0; i < 50; i++) await admit(token)
  for (let i = 0; i < 50; i++) await admit({ key: KEY }, { isInQuery: false })
  expect(checks).toBe(1)
})

test('viewers are counted while they ask, each once', async () => {
  const first = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  const second = tokenOf(await admit({ key: KEY }, { isFirst: true }))
  expect(viewers.count('ann/cam')).toBe(0)
  await admit(first)
  await admit(first)
  await admit(second)
  await admit({ key: KEY }, { isInQuery: false })
  expect(viewers.count('ann/cam')).toBe(3)
  expect(viewers.count('ann/other')).toBe(0)
  await clock.advance(9_000)
  await admit(first)
  await clock.advance(2_000)
  expect(viewers.count('ann/cam')).toBe(1)
})

test('who watches goes on while nobody can be asked; who comes then does not get in', async () => {
  const query = await admit({ key: KEY }, { isFirst: true })
  isAway = true
  await clock.advance(3_000)
  expect(await admit(tokenOf(query))).toBe(query)
  await expect(admit({ key: KEY }, { path: 'ann/other' })).rejects.toThrow('The database is away.')
})

const watch = (path: string) => admit({ key: KEY }, { path, isInQuery: false })

test('whoever is over is forgotten, whosever streams are asked for next', async () => {
  for (let i = 0; i < 100; i++) await watch(`owner${i}/cam`)
  expect(viewers.remembered).toBe(100)
  await clock.advance(121_000)
  // Each request looks at the owners who were not asked for longest, as far as they are over.
  await watch('ann/cam')
  expect(viewers.remembered).toBe(1)
})

test('who goes on asking keeps neither owners nor viewers that are over', async () => {
  await watch('gone/cam')
  for (let i = 0; i < 3; i++) {
    await clock.advance(61_000)
    await watch('ann/cam')
  }
  expect(viewers.remembered).toBe(1)
})

test('one owner has so many viewers, and all together have so many: the oldest are forgotten', async () => {
  viewers = create({ perOwner: 3, all: 5 })
  for (let i = 0; i < 10; i++) await watch(`ann/cam${i}`)
  expect(viewers.remembered).toBe(3)
  for (let i = 0; i < 10; i++) await watch(`owner${i}/cam`)
  expect(viewers.remembered).toBe(5)
  expect([0, 4, 5, 9].map((i) => viewers.count(`owner${i}/cam`))).toEqual([0, 0, 1, 1])
})
