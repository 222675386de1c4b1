import { expect, test } from 'vitest'
import { aSource } from '../../test/builders/source.ts'
import { createMetrics } from '../observe/metrics.ts'
import { createSourceDirectory } from './source-directory.ts'
import { addSourceMetrics } from './source-metrics.ts'

test('how old the last video of each stream is, under the name that it has now', async () => {
  const metrics = createMetrics()
  const directory = createSourceDirectory()
  const find = (path: string) => (path === 'ann/cam' ? { atMs: 0, ageMs: 12_300 } : null)
  addSourceMetrics(metrics, directory, { find })
  directory.set(aSource({ id: 's1', alias: 'old', mediaPath: 'ann/cam' }))
  directory.set(aSource({ id: 's1', alias: 'roof', mediaPath: 'ann/cam' }))
  directory.set(aSource({ id: 's2', alias: 'never', mediaPath: 'ann/other' }))
  directory.set(aSource({ id: 's3', alias: 'film', mediaPath: null }))
  const series = async () => (await metrics.text()).match(/^aerie_source_last_frame_age_seconds\{.*$/gm)
  expect(await series()).toEqual(['aerie_source_last_frame_age_seconds{source_uuid="s1",alias="roof"} 12.3'])
  expect([directory.aliasOf('s1'), directory.aliasOf('s4')]).toEqual(['roof', undefined])
  directory.remove('s1')
  expect(await series()).toBeNull()
})
