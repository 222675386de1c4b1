import { expect, test } from 'vitest'
import { toRecordingRecord } from './recordings.schema.ts'

const segment = (startedAt: number, durationMs: number | null, gapMs: number | null = null) => ({
  id: `${startedAt}`,
  recordingId: 'r',
  accountId: 'a',
  file: 'f',
  startedAt,
  durationMs,
  sizeBytes: 5,
  gapMs,
})
const recording = { id: 'r', accountId: 'a', sourceId: 's', alias: 'cam', startedAt: 0, endedAt: 90_000 }

test('a break of a second or more between two files is a gap; a shorter one is not', () => {
  const record = toRecordingRecord(
    { ...recording, segments: [segment(0, 60_000), segment(60_200, 20_000), segment(85_200, 4_800)] },
    (id) => `/${id}`,
  )
  expect(record.gaps).toEqual([{ start: '1970-01-01T00:01:20.200Z', duration_seconds: 5 }])
  expect(record).toMatchObject({ duration_seconds: 84.8, size_bytes: 15, ended_at: '1970-01-01T00:01:30.000Z' })
  expect(record.segments[0]).toEqual({
    start: '1970-01-01T00:00:00.000Z',
    duration_seconds: 60,
    size_bytes: 5,
    download_url: '/0',
  })
})

test.each([
  ['a clock that was set forward by an hour makes no gap', 3_660_000, 100, []],
  ['nor hides one that is there', 3_660_000, 4_000, [4]],
  ['a clock that was set back by an hour hides none', -3_540_000, 4_000, [4]],
  ['a segment that came late is no gap, if its sender says so', 60_000, 4_000, []],
])('%s', (_name, startedAt, gapMs, expected) => {
  const segments = [segment(0, 60_000), segment(startedAt, 20_000, gapMs)]
  const { gaps } = toRecordingRecord({ ...recording, segments }, () => '/')
  expect(gaps.map(({ duration_seconds }) => duration_seconds)).toEqual(expected)
})

test('a recording that goes on has no end, and a file that is being written no length', () => {
  const record = toRecordingRecord({ ...recording, endedAt: null, segments: [segment(0, null)] }, () => '/')
  expect(record).toMatchObject({ ended_at: null, duration_seconds: 0, segments: [{ duration_seconds: null }] })
})
