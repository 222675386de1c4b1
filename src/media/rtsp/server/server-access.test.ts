import { afterEach, beforeEach, expect, test } from 'vitest'
import { announcement, createFrameMaker } from '../../../../test/builders/h264-rtp.ts'
import { connectRtsp, type RtspClient } from '../../../../test/support/rtsp-client.ts'
import { asAda, basic, sessionOf, startPublisher, startReader } from '../../../../test/support/rtsp-roles.ts'
import { startRtspServer, type TestRtspServer } from '../../../../test/support/rtsp-server.ts'
import { digestHa1, digestResponse } from '../../../core/digest.ts'

let server: TestRtspServer
let client: RtspClient
let laterMs: number
beforeEach(async () => {
  laterMs = 0
  server = await startRtspServer({ now: () => performance.now() + laterMs, timeouts: { sessionMs: 1e9 } })
  client = await connectRtsp(server.port)
})
afterEach(() => server.close())

const urlOf = (path: string) => `rtsp://127.0.0.1:${server.port}/${path}`

function digest(nonce: string, url: string, method: string, password = 'secret', withQop = false) {
  const qop = withQop ? { nonceCount: '00000001', clientNonce: 'abc' } : undefined
  const fields = { kind: 'digest', username: 'ada', realm: 'aerie', nonce, uri: url, method } as const
  const response = digestResponse(digestHa1('ada', 'aerie', password), { ...fields, ...(qop && { qop }) })
  const tail = qop ? ', qop=auth, nc=00000001, cnonce="abc"' : ''
  return {
    Authorization: `Digest username="ada", realm="aerie", nonce="${nonce}", uri="${url}", response="${response}"${tail}`,
  }
}

async function askForNonce(path: string): Promise<string> {
  const refused = await client.request('DESCRIBE', urlOf(path))
  return /nonce="([^"]+)"/.exec(refused.headers.get('www-authenticate')!)![1]!
}

test('whoever does not say who they are is asked, and learns nothing of what is live', async () => {
  const publisher = await startPublisher(server.port, 'ada/cam')
  const answers = [
    await client.request('DESCRIBE', publisher.url),
    await client.request('DESCRIBE', urlOf('ada/nothing')),
  ]
  expect(answers.map(({ status }) => status)).toEqual([401, 401])
  expect(answers[0]!.headers.get('www-authenticate')).toMatch(
    /^Digest realm="aerie", nonce="\w+", Basic realm="aerie"$/,
  )
})

test.each([
  ['Basic', (path: string) => [urlOf(path), asAda] as const],
  ['a key in the URL', (path: string) => [`${urlOf(path)}?api_key=key-of-ada`, {}] as const],
  ['a token in the URL', (path: string) => [`${urlOf(path)}?token=token-of-ada`, {}] as const],
  ['userinfo in the URL', (path: string) => [urlOf(path).replace('//', '//ada:secret@'), {}] as const],
])('%s is taken', async (_how, ask) => {
  const [url, headers] = ask('ada/nothing')
  expect((await client.request('DESCRIBE', url, headers)).status).toBe(404)
  expect((await client.request('ANNOUNCE', url, headers, announcement)).status).toBe(200)
})

test.each([false, true])('Digest is taken (qop: %s)', async (withQop) => {
  const nonce = await askForNonce('ada/cam')
  const url = urlOf('ada/cam')
  const headers = digest(nonce, url, 'ANNOUNCE', 'secret', withQop)
  expect((await client.request('ANNOUNCE', url, headers, announcement)).status).toBe(200)
})

test('a digest that was heard on another connection is worth nothing', async () => {
  const headers = digest(await askForNonce('ada/cam'), urlOf('ada/cam'), 'DESCRIBE')
  const other = await connectRtsp(server.port)
  const answer = await other.request('DESCRIBE', urlOf('ada/cam'), headers)
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, expect.stringContaining('stale=true')])
})

test('an old nonce is refused as such, and the new one is taken', async () => {
  const url = urlOf('ada/nothing')
  const nonce = await askForNonce('ada/nothing')
  let answer = await client.request('DESCRIBE', url, digest(nonce, url, 'DESCRIBE'))
  expect(answer.status).toBe(404)
  laterMs = 301_000
  answer = await client.request('DESCRIBE', url, digest(nonce, url, 'DESCRIBE'))
  expect(answer.headers.get('www-authenticate')).toContain('stale=true')
  const fresh = /nonce="([^"]+)"/.exec(answer.headers.get('www-authenticate')!)![1]!
  expect((await client.request('DESCRIBE', url, digest(fresh, url, 'DESCRIBE'))).status).toBe(404)
})

test('three wrong passwords end the connection', async () => {
  const url = urlOf('ada/cam')
  const nonce = await askForNonce('ada/cam')
  expect((await client.request('DESCRIBE', url, basic('ada', 'wrong'))).status).toBe(401)
  expect((await client.request('DESCRIBE', url, digest(nonce, url, 'DESCRIBE', 'wrong'))).status).toBe(401)
  expect((await client.request('DESCRIBE', url, { Authorization: 'Nonsense' })).status).toBe(401)
  await client.closed
})

test("nobody publishes in somebody else's place", async () => {
  expect((await client.request('ANNOUNCE', urlOf('eve/cam'), asAda, announcement)).status).toBe(403)
})

test.each([
  ['ada', 400, 'A stream path is <username>/<name>, of letters, digits and ._~- only.'],
  ['ada/none', 404, 'Nothing is being published to ada/none now; start its stream and try again.'],
])('a request for %s is answered with why not: %i %s', async (path, status, sentence) => {
  const refused = await client.request('DESCRIBE', urlOf(path), asAda)
  expect([refused.status, refused.reason]).toEqual([status, sentence])
})

test('a second publisher is refused with 409, and does not disturb the first', async () => {
  const first = await startPublisher(server.port, 'shared/cam')
  const reader = await startReader(server.port, 'shared/cam')
  const refused = await client.request('ANNOUNCE', first.url, basic('eve', 'evil'), announcement)
  const sentence = 'Somebody else is publishing to shared/cam; stop that first, or choose another path.'
  expect([refused.status, refused.reason]).toEqual([409, sentence])
  first.sendVideo(createFrameMaker()('key'))
  await reader.client.frames(1)
})

test('the same publisher coming back takes over from itself', async () => {
  const first = await startPublisher(server.port, 'shared/cam')
  const second = await startPublisher(server.port, 'shared/cam')
  await first.client.closed
  const reader = await startReader(server.port, 'shared/cam')
  second.sendVideo(createFrameMaker()('key'))
  await reader.client.frames(1)
})

test('a client that was admitted need not say again who it is within its session', async () => {
  await startPublisher(server.port, 'ada/cam')
  const url = urlOf('ada/cam')
  await client.request('DESCRIBE', `${url}?token=token-of-eve`)
  const setUp = await client.request('SETUP', `${url}/trackID=0`, { Transport: 'RTP/AVP/TCP' })
  const session = { Session: sessionOf(setUp) }
  expect((await client.request('PLAY', `${url}/`, session)).status).toBe(200)
  expect((await client.request('TEARDOWN', `${url}/`, session)).status).toBe(200)
  const again = await client.request('SETUP', `${url}/trackID=0`, { Transport: 'RTP/AVP/TCP' })
  expect(again.status).toBe(401)
})

test('neither passwords nor keys nor tokens are logged', async () => {
  const url = urlOf('ada/cam')
  await client.request('DESCRIBE', `${url}?token=token-of-ada&api_key=key-of-eve`)
  await client.request('DESCRIBE', url.replace('//', '//ada:secret@'))
  await client.request('DESCRIBE', url, basic('ada', 'wrong-secret'))
  await client.request('ANNOUNCE', url, asAda, 'not a description')
  await startPublisher(server.port, 'ada/cam')
  const text = server.logged.join('\n')
  expect(text).toContain('A publisher sends.')
  expect(text).not.toMatch(/secret|token-of|key-of|Basic/)
})

test('video of a codec that we do not know is logged as it was announced, with what to send instead', async () => {
  const url = urlOf('ada/cam')
  const sdp = 'v=0\r\nm=video 0 RTP/AVP 96\r\na=rtpmap:96 MP4V-ES/90000\r\na=control:streamid=0\r\n'
  await client.request('ANNOUNCE', url, { ...asAda, 'Content-Type': 'application/sdp' }, sdp)
  const transport = 'RTP/AVP/TCP;unicast;interleaved=0-1;mode=record'
  const setUp = await client.request('SETUP', `${url}/streamid=0`, { Transport: transport })
  await client.request('RECORD', url, { Session: setUp.headers.get('session')!.split(';')[0]! })
  const text = server.logged.join('\n')
  expect(text).toContain('"codecs":["MP4V-ES"]')
  expect(text).toContain('MP4V-ES is carried on to RTSP readers, and nothing else can be done with it; send H.264 or')
})

test.each([
  ['our own workers, which come before a publisher is back, is no line of the log', true, 0],
  ['others is one', false, 1],
])('what is refused to %s', async (_who, isInternal, lines) => {
  const own = await startRtspServer({ authorize: async () => ({ principal: 'ada', isInternal }) })
  const worker = await connectRtsp(own.port)
  const { status } = await worker.request('DESCRIBE', `rtsp://127.0.0.1:${own.port}/ada/cam?token=t`)
  expect(status).toBe(404)
  expect(own.logged.filter((line) => line.includes('A request was refused.'))).toHaveLength(lines)
  await own.close()
})
