import { expect, test } from 'vitest'
import { aProcess, aStats } from '../../test/builders/process.ts'
import { type TelemetryStatus } from '../core/telemetry-status.ts'
import { createHealthOf } from './process-health.ts'

const telemetry: TelemetryStatus = {
  type: 'websocket',
  format: 'native',
  last: { atMs: 7_000, ageMs: 33_000 },
  delayMs: null,
  clock: null,
  clockNote: null,
  rejected: {},
  error: 'No message for 33 s.',
  isSilent: true,
}
const healthOf = createHealthOf({
  findLive: () => ({ vitals: () => ({ lastFrame: { atMs: 40_000, ageMs: 200 }, outputError: null }) }),
  telemetry: { statusOf: () => telemetry },
})

test('of a live process all is said that is known', () => {
  expect(healthOf(aProcess({ state: 'running' }))).toEqual({
    lastFrameAtMs: 40_000,
    lastFrameAgeMs: 200,
    lastTelemetry: { atMs: 7_000, ageMs: 33_000 },
    problem: { cause: 'telemetry-silent', sentence: 'Telemetry: No message for 33 s.' },
  })
})

test('of one that has ended, when its last picture came, and what it failed by', () => {
  const stats = aStats({ lastFrameAtMs: 5_000 })
  expect(healthOf(aProcess({ state: 'failed', error: 'The source is gone.', stats }))).toMatchObject({
    lastFrameAtMs: 5_000,
    lastFrameAgeMs: null,
    lastTelemetry: null,
    problem: { sentence: 'The source is gone.' },
  })
})
