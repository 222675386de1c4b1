import { expect, test } from 'vitest'
import { parseChallenges } from './challenges.ts'

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
