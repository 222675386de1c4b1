import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { AppError } from '../../src/core/errors.ts'
import { createKnownCredentials } from '../../src/core/known-credentials.ts'
import { createLinkSigner } from '../../src/core/signed-token.ts'
import { renderMasterPlaylist, renderMediaPlaylist } from '../../src/media/hls/playlist.ts'
import { createLog } from '../../src/observe/log.ts'
import { recordingRoutes } from '../../src/recordings/recordings.routes.ts'
import { type RecordingService } from '../../src/recordings/recordings.service.ts'
import { createFakeClock } from '../builders/fake-clock.ts'
import { anAccount } from '../builders/plain-account.ts'
import { useTemporaryFolder } from '../support/temporary-folder.ts'
import { createTwoNodes, type TwoNodes } from '../support/two-nodes.ts'
import { createHls } from '../../src/watching/hls.service.ts'
import { type HlsWorker } from '../../src/watching/hls-worker.ts'
import { hlsRoutes } from '../../src/watching/hls.routes.ts'
import { webrtcRoutes } from '../../src/watching/webrtc.routes.ts'

const folder = useTemporaryFolder('aerie-nodes-')
const SESSION = 'sessionsessionsession123'
const clock = createFakeClock()

let nodes: TwoNodes
/** What each node was asked for, and the sessions that it was to end. */
let asked: string[]
let next: number
beforeAll(async () => void (nodes = await createTwoNodes({ routesAt })))
beforeEach(() => {
  asked = []
  next = 0
})
afterAll(() => nodes.remove())

/** Each request goes to the next node, as behind a balancer that knows nothing. */
function fetchAnywhere(path: string, init?: RequestInit): Promise<Response> {
  const node = next++ % 2 === 0 ? nodes.a : nodes.b
  return fetch(`http://127.0.0.1:${node.port}${path}`, init)
}

test.each([
  ['a token in the address', '?token=tk_1', undefined],
  ['a key in a header', '', { api_key: 'key' }],
])(
  'a viewer by HLS whose requests go to one node after the other is served by one of them: %s',
  async (_by, query, headers) => {
    const addressesIn = (playlist: string) => [
      ...playlist.split('\n').filter((line) => line !== '' && !line.startsWith('#')),
      ...[...playlist.matchAll(/URI="([^"]+)"/g)].map(([, uri]) => uri!),
    ]
    const get = async (name: string) => {
      const response = await fetchAnywhere(`/hls/ann/cam/${name}`, { headers: headers ?? {} })
      expect(response.status, await response.clone().text()).toBe(200)
      return response.text()
    }
    const [stream] = addressesIn(await get(`index.m3u8${query}`))
    const pieces = addressesIn(await get(stream!))
    expect(pieces).toHaveLength(5)
    for (const piece of pieces) await get(piece)
    await get(`${stream}&_HLS_msn=8&_HLS_part=0`)
    expect(asked.map((one) => one.split(' ')[0])).toEqual(Array.from({ length: 8 }, () => 'a'))
    expect(asked.at(-1)).toBe('a stream.m3u8?_HLS_msn=8&_HLS_part=0')
  },
)

test('a viewing of a node that is dead is refused by its name, and one of a node that is none goes on here', async () => {
  const dead = await fetchAnywhere('/hls/ann/cam/stream.m3u8?token=tk_1&node=dead')
  expect([dead.status, await dead.json()]).toMatchObject([503, { code: 'node-unreachable' }])
  expect(dead.headers.get('retry-after')).toBe('2')
  next = 0
  for (const name of ['made-up', '', 'a&node=b', '__proto__'])
    expect((await fetchAnywhere(`/hls/ann/cam/stream.m3u8?token=tk_1&node=${name}`)).status).toBe(
      name.includes('&') ? 422 : 200,
    )
  expect(asked.map((one) => one.split(' ')[0])).toEqual(['a', 'b', 'b'])
})

test('who may not watch is refused by the node that would show it', async () => {
  const refused = await fetchAnywhere('/hls/ann/cam/stream.m3u8?token=tk_wrong&node=b')
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'token-invalid' }])
})

test.each(['whep', 'whip'])('a session by %s is ended through any node', async (kind) => {
  const path = `/webrtc/ann/${'deep/'.repeat(30)}cam/${kind}`
  const answer = await fetchAnywhere(path, {
    method: 'POST',
    headers: { 'content-type': 'application/sdp' },
    body: 'v=0',
  })
  expect(answer.headers.get('location')).toBe(`${kind}/${SESSION}.a`)
  const session = new URL(answer.headers.get('location')!, answer.url).pathname
  expect((await fetchAnywhere(session, { method: 'DELETE' })).status).toBe(200)
  // Refused by whoever is asked, and not as an address that there is not.
  expect((await fetchAnywhere(session, { method: 'PATCH' })).status).toBe(405)
  expect(asked).toEqual([`a ${kind}`, 'a end'])
})

test('a session without a node, or of one that is none, is looked for here', async () => {
  for (const session of [SESSION, `${SESSION}.made-up`]) {
    next = 1
    expect((await fetchAnywhere(`/webrtc/ann/cam/whep/${session}`, { method: 'DELETE' })).status).toBe(200)
  }
  expect(asked).toEqual(['b end', 'b end'])
  expect((await fetchAnywhere(`/webrtc/ann/cam/whep/${SESSION}.a.b`, { method: 'DELETE' })).status).toBe(404)
})

test('a segment of a recording comes from the node that has its file, and is refused by name where that is dead', async () => {
  next = 0
  const found = await fetchAnywhere('/sources/recordings/segments/00000000-0000-0000-0000-00000000000b.mp4?token=b', {
    headers: { range: 'bytes=0-3' },
  })
  expect([found.status, await found.text()]).toEqual([206, 'on b'])
  expect(asked).toEqual(['b file'])
  const lost = await fetchAnywhere('/sources/recordings/segments/00000000-0000-0000-0000-00000000000d.mp4?token=dead')
  expect([lost.status, await lost.json()]).toMatchObject([
    503,
    { code: 'node-unreachable', detail: expect.stringContaining('The node dead of this service') },
  ])
})

/** Both nodes have the stream: what is made of it is of each for itself. */
function routesAt(nodeId: string) {
  const hls = createHls({
    async access({ credentials: { key, token } }) {
      if (key !== 'key' && token !== 'tk_1') throw new AppError('token-invalid')
      return { principal: 'ann' }
    },
    owners: { find: async (username) => anAccount({ username }) },
    streams: { canBeRead: () => true, livePaths: { isLive: () => true } },
    startWorker: () => workerOf(nodeId),
    signer: createLinkSigner('shared'),
    nodeId,
    clock,
    log: createLog({ level: 'silent' }),
  })
  const webrtc = {
    async answer({ kind }: { kind: string }) {
      asked.push(`${nodeId} ${kind === 'watch' ? 'whep' : 'whip'}`)
      return { sessionId: SESSION, sdp: 'v=0' }
    },
    end: async () => void asked.push(`${nodeId} end`),
  }
  /** Links say where the file is, which the database does otherwise. */
  const recordings = {
    nodeOf: async (_segmentId: string, token: string) => token,
    async findFile() {
      asked.push(`${nodeId} file`)
      const path = join(folder(), `${nodeId}.mp4`)
      writeFileSync(path, `on ${nodeId} alone`)
      return { file: { path, inStore: async () => undefined }, downloadName: 'segment.mp4' }
    },
  } as unknown as RecordingService
  const vod = { playlist: async () => '#EXTM3U' }
  const owners = { resolve: async () => anAccount({}) }
  const knownCredentials = createKnownCredentials()
  return [
    recordingRoutes({ recordings, owners }),
    hlsRoutes({ hls, vod, knownCredentials, isForOtherOrigins: false }),
    webrtcRoutes({ webrtc, nodeId, knownCredentials }),
  ]
}

function workerOf(nodeId: string): HlsWorker {
  const part = { seconds: 0.2, isIndependent: true }
  const segment = { startedAtMs: 0, seconds: 0.4, isComplete: true }
  const listing = {
    run: 1,
    discontinuity: 0,
    segments: [{ ...segment, sequence: 7, parts: [part, part] }],
    maxSegmentSeconds: 1,
    maxPartSeconds: 0.2,
  }
  const variant = { codecs: ['avc1.42e01f'], width: 640, height: 360, fps: 25, bitsPerSecond: 1e6 }
  return {
    firstSequence: 7,
    isOver: false,
    askedAt: Infinity,
    asking: 0,
    ended: new Promise(() => {}),
    stop: async () => {},
    async ask({ file, search, uriQuery }) {
      asked.push(`${nodeId} ${file}${search}`)
      const text =
        file === 'index.m3u8'
          ? renderMasterPlaylist(variant, uriQuery)
          : file === 'stream.m3u8'
            ? renderMediaPlaylist(listing, uriQuery)
            : nodeId
      const body = Buffer.from(text)
      return { type: 'video/mp4', cacheControl: 'no-cache', sizeBytes: body.length, body: Readable.from([body]) }
    },
  }
}
