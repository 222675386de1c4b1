import { describe, expect, test } from 'vitest'
import { type Credentials } from '../../access.ts'
import { MediaRefusal } from '../../refusal.ts'
import { createChallenger, createGatekeeper } from './gatekeeper.ts'
import { parseStreamUrl } from './stream-url.ts'

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
    onAccepted: () => {},
  })
  await expect(gatekeeper.confirm({ confirm: () => Promise.reject(error) })).rejects.toThrow()
  expect(gatekeeper.tooManyFailures).toBe(isLost)
})

describe('challenger', () => {
  type DigestCredentials = Extract<Credentials, { kind: 'digest' }>

  const url = parseStreamUrl('rtsp://h/ada/cam/trackID=0')

  function setUp() {
    let nowMs = 0
    const challenge = createChallenger(() => nowMs, 1000)
    const nonce = () => /nonce="([^"]+)"/.exec(challenge.headers(false)[0]![1])![1]!
    const answer = (fields: Partial<DigestCredentials> = {}): DigestCredentials => ({
      kind: 'digest',
      username: 'ada',
      realm: 'aerie',
      nonce: nonce(),
      uri: 'rtsp://h/ada/cam/',
      method: 'SETUP',
      response: '',
      ...fields,
    })
    return { challenge, nonce, answer, wait: (ms: number) => (nowMs += ms) }
  }

  test('both ways are offered, Digest first', () => {
    const { challenge } = setUp()
    expect(challenge.headers(false).map(([, value]) => value.split(' ')[0])).toEqual(['Digest', 'Basic'])
  })

  test('an answer to our nonce for the same stream may be right', () => {
    const { challenge, answer } = setUp()
    expect(challenge.check(answer(), url)).toBe('ok')
    expect(challenge.check({ kind: 'none' }, url)).toBe('ok')
  })

  test.each([
    ['stale', { nonce: 'never given' }],
    ['wrong', { realm: 'elsewhere' }],
    ['wrong', { uri: 'rtsp://h/ada/other' }],
  ])('%s: %j', (verdict, fields) => {
    const { challenge, answer } = setUp()
    expect(challenge.check(answer(fields), url)).toBe(verdict)
  })

  test('a nonce grows old, and the next challenge has a new one and says why', () => {
    const { challenge, nonce, answer, wait } = setUp()
    const old = nonce()
    expect(nonce()).toBe(old)
    wait(1001)
    expect(challenge.check(answer({ nonce: old }), url)).toBe('stale')
    expect(challenge.headers(true)[0]![1]).toMatch(/^Digest realm="aerie", nonce="[0-9a-f]{32}", stale=true$/)
    expect(nonce()).not.toBe(old)
  })
})
