import { expect, test } from 'vitest'
import { createMetrics } from '../observe/metrics.ts'
import { aHealth, aProcess, aStats } from '../../test/builders/process.ts'
import { addProcessMetrics } from './process-metrics.ts'

const stats = aStats({ processedFps: 12.5, latencyMs: { p50: null, p95: null, p99: null } })
const running = aProcess({ id: 'one', state: 'running', stats })
const well = aHealth({ lastFrameAtMs: 0, lastFrameAgeMs: 250, lastTelemetry: { atMs: 0, ageMs: 33_000 } })
const aliasOf = () => 'roof'

test('figures of live processes are there under their names, and gone when they are', async () => {
  const metrics = createMetrics()
  let live = [running]
  addProcessMetrics({ metrics, listProcesses: () => live, aliasOf, healthOf: () => well })
  const text = await metrics.text()
  expect(text).toContain('aerie_processes{state="running"} 1')
  expect(text).toContain('aerie_process_restarts{process_uuid="one",alias="roof"} 0')
  expect(text).toContain('aerie_process_processed_fps{process_uuid="one",alias="roof"} 12.5')
  expect(text).toContain('aerie_process_last_frame_age_seconds{process_uuid="one",alias="roof"} 0.25')
  expect(text).toContain('aerie_process_last_telemetry_age_seconds{process_uuid="one",alias="roof"} 33')
  expect(text).toContain('aerie_process_problem{process_uuid="one",alias="roof"} 0')
  expect(text).not.toContain('aerie_process_latency_ms_p50{')
  live = []
  expect(await metrics.text()).not.toContain('process_uuid="one"')
})

test('what is wrong is a one, and what never came has no age', async () => {
  const metrics = createMetrics()
  const problem = { cause: 'lost', sentence: 'Lost.' }
  const health = { ...well, lastFrameAtMs: null, lastFrameAgeMs: null, lastTelemetry: null, problem }
  addProcessMetrics({ metrics, listProcesses: () => [running], aliasOf, healthOf: () => health })
  const text = await metrics.text()
  expect(text).toContain('aerie_process_problem{process_uuid="one",alias="roof"} 1')
  expect(text).not.toContain('age_seconds{')
})
