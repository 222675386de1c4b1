import { expect, test } from 'vitest'
import { readInformation, sayFailure, sayRefusal } from './server-sentence.ts'

test.each([
  {
    name: 'a code that is known',
    information: { level: 'error', code: 'NetStream.Publish.BadName', description: 'Already publishing' },
    sentence:
      'host:1935 refused the stream name: it is wrong, or somebody publishes to it already. ' +
      'It said: Already publishing (NetStream.Publish.BadName)',
  },
  {
    name: 'a code of their own',
    information: { code: 'Some.Thing' },
    sentence: 'host:1935 rejected the stream. It said: (Some.Thing)',
  },
  { name: 'nothing at all', information: {}, sentence: 'host:1935 rejected the stream.' },
  {
    name: 'things that are no text',
    information: { code: 5, description: null },
    sentence: 'host:1935 rejected the stream.',
  },
])('$name becomes a sentence', ({ information, sentence }) => {
  expect(sayRefusal('host:1935', information)).toBe(sentence)
})

test('what a server repeats of keys and passwords is masked, and its text is bounded', () => {
  const description = `stream live/secret-key\nrtmp://me:hidden@host/live ${'x'.repeat(1000)}`
  const sentence = sayRefusal('host:1935', { description }, ['secret-key'])
  expect(sentence).toContain('stream live/*** rtmp://me:***@host/live')
  expect(sentence.length).toBeLessThan(300)
})

test('the information is the first object among the values', () => {
  expect(readInformation([null, 'x', { code: 'c' }])).toEqual({ code: 'c' })
  expect(readInformation([])).toEqual({})
})

test.each([
  ['ECONNREFUSED', 'Nothing answers at host:1935: the server is down, or the port is wrong.'],
  ['ECONNRESET', 'host:1935 broke the connection off.'],
  ['EHOSTUNREACH', 'host:1935 cannot be reached: there is no way to it.'],
  [
    'CERT_HAS_EXPIRED',
    'host:1935 cannot be trusted. Its certificate is not trusted: certificate has expired. Have it renewed.',
  ],
  [
    'ERR_SSL_WRONG_VERSION_NUMBER',
    'host:1935 does not speak TLS; check the port, and whether the address begins with rtmp:// or rtmps://.',
  ],
  ['EMFILE', 'The connection to host:1935 failed: EMFILE.'],
  ['ERR_STRANGE', 'The connection to host:1935 failed: certificate has expired.'],
])('%s becomes a sentence', (code, sentence) => {
  expect(sayFailure('host:1935', Object.assign(new Error('certificate has expired'), { code }))).toBe(sentence)
})
