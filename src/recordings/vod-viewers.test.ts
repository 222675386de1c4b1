import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { anAccount } from '../../test/builders/plain-account.ts'
import { AppError } from '../core/errors.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { RECHECK_MS } from '../core/standing-rights.ts'
import { createVodViewers, type ViewerToken } from './vod-viewers.ts'

function createRig() {
  const clock = createFakeClock()
  const token: ViewerToken = { action: 'read', path: 'ann/gate', accountId: 'ann', expiresAt: null }
  const rig = {
    clock,
    may: new Set(['ann']),
    keyHash: 'hash of a key' as string | undefined,
    tokens: new Map<string, ViewerToken>([['t', token]]),
    isKeyRevoked: false,
    isOpen: true,
    isDatabaseAway: false,
    asked: 0,
  }
  const ask = <T>(answer: () => T) => {
    rig.asked += 1
    if (rig.isDatabaseAway) throw new Error('away')
    return answer()
  }
  const viewers = createVodViewers({
    rights: { mayWatch: async (accountId) => ask(() => rig.may.has(accountId)) },
    tokens: { find: async (id) => ask(() => rig.tokens.get(id)) },
    async findAccount() {
      if (rig.isKeyRevoked) throw new AppError('api-key-invalid')
      return anAccount({})
    },
    findKeyHash: async () => ask(() => rig.keyHash),
    signer: createLinkSigner('secret'),
    streams: {
      admit: async ({ request }) =>
        ask(() => {
          const isHere = request.remoteAddress === '127.0.0.1'
          if (!rig.isOpen || !isHere || request.credentials.kind !== 'none') throw new AppError('api-key-missing')
          return { principal: 'anonymous' }
        }),
    },
    clock,
  })
  const mayWatch = (viewer: string, address = '127.0.0.1', path = 'ann/gate') => viewers.mayWatch(viewer, path, address)
  return { rig, token, mayWatch, nameOf: (principal: string) => viewers.nameOf(principal) }
}

test('an account may for as long as it has the right, and is asked about every few seconds', async () => {
  const { rig, mayWatch, nameOf } = createRig()
  const [ann, bob] = [await nameOf('ann'), await nameOf('bob')]
  rig.asked = 0
  expect([await mayWatch(ann), await mayWatch(ann), await mayWatch(bob)]).toEqual([true, true, false])
  // Each for its key and for its right.
  expect(rig.asked).toBe(4)
  rig.may.delete('ann')
  await rig.clock.advance(RECHECK_MS)
  expect(await mayWatch(ann)).toBe(false)
})

test('with another key, or without one, an account begins anew; tokens have names of their own', async () => {
  const { rig, mayWatch, nameOf } = createRig()
  const before = await nameOf('ann')
  expect(before).toMatch(/^ann:[\w-]{16}$/)
  expect(before).not.toContain('hash')
  expect(await mayWatch(before)).toBe(true)
  rig.keyHash = 'another'
  await rig.clock.advance(RECHECK_MS)
  expect(await mayWatch(before)).toBe(false)
  expect(await mayWatch(await nameOf('ann'))).toBe(true)
  expect(await mayWatch('ann')).toBe(false)
  rig.keyHash = undefined
  await rig.clock.advance(RECHECK_MS)
  expect(await mayWatch(before)).toBe(false)
  expect([await nameOf('token:t'), await nameOf('anonymous')]).toEqual(['token:t', 'anonymous'])
})

test('a token may for as long as it is stored, good for this, and its key counts', async () => {
  const { rig, token, mayWatch } = createRig()
  const next = async () => {
    await rig.clock.advance(RECHECK_MS)
    return mayWatch('token:t')
  }
  expect(await mayWatch('token:t')).toBe(true)
  expect(await mayWatch('token:t', '127.0.0.1', 'ann/yard')).toBe(false)
  rig.tokens.set('t', { ...token, action: 'publish' })
  expect(await next()).toBe(false)
  rig.tokens.set('t', { ...token, expiresAt: rig.clock.now() + RECHECK_MS })
  expect(await next()).toBe(false)
  rig.tokens.set('t', token)
  expect(await next()).toBe(true)
  rig.isKeyRevoked = true
  expect(await next()).toBe(false)
  rig.isKeyRevoked = false
  rig.tokens.clear()
  expect(await next()).toBe(false)
})

test('who needed no key may for as long as nobody does from there', async () => {
  const { rig, mayWatch } = createRig()
  expect([await mayWatch('anonymous'), await mayWatch('anonymous', '192.0.2.1')]).toEqual([true, false])
  rig.isOpen = false
  await rig.clock.advance(RECHECK_MS)
  expect(await mayWatch('anonymous')).toBe(false)
})

test('while the database is away who was let in stays, and nobody else comes in', async () => {
  const { rig, mayWatch, nameOf } = createRig()
  const [ann, bob, eve] = await Promise.all(['ann', 'bob', 'eve'].map(nameOf))
  await mayWatch(ann!)
  await mayWatch(bob!)
  rig.isDatabaseAway = true
  await rig.clock.advance(RECHECK_MS)
  expect([await mayWatch(ann!), await mayWatch(bob!)]).toEqual([true, false])
  await expect(mayWatch(eve!)).rejects.toThrow('away')
})
