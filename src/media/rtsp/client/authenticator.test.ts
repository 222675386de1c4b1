import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createAuthenticator, parseChallenges } from './authenticator.ts'

const credentials = { username: 'ada', password: 'p"w:ü' }
const url = 'rtsp://camera/x?y=z'

function fieldsOf(authorization: string | undefined): Record<string, string> {
  return Object.fromEntries(parseChallenges(authorization ?? '')[0]!.parameters)
}

/** RFC 7616 §3.4.1, in the test's own words. */
function expected(hash: string, fields: Record<string, string>, method: string): string {
  const of = (text: string) => createHash(hash).update(text, 'utf8').digest('hex')
  const ha1 = of(`ada:${fields['realm']}:p"w:ü`)
  const ha2 = of(`${method}:${url}`)
  const middle = fields['qop'] ? `${fields['nc']}:${fields['cnonce']}:${fields['qop']}:` : ''
  return of(`${ha1}:${fields['nonce']}:${middle}${ha2}`)
}

test('says nothing before it is asked', () => {
  expect(createAuthenticator(credentials).authorize('DESCRIBE', url)).toBeUndefined()
})

test.each<[name: string, challenge: string, hash: string, fields: Record<string, string>]>([
  ['MD5 without an algorithm', 'Digest realm="r", nonce="n"', 'md5', { realm: 'r', nonce: 'n', uri: url }],
  ['MD5 with qop', 'Digest realm="r", nonce="n", algorithm=MD5, qop="auth"', 'md5', { qop: 'auth', nc: '00000001' }],
  [
    'SHA-256',
    'Digest realm="r", nonce="n", algorithm=SHA-256, qop="auth,auth-int"',
    'sha256',
    { algorithm: 'SHA-256' },
  ],
  [
    'odd text and an opaque',
    'Digest realm="a, \\"b\\"", nonce="n==", opaque="o"',
    'md5',
    { realm: 'a, "b"', opaque: 'o' },
  ],
  [
    'the strongest of several',
    'Basic realm="r", Digest realm="r", nonce="1", Digest realm="r", nonce="2", algorithm=SHA-256',
    'sha256',
    { nonce: '2' },
  ],
  [
    'what it knows of several',
    'Digest realm="r", nonce="1", algorithm=SHA-512-256, Digest realm="r", nonce="2", algorithm=MD5',
    'md5',
    { nonce: '2' },
  ],
])('answers by Digest: %s', (_name, challenge, hash, fields) => {
  const authenticator = createAuthenticator(credentials)
  expect(authenticator.accept(challenge)).toBe(true)
  const sent = fieldsOf(authenticator.authorize('SETUP', url))
  expect(sent).toMatchObject({ username: 'ada', ...fields })
  expect(sent['response']).toBe(expected(hash, sent, 'SETUP'))
})

test('counts how often a nonce was used', () => {
  const authenticator = createAuthenticator(credentials)
  authenticator.accept('Digest realm="r", nonce="n", qop="auth"')
  const counts = [1, 2, 3].map(() => fieldsOf(authenticator.authorize('PLAY', url))['nc'])
  expect(counts).toEqual(['00000001', '00000002', '00000003'])
})

test('answers by Basic where there is nothing better', () => {
  const authenticator = createAuthenticator(credentials)
  authenticator.accept('Digest realm="r", nonce="n", qop="auth-int", Basic realm="r"')
  expect(authenticator.authorize('PLAY', url)).toBe(`Basic ${Buffer.from('ada:p"w:ü').toString('base64')}`)
})

test.each<[name: string, first: string, uses: number, second: string, isWorthIt: boolean]>([
  ['a refusal of the newest nonce is final', 'Digest realm="r", nonce="1"', 1, 'Digest realm="r", nonce="2"', false],
  ['a stale nonce is not', 'Digest realm="r", nonce="1"', 1, 'Digest realm="r", nonce="2", stale=true', true],
  ['nor one that was good before', 'Digest realm="r", nonce="1"', 2, 'Digest realm="r", nonce="2"', true],
  ['a refusal of Basic is final', 'Basic realm="r"', 2, 'Basic realm="r"', false],
  ['no password is shown to who was asked in secret', 'Digest realm="r", nonce="1"', 2, 'Basic realm="r"', false],
])('%s', (_name, first, uses, second, isWorthIt) => {
  const authenticator = createAuthenticator(credentials)
  authenticator.accept(first)
  for (let use = 0; use < uses; use++) authenticator.authorize('PLAY', url)
  expect(authenticator.accept(second)).toBe(isWorthIt)
})

test.each(['Negotiate', 'Digest realm="r", nonce="n", algorithm=X', ''])('%j cannot be answered', (challenge) => {
  expect(createAuthenticator(credentials).accept(challenge)).toBe(false)
})

describe('challenges', () => {
  const parsed = (header: string) =>
    parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)])

  test.each<[string, unknown]>([
    ['Basic realm="cam"', [['basic', { realm: 'cam' }]]],
    ['basic realm=cam', [['basic', { realm: 'cam' }]]],
    [
      'Digest realm="a, b=\\"c\\"", nonce="n==", stale=TRUE, Basic realm="d"',
      [
        ['digest', { realm: 'a, b="c"', nonce: 'n==', stale: 'TRUE' }],
        ['basic', { realm: 'd' }],
      ],
    ],
    [
      'DIGEST  Realm = "x" ,NONCE=abc==,qop="auth,auth-int"',
      [['digest', { realm: 'x', nonce: 'abc==', qop: 'auth,auth-int' }]],
    ],
    [
      'Negotiate, Basic realm="d"',
      [
        ['negotiate', {}],
        ['basic', { realm: 'd' }],
      ],
    ],
    ['realm="nobody’s"', []],
    ['Digest realm="cut', [['digest', { realm: 'cut' }]]],
    ['"" = , ="', []],
    ['', []],
  ])('%j', (header, challenges) => expect(parsed(header)).toEqual(challenges))

  test.each(['"\\', '= ', ', ', 'a="', 'a ', '\\', 'a=\t'])('a header full of %j is read to its end', (part) => {
    const challenges = parseChallenges(`${part.repeat(8_000)}", Basic realm="x"`)
    expect(challenges.length).toBeLessThanOrEqual(8_001)
  })
})
