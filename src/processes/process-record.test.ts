import { beforeEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess, aStats } from '../../test/builders/process.ts'
import { createLog } from '../observe/log.ts'
import { type Process } from './process.ts'
import { createProcessRecord, type ProcessRecord } from './process-record.ts'

let record: ProcessRecord
let written: Process[]
let transitions: string[]
let meter: { ms: number }
beforeEach(() => {
  written = []
  transitions = []
  meter = { ms: 0 }
  record = createProcessRecord(aProcess(), {
    store: { update: async (process) => void written.push(process) },
    meter,
    onState: ({ state }, previous) => void transitions.push(`${previous.state} ${state}`),
    clock: createFakeClock(),
    log: createLog({ level: 'silent', write: () => {} }),
  })
})

test('another state is reported once, and every change is written with what was consumed', async () => {
  record.change({ state: 'running' })
  meter.ms = 1_500
  record.change({ state: 'running', error: 'Something.' })
  await record.flush()
  expect(transitions).toEqual(['starting running'])
  expect(written.at(-1)).toMatchObject({ state: 'running', error: 'Something.', consumedMs: 1_500 })
})

test('what is consumed counts on between two changes', () => {
  meter.ms = 700
  expect(record.current.consumedMs).toBe(700)
})

test('figures alone write nothing', async () => {
  record.setStats(aStats())
  await record.flush()
  expect(written).toEqual([])
  expect(record.current.stats).toMatchObject({ inputFps: 25 })
})

test('ids are reserved by the hundred, before the last reserve is used up', () => {
  const reserved = [1, 2, 50, 51, 52, 103].map((id) => {
    record.reserveTrackIds(id)
    return record.current.lastTrackId
  })
  expect(reserved).toEqual([101, 101, 101, 101, 152, 203])
})
