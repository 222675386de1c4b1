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
  telemetry: { statusOf: () => telemetry, cfgOf: () => null },
  sources: {
    hasTelemetry: (sourceId, cfg) => cfg === null && sourceId !== 'changed',
    streamProblemOf: (sourceId) => (sourceId === 'refused' ? 'Connection refused.' : null),
  },
})

test('of a live process all is said that is known', () => {
  expect(healthOf(aProcess({ state: 'running' }))).toEqual({
    lastFrameAtMs: 40_000,
    lastFrameAgeMs: 200,
    lastTelemetry: { atMs: 7_000, ageMs: 33_000 },
    telemetryError: 'No message for 33 s.',
    hasOldTelemetry: false,
    problem: { cause: 'telemetry-silent', sentence: 'Telemetry: No message for 33 s.' },
  })
})

test('one that began with other telemetry than its source has now says so, until it has ended', () => {
  const outdated = aProcess({ state: 'running', sourceId: 'changed' })
  expect(healthOf(outdated)).toMatchObject({
    hasOldTelemetry: true,
    problem: { sentence: expect.stringContaining('stop and start it') as string },
  })
  expect(healthOf({ ...outdated, state: 'stopped' })).toMatchObject({ hasOldTelemetry: false, problem: null })
})

test('one that waits for a camera says what is wrong with it', () => {
  expect(healthOf(aProcess({ state: 'waiting', sourceId: 'refused' }))).toMatchObject({
    telemetryError: null,
    problem: { sentence: 'Connection refused.' },
  })
  expect(healthOf(aProcess({ state: 'running', sourceId: 'refused' })).problem?.sentence).toContain('Telemetry')
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
