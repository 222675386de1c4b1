import { expect, test } from 'vitest'
import { aRecordedFile } from '../../test/builders/recorded-file.ts'
import { type RecordedFile } from '../core/recorded-time.ts'
import { renderVod } from './vod-playlist.ts'

const START = Date.UTC(2026, 10, 16, 3)
const HOUR_MS = 3_600_000

interface Listed {
  readonly date: string
  readonly seconds: number
  readonly name: string
}

/** What a playlist lists, and whatever else it says. */
function read(playlist: string): { readonly pieces: Listed[]; readonly rest: string[] } {
  const pieces: Listed[] = []
  const rest: string[] = []
  let date = ''
  let seconds = 0
  for (const line of playlist.trimEnd().split('\n')) {
    if (line.startsWith('#EXT-X-PROGRAM-DATE-TIME:')) date = line.slice(25)
    else if (line.startsWith('#EXTINF:')) seconds = parseFloat(line.slice(8))
    else if (line.startsWith('../')) {
      pieces.push({ date, seconds, name: line.slice('../../../recorded/'.length).replace('?token=of-cam', '') })
      date = ''
    } else rest.push(line)
  }
  return { pieces, rest }
}

function render(files: readonly RecordedFile[], from: number, to: number, container: 'mp4' | 'ts' = 'mp4') {
  const options = { container, root: '../../../', tokenOf: (sourceId: string) => `of-${sourceId}` }
  return renderVod(files, { from: START + from, to: START + to }, options)
}
const listed = (...asked: Parameters<typeof render>) => read(render(...asked)!)

/** Files of 10 s with keyframes every 2 s, a kilobyte each. */
const file = (id: string, at: number, change: Partial<RecordedFile> = {}) =>
  aRecordedFile({ id, startedAt: START + at, durationMs: 10_000, ...change })

test('what is asked for is one line of time over all files; dates are where files begin', () => {
  const { pieces, rest } = listed([file('a', 0), file('b', 10_000)], 0, 20_000)
  expect(pieces).toEqual([
    { date: '2026-11-16T03:00:00.000Z', seconds: 4, name: 'a-1000-3000-10000.m4s' },
    { date: '', seconds: 4, name: 'a-3000-5000-10000.m4s' },
    { date: '', seconds: 2, name: 'a-5000-6000-10000.m4s' },
    { date: '2026-11-16T03:00:10.000Z', seconds: 4, name: 'b-1000-3000-20000.m4s' },
    { date: '', seconds: 4, name: 'b-3000-5000-20000.m4s' },
    { date: '', seconds: 2, name: 'b-5000-6000-20000.m4s' },
  ])
  expect(rest).toEqual([
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    '#EXT-X-TARGETDURATION:4',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    '#EXT-X-MAP:URI="../../../recorded/a-init.mp4?token=of-cam"',
    '#EXT-X-ENDLIST',
  ])
})

test('it begins with the keyframe before what is asked for, and says how far behind that is', () => {
  const { pieces, rest } = listed([file('a', 0)], 5_480, 8_500)
  expect(pieces).toEqual([
    { date: '2026-11-16T03:00:04.000Z', seconds: 4, name: 'a-3000-5000-6000.m4s' },
    { date: '', seconds: 2, name: 'a-5000-6000-6000.m4s' },
  ])
  expect(rest).toContain('#EXT-X-START:TIME-OFFSET=1.480,PRECISE=YES')
})

test('pictures that came faster than time passed have their time, and what follows begins behind them', () => {
  const ahead = (mediaMs: number) => file('a', 0, { index: { ...file('a', 0).index!, mediaMs } })
  const namesBehind = (mediaMs: number) => listed([ahead(mediaMs), file('b', 10_100)], 8_000, 13_000).pieces
  expect(namesBehind(10_480)).toEqual([
    { date: '2026-11-16T03:00:08.000Z', seconds: 2.48, name: 'a-5000-6000-2000.m4s' },
    { date: '2026-11-16T03:00:10.100Z', seconds: 4, name: 'b-1000-3000-12480.m4s' },
  ])
  // Nor does a clock that runs wild make a day of it.
  expect(namesBehind(86_400_000).at(0)).toMatchObject({ seconds: 12 })
})

test('a gap takes no time, whatever is missing; the date says so', () => {
  const { pieces } = listed([file('a', 0), file('b', HOUR_MS)], 8_000, HOUR_MS + 1)
  expect(pieces).toEqual([
    { date: '2026-11-16T03:00:08.000Z', seconds: 2, name: 'a-5000-6000-2000.m4s' },
    { date: '2026-11-16T04:00:00.000Z', seconds: 2, name: 'b-1000-2000-12000.m4s' },
  ])
})

test('the last picture of a file lasts until the next one, of which it is not known', () => {
  const { pieces } = listed([file('a', 0, { durationMs: 9_960 }), file('b', 10_000)], 8_000, 11_000)
  expect(pieces.map(({ seconds, name }) => [seconds, name])).toEqual([
    [2, 'a-5000-6000-2000.m4s'],
    [2, 'b-1000-2000-12000.m4s'],
  ])
})

test('what was recorded twice is played once, but for a group', () => {
  const { pieces } = listed([file('a', 0, { durationMs: 7_500 }), file('b', 4_000)], 0, 12_000)
  expect(pieces.map(({ date, name }) => [date, name])).toEqual([
    ['2026-11-16T03:00:00.000Z', 'a-1000-3000-10000.m4s'],
    ['', 'a-3000-5000-10000.m4s'],
    ['2026-11-16T03:00:06.000Z', 'b-2000-4000-15500.m4s'],
    ['', 'b-4000-5000-15500.m4s'],
  ])
})

test('another format has a header of its own, and time goes on', () => {
  const index = { ...file('b', 10_000).index!, initHash: 'ffffffffffffffff' }
  const { pieces, rest } = listed(
    [file('a', 0), file('b', 10_000, { index }), file('c', 20_000, { index })],
    8_000,
    22_000,
  )
  expect(pieces.at(-1)!.name).toBe('c-1000-2000-22000.m4s')
  expect(rest.slice(6)).toEqual([
    '#EXT-X-MAP:URI="../../../recorded/a-init.mp4?token=of-cam"',
    '#EXT-X-DISCONTINUITY',
    '#EXT-X-MAP:URI="../../../recorded/b-init.mp4?token=of-cam"',
    '#EXT-X-ENDLIST',
  ])
})

test('a transport stream has no header', () => {
  const index = { ...file('b', 10_000).index!, initHash: 'ffffffffffffffff' }
  const { pieces, rest } = listed([file('a', 0), file('b', 10_000, { index })], 8_000, 12_000, 'ts')
  expect(pieces.map(({ name }) => name)).toEqual(['a-5000-6000-2000.ts', 'b-1000-2000-12000.ts'])
  expect(rest.slice(6)).toEqual(['#EXT-X-DISCONTINUITY', '#EXT-X-ENDLIST'])
})

test('files of before there was an index are a piece each, and those of a recording have one format', () => {
  const old = { index: null, sizeBytes: 9_000 }
  const { pieces, rest } = listed([file('a', 0, old), file('b', 10_000, old), file('c', 20_000)], 5_000, 21_000)
  expect(pieces.map(({ seconds, name }) => [seconds, name])).toEqual([
    [10, 'a-0-9000-10000.m4s'],
    [10, 'b-0-9000-20000.m4s'],
    [2, 'c-1000-2000-30000.m4s'],
  ])
  expect(rest.filter((line) => line.includes('MAP')).length).toBe(2)
})

test('a file that cannot be read, or holds nothing, is a gap', () => {
  const { pieces } = listed(
    [file('a', 0, { durationMs: null }), file('b', 10_000, { durationMs: 0 }), file('c', 20_000)],
    0,
    21_000,
  )
  expect(pieces.map(({ name }) => name)).toEqual(['c-1000-2000-10000.m4s'])
})

test('nothing recorded is no playlist', () => {
  expect(render([], 0, 1_000)).toBeUndefined()
  expect(render([file('a', 0)], 10_000, 20_000)).toBeUndefined()
  expect(render([file('a', 10_000)], 0, 10_000)).toBeUndefined()
})

test('a day has longer pieces, each of an even line', () => {
  const files = Array.from({ length: 8_640 }, (_, at) => file(`f${at}`, at * 10_000))
  const playlist = render(files, 0, 24 * HOUR_MS)!
  const { pieces, rest } = read(playlist)
  expect(pieces.length).toBe(2 * 8_640)
  expect(rest).toContain('#EXT-X-TARGETDURATION:8')
  expect(pieces.reduce((sum, { seconds }) => sum + seconds, 0)).toBe(24 * 3_600)
  expect(pieces.at(-1)!.name).toBe(`f8639-5000-6000-${10_000 + 24 * HOUR_MS - 10_000}.m4s`)
})
