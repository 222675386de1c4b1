import { describe, expect, test } from 'vitest'
import { createFrameMaker } from '../../../test/builders/h264-rtp.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { startOpenRtspServer } from '../../../test/support/rtsp-server.ts'
import { type SourcePart } from '../picture.ts'
import { liveSource, reconnectWaitMs } from './live-source.ts'

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
    { onLost: () => {}, retried: () => Promise.resolve(), signal: new AbortController().signal },
  )
  await expect(parts.next()).rejects.toMatchObject({ failure, cause: expect.any(Error) as Error })
})

test('what a stalled publisher sent before is no sign of life when it comes again, and nobody gets to see it twice', async () => {
  const server = await startOpenRtspServer()
  const anyone = { credentials: { kind: 'none' }, remoteAddress: '127.0.0.1', protocol: 'rtsp' } as const
  const publication = await server.hub.publish('ada/cam', anyone)
  const track = { kind: 'video', codec: 'h264', payloadType: 96, clockRate: 90_000, encodingName: 'H264' } as const
  publication.start({ tracks: [track] })
  const makeFrame = createFrameMaker()
  for (const kind of ['key', 'delta', 'delta'] as const) publication.write(0, makeFrame(kind))

  const leaving = new AbortController()
  let losses = 0
  const parts = liveSource(
    {
      input: { kind: 'hub', path: 'ada/cam', url: server.url },
      reconnection: { silenceMs: 200, mayWait: false, giveUpAfterMs: null },
    },
    {
      onLost: () => void losses++,
      retried: () => Promise.resolve(),
      signal: leaving.signal,
    },
  )
  /** What comes next: the opening of a stream, a new picture, or one that came before. */
  async function next(count: number): Promise<string[]> {
    const kinds: string[] = []
    while (kinds.length < count) {
      const part = (await parts.next()).value as SourcePart
      kinds.push(part.kind === 'opened' ? 'opened' : part.times ? 'new' : 'old')
    }
    return kinds
  }
  expect(await next(4)).toEqual(['opened', 'new', 'new', 'new'])
  expect(await next(8)).toEqual(['opened', 'old', 'old', 'old', 'opened', 'old', 'old', 'old'])
  expect(losses).toBe(2)
  publication.write(0, makeFrame('delta'))
  expect(await next(1)).toEqual(['new'])

  leaving.abort()
  await parts.return()
  publication.close()
  await server.close()
})

describe('the wait before a reconnect', () => {
  test('the first attempt is made at once, the next ones after growing waits of at most ten seconds', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 100].map(reconnectWaitMs)).toEqual([
      0, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000,
    ])
  })
})
