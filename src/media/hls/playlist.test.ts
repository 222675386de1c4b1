import { expect, test } from 'vitest'
import { type Listing, type ListedSegment, renderMasterPlaylist, renderMediaPlaylist } from './playlist.ts'

const NOON = Date.UTC(2026, 5, 1, 12)

function segment(sequence: number, { parts = 5, isComplete = true, isIndependent = true } = {}): ListedSegment {
  return {
    sequence,
    startedAtMs: NOON + (sequence - 100) * 1000,
    seconds: parts * 0.2,
    isComplete,
    parts: Array.from({ length: parts }, (_, index) => ({ seconds: 0.2, isIndependent: isIndependent && index === 0 })),
  }
}

const listing: Listing = {
  run: 100,
  discontinuity: 3,
  segments: [segment(100), segment(101), segment(102, { parts: 2, isComplete: false })],
  maxSegmentSeconds: 1,
  maxPartSeconds: 0.2,
}
const linesOf = (text: string, start: string) => text.split('\n').filter((line) => line.startsWith(start))

test('a playlist says everything that a low-latency player needs', () => {
  const text = renderMediaPlaylist({ ...listing, segments: [segment(100, { parts: 1 })] }, '')
  expect(text).toBe(`#EXTM3U
#EXT-X-VERSION:9
#EXT-X-TARGETDURATION:1
#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.00000,HOLD-BACK=3
#EXT-X-PART-INF:PART-TARGET=0.20000
#EXT-X-MEDIA-SEQUENCE:100
#EXT-X-DISCONTINUITY-SEQUENCE:3
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MAP:URI="init-100.mp4"
#EXT-X-PROGRAM-DATE-TIME:2026-06-01T12:00:00.000Z
#EXT-X-PART:DURATION=0.20000,URI="100.0.m4s",INDEPENDENT=YES
#EXTINF:0.20000,
100.m4s
#EXT-X-PRELOAD-HINT:TYPE=PART,URI="101.0.m4s"
`)
})

test.each([
  { name: 'an open segment has parts but no address of its own', start: '102.m4s', lines: [] },
  {
    name: 'the hint names the part that comes next in it',
    start: '#EXT-X-PRELOAD-HINT',
    lines: ['#EXT-X-PRELOAD-HINT:TYPE=PART,URI="102.2.m4s"'],
  },
  { name: 'whole segments are listed', start: '#EXTINF', lines: ['#EXTINF:1.00000,', '#EXTINF:1.00000,'] },
  {
    name: 'each segment is dated, the open one too',
    start: '#EXT-X-PROGRAM-DATE-TIME',
    lines: ['00', '01', '02'].map((second) => `#EXT-X-PROGRAM-DATE-TIME:2026-06-01T12:00:${second}.000Z`),
  },
])('$name', ({ start, lines }) => expect(linesOf(renderMediaPlaylist(listing, ''), start)).toEqual(lines))

test('parts of old segments are not listed', () => {
  const segments = [100, 101, 102, 103].map((sequence) => segment(sequence))
  const parts = linesOf(renderMediaPlaylist({ ...listing, segments }, ''), '#EXT-X-PART:')
  expect(parts).toHaveLength(10)
  expect(parts[0]).toContain('"102.0.m4s"')
})

test('every address carries the query', () => {
  const text = renderMediaPlaylist(listing, 'token=abc')
  const addresses = text.match(/[\w.-]+\.(m4s|mp4)[^"\n]*/g)!
  expect(addresses.length).toBeGreaterThan(10)
  for (const address of addresses) expect(address).toMatch(/\?token=abc$/)
})

test.each([
  {
    name: 'independence is only claimed where it is true',
    change: { segments: [segment(1, { isIndependent: false })] },
    without: 'INDEPENDENT-SEGMENTS',
  },
])('$name', ({ change, without }) => expect(renderMediaPlaylist({ ...listing, ...change }, '')).not.toContain(without))

test.each([
  { maxSegmentSeconds: 0.5, maxPartSeconds: 0.2, target: 1, holdBack: '1.00000' },
  { maxSegmentSeconds: 2.4, maxPartSeconds: 0.4, target: 2, holdBack: '1.20000' },
  { maxSegmentSeconds: 4.6, maxPartSeconds: 1, target: 5, holdBack: '3.00000' },
])('segments of $maxSegmentSeconds s and parts of $maxPartSeconds s', ({ target, holdBack, ...max }) => {
  const text = renderMediaPlaylist({ ...listing, ...max }, '')
  expect(text).toContain(`#EXT-X-TARGETDURATION:${target}\n`)
  expect(text).toContain(`PART-HOLD-BACK=${holdBack},HOLD-BACK=${3 * target}\n`)
})

test.each([
  {
    name: 'all is known',
    variant: { codecs: ['avc1.42c01f', 'mp4a.40.2'], width: 1280, height: 720, fps: 29.97, bitsPerSecond: 3e6 },
    query: 'token=t',
    lines: [
      '#EXT-X-STREAM-INF:BANDWIDTH=3000000,CODECS="avc1.42c01f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=29.970',
      'stream.m3u8?token=t',
    ],
  },
  {
    name: 'H.265 without size and rate',
    variant: { codecs: ['hvc1.1.6.L93.90'], width: 0, height: 0, fps: undefined, bitsPerSecond: 0 },
    query: '',
    lines: ['#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="hvc1.1.6.L93.90"', 'stream.m3u8'],
  },
])('the first playlist: $name', ({ variant, query, lines }) =>
  expect(renderMasterPlaylist(variant, query).trimEnd().split('\n').slice(-2)).toEqual(lines),
)
