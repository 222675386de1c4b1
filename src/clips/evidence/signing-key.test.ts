import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createSigningKey, readPublicKey } from './signing-key.ts'

const message = Buffer.from('manifest')

test('the same secret makes the same key, and another another', () => {
  const key = createSigningKey('a')
  expect(createSigningKey('a').pem).toBe(key.pem)
  expect(createSigningKey('b').fingerprint).not.toBe(key.fingerprint)
  expect(key.fingerprint).toMatch(/^[\da-f]{64}$/)
})

test('what it signs is checked with its public key alone, by anybody', () => {
  const key = createSigningKey('a')
  const signature = key.sign(message)
  expect(verify(null, message, createPublicKey(key.pem), signature)).toBe(true)
  const read = readPublicKey(key.pem)!
  expect(read.fingerprint).toBe(key.fingerprint)
  expect(read.isSignedBy(message, signature)).toBe(true)
  expect(read.isSignedBy(Buffer.from('manifesT'), signature)).toBe(false)
})

test('the public key says nothing of the secret', () => {
  expect(Object.keys(readPublicKey(createSigningKey('a').pem)!)).toEqual(['pem', 'fingerprint', 'isSignedBy'])
})

const pem = { format: 'pem' } as const
test.each([
  ['nothing', ''],
  ['no key', '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'],
  ['a key of RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ ...pem, type: 'spki' })],
  ['a private key', generateKeyPairSync('ed25519').privateKey.export({ ...pem, type: 'pkcs8' })],
])('%s is no public key', (_, text) => expect(readPublicKey(String(text))).toBeUndefined())
