import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { type PullStatus } from '../streams/pulled-paths.ts'
import { createStreamReports, StreamReport, type StreamReports } from './stream-reports.ts'

const idle: PullStatus = { state: 'idle', since: 1, lastError: null }
let clock: FakeClock
let statuses: { path: string; status: PullStatus }[]
let onVideo: (path: string, agoMs: number) => void
let sent: StreamReport[]
let noted: string[]
let applied: number
let reports: StreamReports
beforeEach(() => {
  clock = createFakeClock()
  statuses = [{ path: 'ann/gate', status: idle }]
  sent = []
  noted = []
  applied = 0
  reports = createStreamReports({
    streams: {
      onLocalVideo: (handler) => void (onVideo = handler),
      noteRemoteVideo: (path, agoMs) => void noted.push(`${path} ${agoMs}`),
      pulledPaths: { listStatuses: () => statuses },
    },
    publish: (message) => void sent.push(StreamReport.parse(JSON.parse(JSON.stringify(message)))),
    onPulls: () => void applied++,
    clock,
  })
})
afterEach(() => reports.close())

test('video is reported every second; of cameras what has changed, and all of it now and then', async () => {
  reports.start()
  expect(sent).toEqual([{ videos: [], pulls: statuses }])
  onVideo('ann/cam', 100)
  await clock.advance(1_000)
  expect(sent.at(-1)).toEqual({ videos: [{ path: 'ann/cam', agoMs: 1_100 }], pulls: [] })
  await clock.advance(1_000)
  expect(sent).toHaveLength(2)
  statuses = [{ path: 'ann/gate', status: { ...idle, state: 'connected' } }]
  await clock.advance(1_000)
  expect(sent.at(-1)).toEqual({ videos: [], pulls: statuses })
  for (let second = 3; second < 30; second++) await clock.advance(1_000)
  expect(sent).toHaveLength(4)
})

test('the report of many streams is more than one message', async () => {
  reports.start()
  for (let path = 0; path < 1_200; path++) onVideo(`ann/${path}`, 0)
  await clock.advance(1_000)
  expect(sent.slice(1).map(({ videos }) => videos.length)).toEqual([500, 500, 200])
})

test('what is wrong with many cameras comes in messages that NATS takes', async () => {
  const lost = { ...idle, state: 'lost', lastError: { sentence: 'x'.repeat(1_000), at: 1 } } as const
  statuses = Array.from({ length: 200 }, (_, index) => ({ path: `ann/${index}`, status: lost }))
  reports.start()
  expect(sent.flatMap(({ pulls }) => pulls)).toEqual(statuses)
  for (const report of sent) expect(JSON.stringify(report).length).toBeLessThan(64_000)
})

test('the report of another node is known here', () => {
  reports.handle({ videos: [{ path: 'bob/cam', agoMs: 40 }], pulls: [{ path: 'bob/gate', status: idle }] })
  expect(noted).toEqual(['bob/cam 40'])
  expect([reports.pullStatusOf('bob/gate'), reports.pullStatusOf('ann/gate')]).toEqual([idle, undefined])
})

test('what many nodes report of cameras in a second is made known once', async () => {
  reports.start()
  reports.handle({ videos: [{ path: 'bob/cam', agoMs: 40 }], pulls: [] })
  await clock.advance(1_000)
  expect(applied).toBe(0)
  for (const path of ['bob/gate', 'eve/gate']) reports.handle({ videos: [], pulls: [{ path, status: idle }] })
  await clock.advance(1_000)
  await clock.advance(1_000)
  expect(applied).toBe(1)
})
