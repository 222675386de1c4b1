import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess } from '../../test/builders/process.ts'
import { type ReceivedTelemetry } from '../core/received-telemetry.ts'
import { createDetectionChannel, type DetectionChannel } from './detection-channel.ts'
import { createTelemetryFeed, type TelemetryFeed } from './telemetry-feed.ts'

const process = aProcess({ state: 'running' })
const silent = { take() {}, end() {}, moved() {} }

let clock: FakeClock
let channel: DetectionChannel
let feed: TelemetryFeed
let latest: ReceivedTelemetry | null
let asked: number
beforeEach(() => {
  clock = createFakeClock()
  channel = createDetectionChannel()
  latest = null
  asked = 0
  const latestOf = () => {
    asked += 1
    return latest
  }
  feed = createTelemetryFeed({ channel, listProcesses: () => [process], telemetry: { latestOf }, clock })
  feed.start()
})
afterEach(() => feed.close())

function listen(): unknown[] {
  const sent: unknown[] = []
  channel.listen(process.id, { ...silent, telemetry: (telemetry) => sent.push(telemetry) })
  return sent
}
const message = (number: number) => ({ number, ageMs: 12.4, message: { timestamp: 5, altitude: number } })
const as = (altitude: number) => ({ process_uuid: process.id, age_ms: 12, timestamp: 5, altitude })

test('of sixty messages a second two are sent, and each at most once', async () => {
  const sent = listen()
  for (let number = 1; number <= 60; number++) {
    latest = message(number)
    await clock.advance(50)
  }
  expect(sent.length).toBeGreaterThanOrEqual(5)
  expect(sent.length).toBeLessThanOrEqual(7)
  const before = sent.length
  await clock.advance(500)
  await clock.advance(5_000)
  expect(sent.length).toBeLessThanOrEqual(before + 1)
  expect(sent.at(-1)).toEqual(as(60))
})

test('who comes is sent the last one at once', () => {
  latest = message(3)
  expect(listen()).toEqual([as(3)])
  expect(listen()).toEqual([as(3)])
})

test('nothing is looked at while nobody wants it, and nothing is sent without telemetry', async () => {
  channel.listen(process.id, silent)
  await clock.advance(2_000)
  expect(asked).toBe(0)
  const sent = listen()
  await clock.advance(2_000)
  expect(sent).toEqual([])
})
