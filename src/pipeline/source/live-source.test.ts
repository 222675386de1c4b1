import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFrameMaker } from '../../../test/builders/h264-rtp.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { startOpenRtspServer } from '../../../test/support/rtsp-server.ts'
import { type Publication } from '../../media/publication.ts'
import { type SourcePart } from '../picture.ts'
import { createPictureWatch, type PictureWatch } from '../picture-watch.ts'
import { liveSource, reconnectWaitMs } from './live-source.ts'

/** Every packet gives a picture. */
const watch: PictureWatch = { start() {}, onDecoded() {}, onHeldBack() {}, hasPicture: true, isFailing: false }

test.each([
  { name: 'was never there', mayWait: false, failure: 'source-not-live' },
  { name: 'did not come back', mayWait: true, failure: 'source-lost' },
])('a source that $name fails with what it failed of, for the log', async ({ mayWait, failure }) => {
  const url = `rtsp://127.0.0.1:${await freePort()}/ann/cam`
  const parts = liveSource(
    {
      input: { kind: 'hub', path: 'ann/cam', url },
      reconnection: { silenceMs: 1_000, mayWait, giveUpAfterMs: -1 },
    },
    { onLost() {}, retried: async () => {}, onLoss() {}, watch, signal: new AbortController().signal },
  )
  await expect(parts.next()).rejects.toMatchObject({ failure, cause: expect.any(Error) as Error })
})

describe('a publisher', () => {
  const track = { kind: 'video', codec: 'h264', payloadType: 96, clockRate: 90_000, encodingName: 'H264' } as const
  const anyone = { credentials: { kind: 'none' }, remoteAddress: '127.0.0.1', protocol: 'rtsp' } as const
  let server: Awaited<ReturnType<typeof startOpenRtspServer>>
  let publication: Publication
  let leaving: AbortController
  let losses: string[]
  let lostPackets: number

  beforeEach(async () => {
    server = await startOpenRtspServer()
    publication = await server.hub.publish('ada/cam', anyone)
    publication.start({ tracks: [track] })
    leaving = new AbortController()
    ;[losses, lostPackets] = [[], 0]
  })
  afterEach(async () => {
    leaving.abort()
    publication.close()
    await server.close()
  })

  const open = (silenceMs: number, giveUpAfterMs: number | null, pictureWatch: PictureWatch) =>
    liveSource(
      {
        input: { kind: 'hub', path: 'ada/cam', url: server.url },
        reconnection: { silenceMs, mayWait: false, giveUpAfterMs },
      },
      {
        onLost: (sentence) => void losses.push(sentence),
        retried: () => Promise.resolve(),
        onLoss: () => void lostPackets++,
        watch: pictureWatch,
        signal: leaving.signal,
      },
    )

  /** What comes next: the opening of a stream, a new picture, or one that came before. */
  async function next(parts: AsyncGenerator<SourcePart>, count: number): Promise<string[]> {
    const kinds: string[] = []
    while (kinds.length < count) {
      const part = (await parts.next()).value as SourcePart
      kinds.push(part.kind === 'opened' ? 'opened' : part.times ? 'new' : 'old')
    }
    return kinds
  }

  test('that stalls: what it sent before is no sign of life when it comes again, and nobody gets to see it twice', async () => {
    const makeFrame = createFrameMaker()
    for (const kind of ['key', 'delta', 'delta'] as const) publication.write(0, makeFrame(kind))
    const parts = open(200, null, watch)
    expect(await next(parts, 4)).toEqual(['opened', 'new', 'new', 'new'])
    expect(await next(parts, 8)).toEqual(['opened', 'old', 'old', 'old', 'opened', 'old', 'old', 'old'])
    expect(losses).toHaveLength(2)
    publication.write(0, makeFrame('delta'))
    expect(await next(parts, 1)).toEqual(['new'])
    leaving.abort()
    await parts.return()
  })

  test('that sends packets of which no picture can be made is lost, and given up in time', async () => {
    const pictureWatch = createPictureWatch(100, () => performance.now())
    const makeFrame = createFrameMaker()
    publication.write(0, makeFrame('key'))
    const parts = open(5_000, 500, pictureWatch)
    const sending = setInterval(() => publication.write(0, makeFrame('delta')), 10)
    async function readAll(): Promise<void> {
      for await (const part of parts) if (part.kind === 'packet') pictureWatch.onDecoded(false)
    }
    await expect(readAll()).rejects.toMatchObject({
      failure: 'source-lost',
      message: expect.stringContaining('Packets come, but no picture can be made of them.') as unknown,
    })
    clearInterval(sending)
    expect(losses.length).toBeGreaterThan(0)
  })

  test('whose packets are lost on the way has each loss counted', async () => {
    const makeFrame = createFrameMaker()
    publication.write(0, makeFrame('key'))
    const parts = open(5_000, null, watch)
    expect(await next(parts, 2)).toEqual(['opened', 'new'])
    publication.write(0, makeFrame('delta'))
    makeFrame('delta')
    // What it is a part of may have begun in what is missing.
    publication.write(0, makeFrame('delta'))
    publication.write(0, makeFrame('delta'))
    expect(await next(parts, 2)).toEqual(['new', 'new'])
    expect(lostPackets).toBe(1)
    leaving.abort()
    await parts.return()
  })
})

describe('the wait before a reconnect', () => {
  test('the first attempt is made at once, the next ones after growing waits of at most ten seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 100].map(reconnectWaitMs)).toEqual([
      0, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ])
  })
})
