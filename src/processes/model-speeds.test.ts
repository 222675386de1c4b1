import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCostFinder, createModelSpeeds } from './model-speeds.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-speeds-'))
  file = join(folder, 'models', 'speeds.json')
})
afterEach(() => rmSync(folder, { recursive: true }))

const stats = (p50: number | null) => ({
  inputFps: 1,
  processedFps: 1,
  droppedFrames: 0,
  decodeErrors: 0,
  inferenceMs: { p50, p95: p50, p99: p50 },
  latencyMs: { p50: 1, p95: 1, p99: 1 },
})

test('what was measured is known after a restart', async () => {
  await createModelSpeeds(file).note('fast', 2, stats(20), 0)
  expect(createModelSpeeds(file).find('fast')).toEqual({
    inference_ms_p50: 20,
    inference_ms_p95: 20,
    threads: 2,
    measured_at: '1970-01-01T00:00:00.000Z',
  })
})

test('what a model takes at its best is kept, however busy the machine was when it last ran', async () => {
  const speeds = createModelSpeeds(file)
  expect(speeds.fastestMs('fast')).toBeUndefined()
  for (const p50 of [40, 231, 60]) await speeds.note('fast', 1, stats(p50), 0)
  expect([speeds.fastestMs('fast'), createModelSpeeds(file).fastestMs('fast')]).toEqual([40, 40])
  expect(speeds.find('fast')).toEqual({
    inference_ms_p50: 60,
    inference_ms_p95: 60,
    threads: 1,
    measured_at: '1970-01-01T00:00:00.000Z',
  })
})

test('processes that end together are all noted', async () => {
  const speeds = createModelSpeeds(file)
  await Promise.all(['fast', 'balanced', 'accurate'].map((model) => speeds.note(model, 1, stats(5), 0)))
  expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toEqual(['fast', 'balanced', 'accurate'])
  expect(readdirSync(join(folder, 'models'))).toEqual(['speeds.json'])
})

test('a process that never detected leaves no figures', async () => {
  const speeds = createModelSpeeds(file)
  await speeds.note('fast', 1, stats(null), 0)
  expect(speeds.find('fast')).toBeUndefined()
})

test('a broken file is as good as none', async () => {
  await createModelSpeeds(file).note('fast', 1, stats(5), 0)
  writeFileSync(file, '{"fast":')
  expect(createModelSpeeds(file).find('fast')).toBeUndefined()
})

test.each([
  { name: 'as fast as it is now, where that is faster than ever', now: 30, fastest: 40, costs: 30 },
  { name: 'as fast as it once was, where the machine is busy', now: 300, fastest: 40, costs: 40 },
  { name: 'as fast as where it was made, where it never ran', now: undefined, fastest: undefined, costs: 25 },
])('a model is taken to be $name', ({ now, fastest, costs }) => {
  const speed =
    now === undefined ? undefined : { inference_ms_p50: now, inference_ms_p95: now, threads: 1, measured_at: '' }
  const costOf = createCostFinder({
    speeds: { fastestMs: () => fastest },
    findSpeed: () => speed,
    models: [{ name: 'fast', speed: { oneThreadMs: 25 } }],
  })
  expect(costOf('fast')).toBe(costs)
})
