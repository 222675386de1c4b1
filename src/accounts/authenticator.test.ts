import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { type Account } from '../core/account.ts'
import { createAttemptLimiter } from '../core/attempt-limiter.ts'
import { DIGEST_REALM, digestHa1 } from '../core/digest.ts'
import { hashApiKey } from './api-key.ts'
import { createAuthenticator, isExpired } from './authenticator.ts'

function setUp(expirationDate: string | null = null) {
  const clock = createFakeClock()
  const account = { id: 'ada-id', username: 'ada', expirationDate } as Account
  const store = {
    findById: async (id: string) => (id === 'ada-id' ? account : undefined),
    findByKeyHash: async (sha256: string) => (sha256 === hashApiKey('right') ? account : undefined),
    findWithHa1: async (username: string) =>
      username === 'ada' ? { account, ha1: digestHa1('ada', DIGEST_REALM, 'right') } : undefined,
  }
  const limiter = createAttemptLimiter({ clock, burst: 3 })
  const authenticator = createAuthenticator({ store, limiter, clock })
  const authenticate: typeof authenticator.byKey = (...args) => authenticator.byKey(...args)
  const byDigest: typeof authenticator.byDigest = (...args) => authenticator.byDigest(...args)
  const byId: typeof authenticator.byId = (accountId) => authenticator.byId(accountId)
  return { clock, authenticate, byDigest, byId }
}

test('a right key identifies its account; none, a wrong one and an expired one have errors of their own', async () => {
  const { authenticate } = setUp()
  expect((await authenticate('right', '1.1.1.1')).username).toBe('ada')
  await expect(authenticate(undefined, '1.1.1.1')).rejects.toMatchObject({ code: 'api-key-missing' })
  await expect(authenticate('wrong', '1.1.1.1')).rejects.toMatchObject({ code: 'api-key-invalid' })
  const expired = setUp('2025-12-31')
  await expect(expired.authenticate('right', '1.1.1.1')).rejects.toMatchObject({ code: 'api-key-expired' })
})

test('a guesser hears late that it guesses too often; a right key passes at once, though nobody has shown it before', async () => {
  const { authenticate, clock } = setUp()
  for (let i = 0; i < 3; i++) await expect(authenticate(`guess-${i}`, '1.1.1.1')).rejects.toMatchObject({ status: 403 })
  const slowed = clock.nextSleep()
  const guess = authenticate('guess', '1.1.1.1').catch((error: unknown) => error)
  await slowed
  expect((await authenticate('right', '1.1.1.1')).username).toBe('ada')
  await clock.advance(2_000)
  expect(await guess).toMatchObject({ code: 'too-many-attempts', retryAfterSeconds: 1 })
})

test.each([
  [null, '2099-01-01T00:00:00Z', false],
  ['2026-03-01', '2026-03-01T23:59:59.999Z', false],
  ['2026-03-01', '2026-03-02T00:00:00Z', true],
])('a key that expires on %s is at %s expired: %s', (date, now, expected) =>
  expect(isExpired(date, Date.parse(now))).toBe(expected),
)

test('a proof of knowing the key is as good as the key; guessing proofs is slowed down too', async () => {
  const { byDigest, clock } = setUp()
  const proof = { method: 'DESCRIBE', uri: 'rtsp://x/ada/1', nonce: 'n' }
  const sum = (text: string) => createHash('md5').update(text).digest('hex')
  const response = sum(`${digestHa1('ada', DIGEST_REALM, 'right')}:n:${sum('DESCRIBE:rtsp://x/ada/1')}`)
  expect((await byDigest('ada', { ...proof, response }, '1.1.1.1')).username).toBe('ada')
  await expect(byDigest('bob', { ...proof, response }, '1.1.1.1')).rejects.toMatchObject({ code: 'api-key-invalid' })
  for (let i = 0; i < 2; i++) await expect(byDigest('ada', { ...proof, response: '0' }, '1.1.1.1')).rejects.toThrow()
  const slowed = clock.nextSleep()
  const guess = byDigest('ada', { ...proof, response: '0' }, '1.1.1.1').catch((error: unknown) => error)
  await slowed
  expect((await byDigest('ada', { ...proof, response }, '1.1.1.1')).username).toBe('ada')
  await clock.advance(2_000)
  expect(await guess).toMatchObject({ code: 'too-many-attempts' })
})

test('who goes on without showing a key is asked for by its account', async () => {
  expect((await setUp().byId('ada-id')).username).toBe('ada')
  await expect(setUp().byId('revoked-id')).rejects.toMatchObject({ code: 'api-key-invalid' })
  await expect(setUp('2025-12-31').byId('ada-id')).rejects.toMatchObject({
    code: 'api-key-expired',
    message: expect.stringContaining('2025-12-31') as string,
  })
})

test('a username that no database would take is nobody’s, and not looked for', async () => {
  const clock = createFakeClock()
  const unused = async () => {
    throw new Error('invalid byte sequence for encoding "UTF8": 0x00')
  }
  const store = { findById: unused, findByKeyHash: unused, findWithHa1: unused }
  const limiter = createAttemptLimiter({ clock })
  const authenticator = createAuthenticator({ store, limiter, clock })
  const proof = { method: 'DESCRIBE', uri: 'rtsp://x/ada/1', nonce: 'n', response: '0' }
  await expect(authenticator.byDigest('a\0', proof, '1.1.1.1')).rejects.toMatchObject({ code: 'api-key-invalid' })
})
