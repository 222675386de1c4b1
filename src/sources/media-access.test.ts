import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { DIGEST_REALM, digestHa1 } from '../core/digest.ts'
import { AppError } from '../core/errors.ts'
import { type Account } from '../core/words.ts'
import { type AccessQuestion } from '../media/messages.ts'
import { createInternalTokens } from './internal-tokens.ts'
import { createAdmission, createMediaAccess, isLoopback } from './media-access.ts'
import { type PathToken } from './source-tokens.store.ts'

const clock = createFakeClock()
const ada = { id: 'ada-id', username: 'ada' } as Account
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const readToken: PathToken = {
  id: 't',
  sourceId: 's',
  action: 'read',
  expiresAt: clock.now() + 1000,
  createdAt: 0,
  path: 'ada/cam',
  accountId: 'ada-id',
  ha1: digestHa1('ada', DIGEST_REALM, 'tk_read'),
}
const internalTokens = createInternalTokens()
const internal = internalTokens.issue({ action: 'read', path: 'ada/cam' })

function access(auth: 'always' | 'remote' | 'off' = 'remote') {
  const admit = createAdmission({
    auth,
    clock,
    internalTokens,
    outputs: { mayRead: async (token, path) => token === 'ot_yard' && path === 'ada/yard' },
    authenticator: {
      byKey: async (key) => {
        if (key !== 'right') throw new AppError('api-key-invalid')
        return ada
      },
      byDigest: async () => Promise.reject(new AppError('api-key-invalid')),
    },
    owners: { mayUse: async (account, username) => account.username === username },
    tokens: {
      findByHash: async (hash) => (hash === sha256('tk_read') ? readToken : undefined),
      listForPath: async (path) => (path === 'ada/cam' ? [readToken] : []),
    },
  })
  return createMediaAccess(admit)
}

type Credentials = AccessQuestion['request']['credentials']
const ask = (
  action: 'publish' | 'read',
  path: string,
  credentials: Credentials,
  remoteAddress = '203.0.113.9',
  auth?: 'always' | 'off',
) => access(auth)({ action, path, request: { credentials, remoteAddress, protocol: 'rtsp' } })

const none = { kind: 'none' } as const
const key = (text: string) => ({ kind: 'key', key: text }) as const
const token = (text: string) => ({ kind: 'token', token: text }) as const
const password = (username: string, text: string) => ({ kind: 'password', username, password: text }) as const
const yes = (principal: string) => ({ access: { principal } })
const no = (reason: string) => ({ refusal: { reason } })

describe('who may publish and read', () => {
  test.each([
    ['nobody publishes without a key, not even from here', 'publish', none, '127.0.0.1', no('credentials-needed')],
    ['this machine reads without one', 'read', none, '127.0.0.1', yes('anonymous')],
    ['also by its mapped address', 'read', none, '::ffff:127.0.0.1', yes('anonymous')],
    ['others do not', 'read', none, '203.0.113.9', no('credentials-needed')],
    ['a wrong key is refused everywhere', 'read', key('wrong'), '127.0.0.1', no('credentials-wrong')],
    ['a right key publishes', 'publish', key('right'), '203.0.113.9', yes('ada-id')],
    ['and reads', 'read', password('ada', 'right'), '203.0.113.9', yes('ada-id')],
    ['but not under another name', 'read', password('bob', 'right'), '203.0.113.9', no('credentials-wrong')],
    ['a read token reads', 'read', token('tk_read'), '203.0.113.9', yes('token:t')],
    ['also as a password', 'read', password('ada', 'tk_read'), '203.0.113.9', yes('token:t')],
    ['but does not publish', 'publish', token('tk_read'), '203.0.113.9', no('credentials-wrong')],
    ['our own worker does what it was made for', 'read', token(internal), '127.0.0.1', yes('internal')],
    ['and nothing else', 'publish', token(internal), '127.0.0.1', no('credentials-wrong')],
  ] as const)('%s', async (_name, action, credentials, address, answer) => {
    expect(await ask(action, 'ada/cam', credentials, address)).toMatchObject(answer)
  })

  test('a key is good for its own paths only', async () => {
    expect(await ask('read', 'bob/cam', key('right'))).toMatchObject(no('forbidden'))
    expect(await ask('read', 'ada/other', token('tk_read'))).toMatchObject(no('credentials-wrong'))
  })

  test('a token also proves itself by Digest', async () => {
    const md5 = (text: string) => createHash('md5').update(text).digest('hex')
    const proof = { username: 'ada', realm: DIGEST_REALM, nonce: 'n', uri: 'rtsp://h/ada/cam', method: 'DESCRIBE' }
    const response = md5(`${readToken.ha1}:n:${md5('DESCRIBE:rtsp://h/ada/cam')}`)
    expect(await ask('read', 'ada/cam', { kind: 'digest', ...proof, response })).toMatchObject(yes('token:t'))
    expect(await ask('read', 'ada/cam', { kind: 'digest', ...proof, response: md5('x') })).toMatchObject(
      no('credentials-wrong'),
    )
  })

  test('an expired token is none', async () => {
    await clock.advance(1000)
    expect(await ask('read', 'ada/cam', token('tk_read'))).toMatchObject(no('credentials-wrong'))
  })

  test('AERIE_MEDIA_AUTH: always asks everyone, off asks no reader', async () => {
    expect(await ask('read', 'ada/cam', none, '127.0.0.1', 'always')).toMatchObject(no('credentials-needed'))
    expect(await ask('read', 'ada/cam', none, '203.0.113.9', 'off')).toMatchObject(yes('anonymous'))
    expect(await ask('publish', 'ada/cam', none, '127.0.0.1', 'off')).toMatchObject(no('credentials-needed'))
  })
})

test.each([
  ['127.0.0.1', true],
  ['127.8.8.8', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['10.0.0.1', false],
  ['', false],
])('%s is this machine: %s', (address, expected) => expect(isLoopback(address)).toBe(expected))
