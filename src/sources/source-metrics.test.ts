import { expect, test } from 'vitest'
import { aSource } from '../../test/builders/source.ts'
import { createMetrics } from '../observe/metrics.ts'
import { type SourceHealth } from './source.ts'
import { createSourceDirectory } from './source-directory.ts'
import { addSourceMetrics } from './source-metrics.ts'

const connection = { kind: 'published', state: 'connected', since: 0, lastError: null } as const
const nothing: SourceHealth = { connection: null, lastFrame: null, lastTelemetry: null, problem: null }
const healths: Readonly<Record<string, SourceHealth>> = {
  silent: {
    connection,
    lastFrame: { atMs: 0, ageMs: 12_300 },
    lastTelemetry: { atMs: 0, ageMs: 500 },
    problem: 'Connected, but no video for 12 s.',
  },
  well: { ...nothing, connection },
  film: nothing,
}

test('how old the last video and telemetry of each source are and whether it is well, under the name that it has now', async () => {
  const metrics = createMetrics()
  const directory = createSourceDirectory()
  addSourceMetrics(metrics, directory, ({ id }) => healths[id]!)
  const series = async () => (await metrics.text()).match(/^aerie_source_.*$/gm)
  directory.set(aSource({ id: 'silent', alias: 'old' }))
  directory.set(aSource({ id: 'silent', alias: 'roof' }))
  directory.set(aSource({ id: 'well', alias: 'gate' }))
  directory.set(aSource({ id: 'film', alias: 'film', mediaPath: null }))
  expect(await series()).toEqual([
    'aerie_source_last_frame_age_seconds{source_uuid="silent",alias="roof"} 12.3',
    'aerie_source_last_telemetry_age_seconds{source_uuid="silent",alias="roof"} 0.5',
    'aerie_source_problem{source_uuid="silent",alias="roof"} 1',
    'aerie_source_problem{source_uuid="well",alias="gate"} 0',
  ])
  expect([directory.aliasOf('silent'), directory.aliasOf('nobody')]).toEqual(['roof', undefined])
  directory.remove('silent')
  directory.remove('well')
  expect(await series()).toBeNull()
})
