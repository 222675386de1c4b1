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
  for (let frame = 0; frame < 30; frame++) statistics.arrived()
  for (let frame = 0; frame < 20; frame++) statistics.processed(40)
  for (let frame = 0; frame < 10; frame++) statistics.dropped()
  statistics.broken()
  wait(2_000)
  expect(statistics.report()).toMatchObject({ inputFps: 15, processedFps: 10, droppedFrames: 10, decodeErrors: 1 })
  wait(1_000)
  expect(statistics.report()).toMatchObject({ inputFps: 0, processedFps: 0, droppedFrames: 10, decodeErrors: 1 })
})

test('losses count as pieces that are missing, and as a share of the pictures of the last ten reports', () => {
  const { statistics, wait } = setUp()
  const second = (lost: number) => {
    for (let frame = 0; frame < 10; frame++) statistics.arrived()
    for (let loss = 0; loss < lost; loss++) statistics.lost()
    wait(1_000)
    return statistics.report()
  }
  expect(second(0)).toMatchObject({ lossShare: 0, decodeErrors: 0 })
  expect(second(5)).toMatchObject({ lossShare: 0.25, decodeErrors: 5 })
  for (let quiet = 0; quiet < 9; quiet++) expect(second(0).lossShare).toBeGreaterThan(0)
  expect(second(0)).toMatchObject({ lossShare: 0, decodeErrors: 5 })
})

test('the last picture is dated, and stays so while none comes', () => {
  const { statistics, wait } = setUp()
  expect(statistics.report().lastFrameAtMs).toBeUndefined()
  wait(10)
  statistics.arrived()
  wait(3_000)
  expect(statistics.report().lastFrameAtMs).toBe(5_010)
  expect(statistics.report().lastFrameAtMs).toBe(5_010)
})

test('what was not decoded counts by the cores that it would have taken', () => {
  const { statistics, wait } = setUp()
  for (let frame = 0; frame < 100; frame++) statistics.spared(4)
  wait(2_000)
  expect(statistics.report().sparedLoad).toBe(0.2)
  wait(1_000)
  expect(statistics.report().sparedLoad).toBe(0)
})

test('percentiles are of the newest three hundred', () => {
  const { statistics } = setUp()
  for (let ms = 0; ms < 100; ms++) statistics.inferred(10_000)
  for (let ms = 1; ms <= 300; ms++) statistics.inferred(ms)
  expect(statistics.report().inferenceMs).toEqual({ p50: 150, p95: 285, p99: 297 })
})

test('nor older than some seconds, but for a few', () => {
  const { statistics, wait } = setUp()
  for (let frame = 0; frame < 100; frame++) statistics.processed(900)
  wait(15_001)
  for (let frame = 0; frame < 15; frame++) statistics.processed(100)
  expect(statistics.report().latencyMs).toMatchObject({ p50: 100, p95: 900 })
  for (let frame = 0; frame < 5; frame++) statistics.processed(100)
  expect(statistics.report().latencyMs).toMatchObject({ p50: 100, p95: 100 })
})

test('before the first frame there is nothing to report', () => {
  const { statistics } = setUp()
  const none = { p50: null, p95: null, p99: null }
  expect(statistics.report()).toMatchObject({ inputFps: 0, inferenceMs: none, latencyMs: none })
})
