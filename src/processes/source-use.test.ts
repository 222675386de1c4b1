import { expect, test } from 'vitest'
import { aProcess } from '../../test/builders/process.ts'
import { createSourceUse } from './source-use.ts'

test('a source is used by all its processes, and needed by those that do not merely wait', () => {
  const processes = [
    aProcess({ id: 'p1', sourceId: 's1', state: 'waiting' }),
    aProcess({ id: 'p2', sourceId: 's1', state: 'reconnecting' }),
    aProcess({ id: 'p3', sourceId: 's2', state: 'waiting' }),
  ]
  const ages: Record<string, number> = { p1: 9_000, p2: 400 }
  const readFrom: string[] = []
  const use = createSourceUse(
    () => processes,
    ({ id }) => ({
      lastTelemetry: ages[id] === undefined ? null : { atMs: 0, ageMs: ages[id] },
      telemetryError: id !== 'p3' ? 'No message for 6 s.' : null,
      hasOldTelemetry: id === 'p2',
    }),
    (id, url) => void readFrom.push(`${id} ${url}`),
  )
  expect(use.processesOf('s1')).toEqual(['p1', 'p2'])
  expect(['s1', 's2'].map((id) => use.withOldTelemetry(id))).toEqual([['p2'], []])
  expect(['s1', 's2', 's3'].map((id) => use.isVideoNeeded(id))).toEqual([true, false, false])
  expect(use.lastTelemetryOf('s1')).toMatchObject({ ageMs: 400 })
  expect(use.lastTelemetryOf('s2')).toBeNull()
  expect(['s1', 's2'].map((id) => use.telemetryErrorOf(id))).toEqual(['No message for 6 s.', null])
  use.onAddressChange('s1', 'rtsp://camera/2')
  expect(readFrom).toEqual(['p1 rtsp://camera/2', 'p2 rtsp://camera/2'])
})
