import { createHash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { type Account } from '../core/account.ts'
import { DIGEST_REALM, digestHa1 } from '../core/digest.ts'
import { AppError } from '../core/errors.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { type AccessQuestion } from '../media/messages.ts'
import { createInternalTokens } from './grants.ts'
import { createAdmission, createMediaAccess, isLoopback, type MediaAuth } from './media-access.ts'
import { type TokenIssuer } from './path-tokens.ts'
import { pullPrincipal } from './pulled-paths.ts'
import { createRelayTokens } from './relay-tokens.ts'

const ada = { id: 'ada-id', username: 'ada', limits: { maxSources: 3, maxReaders: 9 } } as Account
const readToken = {
  principal: 'token:t',
  accountId: 'ada-id',
  ha1: digestHa1('ada', DIGEST_REALM, 'tk_read'),
}
const isForReadToken = ({ action, path }: AccessQuestion) => action === 'read' && path === 'ada/cam'
const issuers: readonly TokenIssuer[] = [
  {
    find: async (token, question) => (token === 'tk_read' && isForReadToken(question) ? readToken : undefined),
    listProvable: async (question) => (isForReadToken(question) ? [readToken] : []),
  },
  {
    find: async (token, { path }) =>
      token === 'ot_yard' && path === 'ada/yard' ? { principal: 'output-viewer', accountId: 'ada-id' } : undefined,
  },
  {
    find: async (token, { path }) =>
      token === 'pt_camera' && path === 'ada/camera'
        ? { principal: pullPrincipal(path), accountId: 'ada-id' }
        : token === 'tk_publish' && path === 'ada/camera'
          ? { principal: 'token:p', accountId: 'ada-id' }
          : undefined,
  },
]
const internalTokens = createInternalTokens()
const clock = createFakeClock()
const relayTokens = createRelayTokens(createLinkSigner('of all nodes'), clock)
const internal = internalTokens.issue({ action: 'read', path: 'ada/cam' })
const quota = { owner: 'ada', maxPaths: 3 }
let isRevoked = false
/** The path of a source of Bob's that Ada may watch. */
let given = ''
beforeEach(() => {
  isRevoked = false
  given = ''
})

const refuseKey = () => Promise.reject(new AppError('api-key-invalid'))

function access(auth: MediaAuth = 'remote') {
  const admit = createAdmission({
    auth,
    internalTokens,
    relayTokens,
    issuers,
    isPulled: (path) => path === 'ada/camera',
    authenticator: {
      byKey: async (key) => (key === 'right' ? ada : refuseKey()),
      byKeyAgain: async (key) => (key === 'right' && !isRevoked ? ada : refuseKey()),
      byDigest: refuseKey,
      byDigestAgain: refuseKey,
      byId: async (id) => (id === 'ada-id' && !isRevoked ? ada : refuseKey()),
    },
    owners: {
      mayUse: async (account, username) => account.username === username,
      find: async (username) => (username === 'ada' ? ada : undefined),
    },
    rights: { mayWatch: async (accountId, path) => accountId === 'ada-id' && path === given },
  })
  return createMediaAccess(admit, () => 'Give your key.')
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

describe('the right to publish and to read', () => {
  test.each([
    ['nobody publishes without a key, not even from here', 'publish', none, '127.0.0.1', no('credentials-needed')],
    ['with AERIE_MEDIA_AUTH=remote this machine reads without one', 'read', none, '127.0.0.1', yes('anonymous')],
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

  test('another node does the one thing on the one path that its token is for, as a relay, until that expires', async () => {
    const relay = { access: { principal: 'relay', isInternal: true, isRelay: true } }
    const read = token(relayTokens.issue('read', 'ada/cam'))
    const publish = token(relayTokens.issue('publish', 'ada/camera'))
    expect(await ask('read', 'ada/cam', read)).toEqual(relay)
    expect(await ask('publish', 'ada/camera', publish)).toEqual(relay)
    for (const [action, path, shown] of [
      ['publish', 'ada/cam', read],
      ['read', 'ada/yard', read],
      ['read', 'ada/cam', token(read.token.slice(3))],
      ['read', 'ada/cam', token(createRelayTokens(createLinkSigner('of others'), clock).issue('read', 'ada/cam'))],
    ] as const)
      expect(await ask(action, path, shown)).toMatchObject(no('credentials-wrong'))
    await clock.advance(59_000)
    expect(await ask('read', 'ada/cam', read)).toEqual(relay)
    await clock.advance(2_000)
    expect(await ask('read', 'ada/cam', read)).toMatchObject(no('credentials-wrong'))
  })

  test('only an account that has the path is its owner, not who was given a token, or needs none', async () => {
    const ownership = async (credentials: Credentials) => {
      const answer = await ask('read', 'ada/cam', credentials, '203.0.113.9', 'off')
      return 'access' in answer && answer.access.isOwner === true
    }
    expect(await ownership(key('right'))).toBe(true)
    expect(await ownership(token('tk_read'))).toBe(false)
    expect(await ownership(none)).toBe(false)
  })

  test('a key is good for its own paths only', async () => {
    expect(await ask('read', 'bob/cam', key('right'))).toMatchObject(no('forbidden'))
    expect(await ask('read', 'ada/other', token('tk_read'))).toMatchObject(no('credentials-wrong'))
  })

  test('who was given the right to watch a source reads its path and its preview, and does nothing else with it', async () => {
    given = 'bob/cam'
    expect(await ask('read', 'bob/cam', key('right'))).toEqual({ access: { principal: 'ada-id' } })
    expect(await ask('read', 'bob/cam/~preview', password('ada', 'right'))).toEqual({ access: { principal: 'ada-id' } })
    expect(await ask('publish', 'bob/cam', key('right'))).toMatchObject(no('forbidden'))
    expect(await ask('read', 'bob/cam2', key('right'))).toMatchObject(no('forbidden'))
    expect(await ask('read', 'bob/cam', key('wrong'))).toMatchObject(no('credentials-wrong'))
    const request = { credentials: key('right'), remoteAddress: '203.0.113.9', protocol: 'rtsp' } as const
    const again = { action: 'read', path: 'bob/cam', request, isAgain: true } as const
    expect(await access()(again)).toMatchObject(yes('ada-id'))
    given = ''
    expect(await access()(again)).toMatchObject(no('forbidden'))
  })

  test.each([
    ['its owner’s key does not publish to it', 'publish', key('right'), no('path-in-use')],
    ['nor does a token', 'publish', token('tk_publish'), no('path-in-use')],
    ['a wrong key learns nothing of it', 'publish', key('wrong'), no('credentials-wrong')],
    ['the camera does', 'publish', token('pt_camera'), yes('pull:ada/camera')],
    ['its owner reads it', 'read', key('right'), yes('ada-id')],
  ] as const)('the path of a camera that we call: %s', async (_name, action, credentials, answer) => {
    expect(await ask(action, 'ada/camera', credentials)).toMatchObject(answer)
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

  test('a token dies with the key of its account, for sources and for outputs, also by Digest', async () => {
    expect(await ask('read', 'ada/yard', token('ot_yard'))).toMatchObject(yes('output-viewer'))
    isRevoked = true
    expect(await ask('read', 'ada/cam', token('tk_read'))).toMatchObject(no('credentials-wrong'))
    expect(await ask('read', 'ada/cam', password('ada', 'tk_read'))).toMatchObject(no('credentials-wrong'))
    expect(await ask('read', 'ada/yard', token('ot_yard'))).toMatchObject(no('credentials-wrong'))
  })

  test('a worker reads for people who watch where its grant says so', async () => {
    const gateway = internalTokens.issue({ action: 'read', path: 'ada/cam', isForViewers: true })
    const access = { principal: 'internal', isInternal: true, isForViewers: true }
    expect(await ask('read', 'ada/cam', token(gateway))).toEqual({ access })
  })

  test('a publication counts against its owner, also through our gateway; what our workers publish does not', async () => {
    expect(await ask('publish', 'ada/cam', key('right'))).toEqual({
      access: { principal: 'ada-id', isOwner: true, quota },
    })
    const onBehalfOf = { principal: 'ada-id', quota }
    const gateway = internalTokens.issue({ action: 'publish', path: 'ada/cam', onBehalfOf })
    const worker = internalTokens.issue({ action: 'publish', path: 'ada/out' })
    expect(await ask('publish', 'ada/cam', token(gateway))).toEqual({ access: { ...onBehalfOf, isInternal: true } })
    expect(await ask('publish', 'ada/out', token(worker))).toEqual({
      access: { principal: 'internal', isInternal: true },
    })
  })

  test.each([
    ['a key', key('right'), 'always'],
    ['a token', token('tk_read'), 'always'],
    ['nothing, where none is needed', none, 'off'],
  ] as const)('a reading by %s counts against whose stream it is; our workers’ do not', async (_who, shown, auth) => {
    const readerQuota = { owner: 'ada', maxReaders: 9 }
    expect(await ask('read', 'ada/cam', shown, '203.0.113.9', auth)).toMatchObject({ access: { readerQuota } })
    expect(await ask('read', 'ada/cam', token(internal))).toEqual({
      access: { principal: 'internal', isInternal: true },
    })
  })

  test('a client that was admitted before is asked about without counting attempts', async () => {
    const request = { credentials: key('right'), remoteAddress: '203.0.113.9', protocol: 'rtsp' } as const
    const again = { action: 'publish', path: 'ada/cam', request, isAgain: true } as const
    expect(await access()(again)).toMatchObject(yes('ada-id'))
    isRevoked = true
    expect(await access()(again)).toMatchObject(no('credentials-wrong'))
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
  ['::FFFF:127.0.0.1', true],
  ['::ffff:10.0.0.1', false],
  ['::ffff:7f00:1', true],
  ['2002:7f00:1::1', false],
  ['64:ff9b::7f00:1', false],
  ['10.0.0.1', false],
  ['', false],
  ['127.0.0.1:4711', false],
  ['unknown', false],
])('%s is this machine: %s', (address, expected) => expect(isLoopback(address)).toBe(expected))
