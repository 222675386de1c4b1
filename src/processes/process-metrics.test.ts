import { expect, test } from 'vitest'
import { createMetrics } from '../observe/metrics.ts'
import { aProcess } from '../../test/builders/process.ts'
import { addProcessMetrics } from './process-metrics.ts'

test('figures of live processes are there, and gone when they are', async () => {
  const metrics = createMetrics()
  const stats = {
    inputFps: 30,
    processedFps: 12.5,
    droppedFrames: 7,
    decodeErrors: 0,
    inferenceMs: { p50: 40, p95: 55 },
    latencyMs: { p50: null, p95: null },
  }
  let live = [aProcess({ id: 'one', state: 'running', stats })]
  addProcessMetrics(metrics, () => live)
  const text = await metrics.text()
  expect(text).toContain('aerie_processes{state="running"} 1')
  expect(text).toContain('aerie_process_processed_fps{process_uuid="one"} 12.5')
  expect(text).not.toContain('aerie_process_latency_ms_p50{')
  live = []
  expect(await metrics.text()).not.toContain('process_uuid="one"')
})
