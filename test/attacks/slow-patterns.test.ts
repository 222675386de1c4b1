/**
 * One request, without a key, froze everybody: patterns that look at the same text again and again took 4.3 s for a field's name of
 * 60,000 odd characters, 0.2 s for a URL of 15 kB, 14.5 s for an RTMP application of 120,000 slashes. Whatever reads text from
 * outside is given 100 kB of what might be its worst case, and takes about a hundred times as long as for 1 kB, not ten thousand.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readBrokerAddress } from '../../src/alerts/broker-address.ts'
import { hostNameOf } from '../../src/api/known-hosts.ts'
import { parseByteSize } from '../../src/core/byte-size.ts'
import { whyNotHttpUrl } from '../../src/core/request-fields.ts'
import { maskSecrets } from '../../src/core/mask-secrets.ts'
import { toMediaPath } from '../../src/core/media-path.ts'
import { nearestWord } from '../../src/core/nearest-word.ts'
import { parseRtmpAddress } from '../../src/media/rtmp/client/rtmp-address.ts'
import { sayRefusal } from '../../src/media/rtmp/client/server-sentence.ts'
import { readStreamAddress } from '../../src/media/rtmp/server/stream-address.ts'
import { parseChallenges } from '../../src/media/rtsp/client/authenticator.ts'
import { refusalOf } from '../../src/media/rtsp/client/client-error.ts'
import { parseRtspTarget, withoutControls } from '../../src/media/rtsp/client/rtsp-target.ts'
import { parseSdp, parseServedSdp } from '../../src/media/rtsp/wire/sdp-parser.ts'
import { parseTransport, parseTransportAnswer } from '../../src/media/rtsp/wire/transport-header.ts'
import { parseAuthorization } from '../../src/media/rtsp/server/authorization.ts'
import { findTrack, parseStreamUrl } from '../../src/media/rtsp/server/stream-url.ts'
import { withoutDenied } from '../../src/media/webrtc/candidates.ts'
import { parseOffer } from '../../src/media/webrtc/offer.ts'
import { isFragmenting } from '../../src/media/webrtc/track-choice.ts'
import { NewOutput } from '../../src/outputs/outputs.schema.ts'
import { toCell } from '../../src/reports/csv-report.ts'
import { describeUnreadable } from '../../src/sources/describe-unreadable.ts'
import { NewStream } from '../../src/sources/sources.schema.ts'
import { parseTimestamp } from '../../src/telemetry/timestamp.ts'
import { credentialsOf } from '../../src/watching/watch-credentials.ts'
import { type AttackedService, startAttacked } from '../support/attacked-service.ts'
import { cpuMsOf } from '../support/cpu-time.ts'
import { sendHttp } from '../support/http-request.ts'

const SHORT = 1_000
const LONG = 100_000
/** A hundred times the text; ten times more is for the clock's noise. Squares would be 10,000. */
const MAX_TIMES_LONGER = 1_000
/** Less than this can't be distinguished from nothing. */
const CLOCK_MS = 0.02

const pieces = [
  ...['/', '?', '&', '=', ':', '@', '.', ' ', '\t', '\\', '"', "'", ',', ';', '%', '#', '[', ']', '-', '_', '{', '\n'],
  ...[
    'a',
    'A',
    '0',
    '\r',
    '\r\n',
    '?a',
    '&a',
    '?a=',
    '&a=b',
    'a=',
    'a://',
    '://a:',
    'a:',
    'a@',
    '@[',
    'ak_',
    'a.',
    '/a',
  ],
  ...['a=/', '/a=', 'a="', '\\"', '%41', 'a ', 'a,', '0-', '://', 'm=', '\na=', '\na=rtpmap:0 ', '\nm=video 0 RTP 0 '],
]
const suffixes = ['', '\u0000', '\n\u2028"']

const credentials = (text: string) =>
  credentialsOf({ headers: { authorization: text, cookie: text }, query: { token: text } } as never)

const readers: [name: string, read: (text: string) => unknown, prefixes: string[]][] = [
  ['what is shown and logged', maskSecrets, ['', 'rtsp://a:', '/?token=']],
  ['the nearest field', (text) => nearestWord(text, ['alias', 'input_url']), ['']],
  ['Host', hostNameOf, ['', '[']],
  ['Authorization of HTTP', credentials, ['', 'Bearer ']],
  ['a path', toMediaPath, ['', 'ada/']],
  ['an address that is called', whyNotHttpUrl, ['', 'http://a']],
  ['a broker’s address', readBrokerAddress, ['', 'mqtt://']],
  ['a stream', (text) => NewStream.safeParse({ alias: text, input_url: text, stream_type: 'rtsp' }), ['', 'rtsp://a/']],
  ['an output', (text) => NewOutput.safeParse({ alias: 'a', type: 'rtsp', url: text }), ['', 'rtsp://']],
  ['an RTMP application', (text) => readStreamAddress({ app: text, tcUrl: text }, text), ['', 'rtmp://a/']],
  ['an RTMP server’s address', parseRtmpAddress, ['rtmp://', 'rtmp://a/']],
  ['what an RTMP server says', (text) => sayRefusal('a', { code: text, description: text }), ['']],
  ['an RTSP URL', parseStreamUrl, ['', 'rtsp://', 'rtsp://a/']],
  ['an RTSP track', (text) => findTrack(text, [text, 'trackID=1']), ['rtsp://a/', '']],
  ['Authorization of RTSP', (text) => parseAuthorization(text, 'PLAY'), ['', 'Basic ', 'Digest ']],
  ['Transport', (text) => [parseTransport(text), parseTransportAnswer(text)], ['', 'RTP/AVP;client_port=']],
  ['an announced description', parseSdp, ['', 'm=video 0 RTP/AVP 96\r\na=rtpmap:96 ']],
  ['a camera’s description', parseServedSdp, ['', 'm=video 0 RTP/AVP 96\r\na=fmtp:96 ']],
  ['a camera’s address', parseRtspTarget, ['rtsp://', 'rtsp://a/']],
  ['a redirect', withoutControls, ['rtsp://a/']],
  ['a camera’s challenge', parseChallenges, ['', 'Digest realm=']],
  ['a camera’s refusal', (text) => refusalOf('DESCRIBE', 404, text), ['']],
  ['a browser’s offer', parseOffer, ['v=0\r\n', 'v=0\r\nm=video 9 UDP/TLS/RTP/SAVPF 96\r\na=']],
  ['its candidates', (text) => withoutDenied(text, () => true), ['', 'a=candidate:']],
  ['its formats', (text) => isFragmenting({ fmtp: text } as never), ['', 'profile-level-id=']],
  ['a size', parseByteSize, ['', '1']],
  ['a time', parseTimestamp, ['', '2026-11-16T00:00:00.']],
  ['a cell of a spreadsheet', toCell, ['']],
  ['what FFmpeg says', (text) => describeUnreadable('It', text), ['']],
]

describe.each(readers)('%s', (_name, read, prefixes) => {
  test.each(prefixes)('is read in time behind %j', (prefix) => {
    const slow = pieces.flatMap((piece) =>
      suffixes.flatMap((suffix) => {
        const textOf = (length: number) => prefix + piece.repeat(length / piece.length) + suffix
        const short = Math.max(fastest(read, textOf(SHORT), 3), CLOCK_MS)
        const isSlow = (ms: number) => ms > short * MAX_TIMES_LONGER
        let long = fastest(read, textOf(LONG), 2)
        // Another program may have had the core both times; not again and again.
        if (isSlow(long)) long = fastest(read, textOf(LONG), 20)
        return isSlow(long) ? [{ piece, suffix, short, long }] : []
      }),
    )
    expect(slow).toEqual([])
  })
})

/** Of several tries, since the machine may be busy with something else. What is refused counts too. */
function fastest(read: (text: string) => unknown, text: string, tries: number): number {
  const times = Array.from({ length: tries }, () => {
    const begin = performance.now()
    try {
      read(text)
    } catch {
      // A sentence is an answer.
    }
    return performance.now() - begin
  })
  return Math.min(...times)
}

describe('the running service', () => {
  let service: AttackedService
  beforeAll(async () => void (service = await startAttacked()))
  afterAll(() => service?.installation.remove())

  /** What the main process worked for these requests, whatever else the machine is doing meanwhile. */
  async function workedMs(times: number, ask: () => Promise<unknown>): Promise<number> {
    const before = cpuMsOf(service.process.pid!)
    for (let i = 0; i < times; i++) await ask()
    return cpuMsOf(service.process.pid!) - before
  }

  test.each(['?', '&a', 'a://b:', 'a.', 'ak_', '\u{1f642}'])(
    'a field called %s, 60,000 characters long',
    async (piece) => {
      const send = (path: string, length: number) =>
        sendHttp(service.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json', api_key: service.mallory },
          body: JSON.stringify({ [piece.repeat(length / piece.length)]: 1 }),
        })
      const short = await workedMs(5, () => send('/stream', 600))
      expect(await workedMs(5, () => send('/stream', 60_000))).toBeLessThan(Math.max(short, SURELY_MS) * 10)
      const { status, text } = await send('/stream', 60_000)
      expect(status).toBe(422)
      expect(text.length).toBeLessThan(1_000)
      expect((await send('/session', 60_000)).status).toBe(413)
    },
  )

  test.each(['?', '&a', 'a=', 'a.', '%41'])('a URL of 15 kB of %s', async (piece) => {
    const visit = (length: number) => sendHttp(`${service.url}/nowhere?${piece.repeat(length / piece.length)}`, {})
    const short = await workedMs(20, () => visit(500))
    expect(await workedMs(20, () => visit(15_000))).toBeLessThan(Math.max(short, SURELY_MS) * 10)
    expect((await visit(15_000)).status).toBe(404)
  })
})

/** Less than this may be anything else that the service does meanwhile. */
const SURELY_MS = 100
