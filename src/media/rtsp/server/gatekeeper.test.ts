import { expect, test } from 'vitest'
import { MediaRefusal } from '../../refusal.ts'
import { createGatekeeper } from './gatekeeper.ts'

test.each([
  { what: 'a right that is gone', error: new MediaRefusal('credentials-wrong', 'The key is revoked.'), isLost: true },
  { what: 'nobody who could be asked', error: new MediaRefusal('unavailable', 'Try again.'), isLost: false },
  { what: 'an error of ours', error: new Error('The channel is closed.'), isLost: false },
])('$what ends the connection: $isLost', async ({ error, isLost }) => {
  const gatekeeper = createGatekeeper({
    remoteAddress: '127.0.0.1',
    maxWrong: 3,
    nonceMs: 1000,
    now: () => 0,
    onGranted: () => {},
  })
  await expect(gatekeeper.confirm({ confirm: () => Promise.reject(error) })).rejects.toThrow()
  expect(gatekeeper.isFedUp).toBe(isLost)
})
