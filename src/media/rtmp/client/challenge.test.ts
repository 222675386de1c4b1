import { describe, expect, test } from 'vitest'
import { start } from '../../../../test/support/ffmpeg.ts'
import { listen, receive } from '../../../../test/support/rtmp-receiver.ts'
import { until } from '../../../../test/support/rtmp-rig.ts'
import { OUTGOING_CHUNK_SIZE } from '../wire/chunk-writer.ts'
import { writeCommand } from '../wire/command.ts'
import { setChunkSize } from '../wire/control-messages.ts'
import { answerChallenge } from './challenge.ts'

const credentials = { username: 'me', password: 'pass/word' }
const ADDRESS = { label: 'host:1935', app: 'live', credentials }

/** What FFmpeg adds to the application's name when it is refused so; it answers on a connection of its own, and may go on for ever. */
async function answerOfFfmpeg(description: string, app: string): Promise<string> {
  const apps: unknown[] = []
  const port = await listen((socket) => {
    receive(socket, ({ name, transactionId, object }, peer) => {
      if (name !== 'connect') return false
      apps.push(object['app'])
      const refusal = { level: 'error', code: 'NetConnection.Connect.Rejected', description }
      peer.send(setChunkSize(OUTGOING_CHUNK_SIZE), writeCommand(0, '_error', transactionId, null, refusal))
      return true
    })
  })
  const url = `rtmp://${credentials.username}:${credentials.password.replace('/', '%2F')}@127.0.0.1:${port}/${app}/cam`
  const ffprobe = start('ffprobe', [url])
  await until(() => apps.length > 1)
  await ffprobe.kill()
  return String(apps[1]).slice(app.length)
}

describe('we answer as FFmpeg does', () => {
  const password = 'pass%2Fword'
  const reject = (rest: string) => `[ AccessManager.Reject ] : [ ${rest}`
  test.each([
    { name: 'who it is', description: reject('code=403 need auth; authmod=adobe ] : '), app: 'live' },
    {
      name: 'a challenge of Adobe',
      description: reject(
        'authmod=adobe ] : ?reason=needauth&user=me&salt=c2FsdA==&challenge=Y2g+bA==&opaque=b3A/cQ==',
      ),
      app: 'live',
    },
    {
      name: 'one without opaque',
      description: reject('authmod=adobe ] : ?reason=needauth&user=me&salt=c2FsdA==&challenge=Y2g+bA=='),
      app: 'live',
    },
    {
      name: 'a challenge of Limelight',
      description: reject('authmod=llnw ] : ?reason=needauth&user=me&nonce=bm9uY2U='),
      app: 'live',
    },
    {
      name: 'one for an instance',
      description: reject('authmod=llnw ] : ?reason=needauth&user=me&nonce=bm9uY2U='),
      app: 'live/one',
    },
  ])('$name', async ({ description, app }) => {
    const theirs = await answerOfFfmpeg(description, app)
    const theirNonce = /&(?:cnonce|challenge)=([0-9a-f]+)/.exec(theirs)?.[1]
    // FFmpeg takes the password as it stands in the address.
    const address = { ...ADDRESS, app, credentials: { ...credentials, password } }
    expect(answerChallenge(address, description, theirNonce)).toBe(theirs)
  })
})

test('each answer has a nonce of its own', () => {
  const description = 'authmod=adobe ?reason=needauth&salt=s&challenge=c'
  expect(answerChallenge(ADDRESS, description)).not.toBe(answerChallenge(ADDRESS, description))
})

test.each(['', 'Not today.', 'authmod=other ?reason=needauth', 'authmod=adobe', `${' '.repeat(2000)}authmod=adobe`])(
  '%j is no challenge',
  (description) => expect(answerChallenge(ADDRESS, description)).toBeUndefined(),
)

test.each([
  ['authmod=adobe ?reason=authfailed&opaque=x', ADDRESS, /refuses the user or the password/],
  ['authmod=llnw ?reason=nosuchuser', ADDRESS, /refuses the user or the password/],
  [
    'code=403 need auth; authmod=adobe',
    { ...ADDRESS, credentials: undefined },
    /wants a user name and a password in the address: rtmp:/,
  ],
])('to %j there is no answer', (description, address, sentence) => {
  expect(() => answerChallenge(address, description)).toThrow(sentence)
})
