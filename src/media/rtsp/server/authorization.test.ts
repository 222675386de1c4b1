import { expect, test } from 'vitest'
import { parseAuthorization, readCredentials } from './authorization.ts'
import { parseStreamUrl } from './stream-url.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test.each([
  [basic('ada:secret'), { username: 'ada', password: 'secret' }],
  [basic('ada:a:b'), { username: 'ada', password: 'a:b' }],
  [basic('ada:'), { username: 'ada', password: '' }],
  [basic('ädä:pä'), { username: 'ädä', password: 'pä' }],
  [basic('ada:secret').replace('Basic', 'basic'), { username: 'ada', password: 'secret' }],
])('%s', (header, expected) => expect(parseAuthorization(header, 'PLAY')).toEqual({ kind: 'password', ...expected }))

const plain = 'username="ada", realm="aerie", nonce="n", uri="rtsp://h/a/b", response="ABCDEF"'
const digest = {
  kind: 'digest',
  username: 'ada',
  realm: 'aerie',
  nonce: 'n',
  uri: 'rtsp://h/a/b',
  method: 'PLAY',
  response: 'abcdef',
}

test.each([
  ['as most clients send it', `Digest ${plain}`, digest],
  ['with another order, spacing and case', `digest ${plain.split(', ').reverse().join(',')}`, digest],
  ['with an algorithm', `Digest ${plain}, algorithm=MD5`, digest],
  [
    'with qop',
    `Digest ${plain}, qop=auth, nc=00000001, cnonce="c"`,
    { ...digest, qop: { nonceCount: '00000001', clientNonce: 'c' } },
  ],
  ['with a quote in the name', `Digest ${plain.replace('ada', 'a\\"da')}`, { ...digest, username: 'a"da' }],
])('a digest %s', (_how, header, expected) => expect(parseAuthorization(header, 'PLAY')).toEqual(expected))

test.each([
  'Basic',
  'Basic !!!',
  `Basic ${Buffer.from('no colon').toString('base64')}`,
  'Digest',
  'Digest username="ada"',
  `Digest ${plain}, algorithm=SHA-256`,
  `Digest ${plain}, qop=auth-int, nc=1, cnonce="c"`,
  `Digest ${plain}, qop=auth`,
  'Bearer x',
  '',
])('%j can not be understood', (header) => expect(parseAuthorization(header, 'PLAY')).toBeUndefined())

test.each([
  ['rtsp://h/a/b?api_key=K', {}, { kind: 'key', key: 'K' }],
  ['rtsp://h/a/b?token=T/trackID=0', {}, { kind: 'token', token: 'T' }],
  ['rtsp://ada:p@h/a/b', {}, { kind: 'password', username: 'ada', password: 'p' }],
  ['rtsp://h/a/b', {}, { kind: 'none' }],
  [
    'rtsp://eve:x@h/a/b?api_key=K',
    { authorization: basic('ada:p') },
    { kind: 'password', username: 'ada', password: 'p' },
  ],
])('%s with %j', (url, headers, expected) => {
  const request = {
    kind: 'request' as const,
    method: 'PLAY',
    url,
    headers: new Map(Object.entries<string>(headers)),
    body: Buffer.alloc(0),
  }
  expect(readCredentials(request, parseStreamUrl(url))).toEqual(expected)
})
