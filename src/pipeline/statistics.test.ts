import { expect, test } from 'vitest'
import { createStatistics } from './statistics.ts'

function setUp() {
  let nowMs = 0
  const statistics = createStatistics(
    () => nowMs,
    () => 5_000 + nowMs,
  )
  return { statistics, wait: (ms: number) => void (nowMs += ms) }
}

test('rates are since the last report, counts since the beginning', () => {
  const { statistics, wait } = setUp()
  for (let frame = 0; frame < 30; frame++) statistics.decoded()
  for (let frame = 0; frame < 20; frame++) statistics.processed(40)
  for (let frame = 0; frame < 10; frame++) statistics.dropped()
  statistics.broken()
  wait(2_000)
  expect(statistics.report()).toMatchObject({ inputFps: 15, processedFps: 10, droppedFrames: 10, decodeErrors: 1 })
  wait(1_000)
  expect(statistics.report()).toMatchObject({ inputFps: 0, processedFps: 0, droppedFrames: 10, decodeErrors: 1 })
})

test('the last decoded picture is dated, and stays so while none comes', () => {
  const { statistics, wait } = setUp()
  expect(statistics.report().lastFrameAtMs).toBeUndefined()
  wait(10)
  statistics.decoded()
  wait(3_000)
  expect(statistics.report().lastFrameAtMs).toBe(5_010)
  expect(statistics.report().lastFrameAtMs).toBe(5_010)
})

test('percentiles are of the newest three hundred', () => {
  const { statistics } = setUp()
  for (let ms = 0; ms < 100; ms++) statistics.inferred(10_000)
  for (let ms = 1; ms <= 300; ms++) statistics.inferred(ms)
  expect(statistics.report().inferenceMs).toEqual({ p50: 150, p95: 285, p99: 297 })
})

test('before the first frame there is nothing to report', () => {
  const { statistics } = setUp()
  const none = { p50: null, p95: null, p99: null }
  expect(statistics.report()).toMatchObject({ inputFps: 0, inferenceMs: none, latencyMs: none })
})
