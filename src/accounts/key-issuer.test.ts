import { expect, test } from 'vitest'
import { type Account } from '../core/account.ts'
import { systemClock } from '../core/clock.ts'
import { createKeyIssuer } from './key-issuer.ts'

test('a key whose master is revoked while it is made is not found', async () => {
  const store = {
    insertMaster: async () => 'inserted' as const,
    insertChild: async () => 'inserted' as const,
    findByUsername: async () => undefined,
    findRevoked: async () => undefined,
  }
  const issuer = createKeyIssuer({ store, clock: systemClock })
  const issued = issuer.createChild({ id: 'master' } as Account, { username: 'child', minutes: 0 })
  await expect(issued).rejects.toMatchObject({ code: 'key-not-found' })
})
