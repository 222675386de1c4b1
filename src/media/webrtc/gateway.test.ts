import { beforeEach, describe, expect, test, vi } from 'vitest'
import { webrtcOffer } from '../../../test/builders/webrtc-offer.ts'
import { type WebrtcOffer } from '../messages.ts'
import { RtspClientError } from '../rtsp/client/client-error.ts'
import { type RtspPublisher } from '../rtsp/client/publisher.ts'
import { type MediaTrack } from '../stream.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import { type FrameTaker, type HubStream } from './hub-stream.ts'
import { OfferError } from './offer.ts'
import { type Peer, type WantedTrack } from './peer.ts'

beforeEach(() => void vi.useFakeTimers())
const h264: MediaTrack = { kind: 'video', codec: 'h264', payloadType: 96, clockRate: 90_000, encodingName: 'H264' }

class FakeStream implements HubStream {
  readonly tracks = [h264]
  readonly hasReorderedPictures = false
  readonly nextKeyframeAtMs = undefined
  readonly takers = new Set<FrameTaker>()
  isClosed = false
  group = () => []
  wallClockOf = () => undefined
  attach(taker: FrameTaker) {
    this.takers.add(taker)
    return () => void this.takers.delete(taker)
  }
  async close() {
    this.isClosed = true
  }
}

class FakePeer implements Peer {
  readonly tracks
  isClosed = false
  connect = () => {}
  leave: (reason: string) => void = () => {}
  readonly name: string
  readonly wanted: readonly WantedTrack[]

  constructor(name: string, wanted: readonly WantedTrack[]) {
    this.name = name
    this.wanted = wanted
    this.tracks = wanted.map(() => ({ send: () => {}, onMessage: () => {} }))
  }
  answer = async () => `v=0\r\na=ice-ufrag:${this.name}\r\n`
  onConnected = (handler: () => void) => void (this.connect = handler)
  onGone = (handler: (reason: string) => void) => void (this.leave = handler)
  close() {
    this.isClosed = true
  }
}

function createRig(change: Partial<GatewayOptions> & { openStream?: () => Promise<HubStream> } = {}) {
  const peers: FakePeer[] = []
  const streams: FakeStream[] = []
  const published: { tracks: readonly MediaTrack[]; isClosed: boolean; end: (reason: string) => void }[] = []
  const ended: unknown[] = []
  const gateway = createGateway({
    createPeer(_sdp, wanted) {
      const peer = new FakePeer(`name${peers.length}`, wanted)
      peers.push(peer)
      return peer
    },
    hub: {
      async openStream() {
        if (change.openStream) return change.openStream()
        const stream = new FakeStream()
        streams.push(stream)
        return stream
      },
      async openPublisher(_url, tracks) {
        const publication = { tracks, isClosed: false, end: (_reason: string) => {} }
        published.push(publication)
        return {
          onEnd: (handler) => void (publication.end = handler),
          close: async () => void (publication.isClosed = true),
        } as Partial<RtspPublisher> as RtspPublisher
      },
    },
    onEnded: (...args) => void ended.push(args),
    ...change,
  })
  const watch = (id: string, path = 'ann/cam') => gateway.answer(anOffer(id, 'watch', path))
  const publish = (id: string, path = 'ann/cam') => gateway.answer(anOffer(id, 'publish', path))
  return { gateway, peers, streams, published, ended, watch, publish }
}

function anOffer(id: string, kind: WebrtcOffer['kind'], path: string): WebrtcOffer {
  return { id, kind, path, url: `rtsp://hub/${path}`, sdp: webrtcOffer(kind === 'watch' ? 'recvonly' : 'sendonly') }
}

describe('viewers', () => {
  test('share one reader of the hub a path, which is closed with the last of them', async () => {
    const { gateway, watch, streams, peers } = createRig()
    await Promise.all([watch('a'), watch('b')])
    await watch('c', 'ann/other')
    expect([gateway.sessionCount, streams.length]).toEqual([3, 2])
    gateway.end('a', 'it was asked to')
    await vi.advanceTimersByTimeAsync(0)
    expect([peers[0]!.isClosed, streams[0]!.isClosed]).toEqual([true, false])
    gateway.end('b', 'it was asked to')
    await vi.advanceTimersByTimeAsync(0)
    expect(streams.map(({ isClosed }) => isClosed)).toEqual([true, false])
    await gateway.close()
    expect(streams.every(({ isClosed }) => isClosed)).toBe(true)
  })

  test('get the stream once they are connected, until they leave', async () => {
    const { gateway, watch, peers, streams, ended } = createRig()
    await watch('a')
    expect(peers[0]!.wanted).toMatchObject([{ use: { direction: 'send', format: { payloadType: 102 } } }])
    expect(streams[0]!.takers.size).toBe(0)
    peers[0]!.connect()
    expect(streams[0]!.takers.size).toBe(1)
    expect(gateway.accountOf('name0')).toBe('ann')
    peers[0]!.leave('the other end left')
    expect(streams[0]!.takers.size).toBe(0)
    expect(ended).toEqual([['a', 'the other end left', 'name0']])
    expect(gateway.accountOf('name0')).toBeUndefined()
    await gateway.close()
  })

  test('that never connect, or are silent, are ended', async () => {
    const { gateway, watch, peers, ended } = createRig()
    await watch('a')
    await watch('b')
    peers[1]!.connect()
    await vi.advanceTimersByTimeAsync(12_000)
    expect(ended).toEqual([
      ['b', 'nothing was heard of the viewer', 'name1'],
      ['a', 'it did not connect', 'name0'],
    ])
    await gateway.close()
  })
})

test('a wall clock that is set ends no session', async () => {
  const { gateway, watch, publish, peers } = createRig()
  await watch('a')
  await publish('b', 'ann/other')
  for (const peer of peers) peer.connect()
  vi.setSystemTime(Date.now() + 3_600_000)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(gateway.sessionCount).toBe(2)
  await gateway.close()
})

describe('publishers', () => {
  test('what the browser sends is announced to the hub, and closed with the session', async () => {
    const { gateway, publish, published, peers } = createRig()
    await publish('a')
    expect(published[0]!.tracks).toMatchObject([{ codec: 'h264', payloadType: 102 }])
    expect(peers[0]!.wanted).toMatchObject([{ use: { direction: 'receive' } }])
    gateway.end('a', 'it was asked to')
    expect(published[0]!.isClosed).toBe(true)
    await gateway.close()
  })

  test('the hub decides which one has a path: who comes later ends nobody, and who is ended there is gone', async () => {
    const { gateway, publish, published, ended } = createRig()
    await publish('a')
    await publish('b')
    expect(ended).toEqual([])
    published[0]!.end('somebody took over')
    expect(ended).toEqual([['a', 'the media server ended it: somebody took over', 'name0']])
    await gateway.close()
  })
})

describe('refusals', () => {
  test('there is no room', async () => {
    const { gateway, watch } = createRig({ limits: { sessions: 3, sessionsPerPath: 2 } })
    await watch('a')
    await watch('b')
    await expect(watch('c')).rejects.toMatchObject({ reason: 'full' })
    await watch('d', 'ann/other')
    await expect(watch('e', 'ann/third')).rejects.toMatchObject({ reason: 'full' })
    await gateway.close()
  })

  test.each([
    ['not-live', new RtspClientError('refused', 'No such path.', 404)],
    ['path-in-use', new RtspClientError('refused', 'Taken.', 409)],
    ['limit-reached', new RtspClientError('refused', 'Too many.', 403)],
    ['unavailable', new RtspClientError('refused', 'What?', 500)],
    ['unavailable', new Error('ECONNREFUSED')],
  ])('%s: what the hub says', async (reason, error) => {
    const { gateway, watch, ended } = createRig({ openStream: () => Promise.reject(error) })
    await expect(watch('a')).rejects.toMatchObject({ reason, message: error.message })
    expect([gateway.sessionCount, ended]).toEqual([0, []])
    await gateway.close()
  })

  test('an offer that cannot be answered leaves nothing open', async () => {
    const createPeer = () => {
      throw new OfferError('It is odd.')
    }
    const { gateway, watch, publish, streams, published } = createRig({ createPeer })
    await expect(watch('a')).rejects.toMatchObject({ reason: 'offer-invalid' })
    await expect(publish('b')).rejects.toMatchObject({ reason: 'offer-invalid' })
    await vi.advanceTimersByTimeAsync(0)
    expect([streams[0]!.isClosed, published[0]!.isClosed, gateway.sessionCount]).toEqual([true, true, 0])
    await gateway.close()
  })

  test('a session that is ended while it is being answered is only refused, and its reader closed', async () => {
    const { gateway, watch, streams, peers, ended } = createRig()
    const answering = watch('a')
    gateway.end('a', 'it took too long')
    await expect(answering).rejects.toMatchObject({ reason: 'not-live' })
    expect([streams[0]!.isClosed, peers[0]!.isClosed]).toEqual([true, true])
    expect(ended).toEqual([])
    await gateway.close()
  })
})
