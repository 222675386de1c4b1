import { expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { type PartUsage } from '../supervise/usage-meter.ts'
import { createSystemReport, type SystemProcess, type SystemReportDeps } from './system-report.ts'

const master = anAccount({ id: 'm', username: 'admin', masterId: null })
const MEGABYTE = 2 ** 20

const aProcess = (id: string, accountId: string): SystemProcess => ({
  process: {
    id,
    accountId,
    options: { model: 'fast', priority: 'normal' },
    stats: { inputFps: 15, processedFps: 7, modelLoad: 0.3, latencyMs: { p95: 90 } },
  },
  sourceAlias: `cam of ${accountId}`,
})

const part = (name: string, subject?: string): PartUsage => ({
  name,
  subject,
  usedCores: 0.25,
  loopDelayMs: 0,
  memoryBytes: 100 * MEGABYTE,
})

function setUp(change: Partial<SystemReportDeps> = {}, leftBytes = 600) {
  return createSystemReport({
    usage: {
      machine: { cores: 2, usedCores: 1.234, memoryBytes: 4096, availableBytes: 2048 },
      listParts: () => [
        part('service'),
        part('media server'),
        part('pipeline', 'p-own'),
        part('pipeline', 'p-child'),
        part('pipeline', 'p-other'),
        part('recording', 'admin/roof'),
        part('hls', 'admin/roof'),
        part('recording', 'stranger/gate'),
      ],
    },
    capacity: { roomFor: (model) => (model === 'fast' ? 3 : null), shortage: null },
    processes: {
      list: () => [aProcess('p-own', 'm'), aProcess('p-child', 'c'), aProcess('p-other', 'x')],
      heldBytes: async (processId) => (processId === 'p-own' ? 70 : 0),
    },
    recordings: {
      listHeld: async () => [
        { sourceId: 's1', accountId: 'm', alias: 'roof', bytes: 300 },
        { sourceId: 's2', accountId: 'x', alias: 'gate', bytes: 100 },
      ],
    },
    accounts: {
      listFamily: async () => [
        { id: 'm', username: 'admin' },
        { id: 'c', username: 'child' },
      ],
    },
    budget: {
      state: async () => ({ holders: [], usedBytes: 400, limitBytes: 400 + leftBytes, leftBytes, diskLeftBytes: 600 }),
    },
    objectStoreStatus: async () => null,
    models: [{ name: 'fast' }, { name: 'accurate' }],
    defaultModel: 'fast',
    ...change,
  })(master)
}

test('a master sees what its own keys take, one by one', async () => {
  const { processes, streams, recordings } = await setUp()
  const taken = { used_cores: 0.25, memory_bytes: 100 * MEGABYTE }
  expect(processes).toMatchObject([
    { process_uuid: 'p-own', username: 'admin', source_alias: 'cam of m', model_cores: 0.25, held_bytes: 70, ...taken },
    { process_uuid: 'p-child', username: 'child', held_bytes: 0, ...taken },
  ])
  expect(streams).toEqual([{ path: 'admin/roof', username: 'admin', used_cores: 0.5, memory_bytes: 200 * MEGABYTE }])
  expect(recordings).toEqual([{ source_uuid: 's1', username: 'admin', alias: 'roof', held_bytes: 300 }])
})

test('of others it sees the sum only', async () => {
  const report = await setUp()
  expect(report.others).toEqual({ processes: 1, used_cores: 0.5, memory_bytes: 200 * MEGABYTE })
  expect(JSON.stringify(report)).not.toMatch(/stranger|gate|p-other|cam of x/)
})

test('the whole machine, and what serves everybody', async () => {
  const { cpu, memory, disk, parts, room } = await setUp()
  expect(cpu).toEqual({ cores: 2, used_cores: 1.23 })
  expect(memory).toEqual({ total_bytes: 4096, available_bytes: 2048 })
  expect(disk).toEqual({ held_bytes: 400, limit_bytes: 1000 })
  expect(parts.map(({ name }) => name)).toEqual(['service', 'media server'])
  expect(room).toEqual([{ model: 'fast', streams: 3 }])
})

test('before anything is measured nothing is claimed', async () => {
  const usage = {
    machine: { cores: 2, usedCores: null, memoryBytes: 4096, availableBytes: 2048 },
    listParts: () => [{ ...part('service'), usedCores: null }],
  }
  const report = await setUp({ usage, capacity: { roomFor: () => null, shortage: null } })
  expect(report.cpu.used_cores).toBeNull()
  expect(report.parts).toMatchObject([{ used_cores: null }])
  expect(report.summary).toBe('Start a process to learn how many fit.')
})

const capacity = (room: number, shortage: 'cpu' | 'memory' | null) => ({ roomFor: () => room, shortage })

test.each([
  { change: {}, limitedBy: null, summary: 'Room for 3 more with fast.' },
  { change: { capacity: capacity(0, null) }, limitedBy: null, summary: 'No room for one more with fast.' },
  { change: { capacity: capacity(2, 'cpu') }, limitedBy: 'cpu', summary: 'Room for 2 more with fast.' },
  {
    change: { capacity: capacity(0, 'cpu') },
    limitedBy: 'cpu',
    summary: 'The CPU is full: more streams mean that each is looked at less often.',
  },
  {
    change: { capacity: capacity(0, 'memory') },
    limitedBy: 'memory',
    summary: 'Memory is short: stop something, or give the machine more.',
  },
] as const)('what limits is said: $summary', async ({ change, limitedBy, summary }) => {
  expect(await setUp(change)).toMatchObject({ limited_by: limitedBy, summary })
})

test('a CPU that other programs fill is not blamed on streams', async () => {
  const usage = {
    machine: { cores: 2, usedCores: 1.98, memoryBytes: 4096, availableBytes: 2048 },
    listParts: () => [part('service')],
  }
  const { summary } = await setUp({ usage, capacity: capacity(0, 'cpu') })
  expect(summary).toBe('The CPU is full: other programs take 1.7 of its 2 cores.')
})

test('a disk on which the oldest goes is said', async () => {
  const { limited_by, summary } = await setUp({}, 5)
  expect(limited_by).toBe('disk')
  expect(summary).toBe('The disk is full: the oldest recordings make room for new ones. Room for 3 more with fast.')
})

test('what waits for the object store is shown, and why', async () => {
  expect((await setUp()).object_store).toBeNull()
  const { object_store } = await setUp({
    objectStoreStatus: async () => ({
      stored: { files: 7, bytes: 700 },
      waiting: { files: 2, bytes: 20 },
      lastError: { sentence: 'The object store is full.', at: 0 },
    }),
  })
  expect(object_store).toEqual({
    stored_files: 7,
    stored_bytes: 700,
    waiting_files: 2,
    waiting_bytes: 20,
    last_error: { at: '1970-01-01T00:00:00.000Z', message: 'The object store is full.' },
  })
})
