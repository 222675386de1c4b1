import { expect, test } from 'vitest'
import { createMetrics } from '../observe/metrics.ts'
import { type DiskState } from '../storage/disk-shares.ts'
import { addSystemMetrics, type SystemMetricsDeps } from './system-metrics.ts'

function setUp(change: Partial<SystemMetricsDeps> = {}) {
  const metrics = createMetrics()
  let pass: (state: DiskState | undefined) => void | Promise<void> = () => {}
  addSystemMetrics({
    metrics,
    usage: { machine: { cores: 2, usedCores: null, memoryBytes: 8, availableBytes: 4 }, listParts: () => [] },
    capacity: { roomFor: () => null, shortage: null },
    processes: { list: () => [] },
    models: [],
    budget: { onPass: (handler) => void (pass = handler) },
    ...change,
  })
  const read = async (name: string) =>
    (await metrics.text()).split('\n').filter((line) => line.startsWith(`aerie_${name}`))
  return { read, pass: (state: DiskState | undefined) => pass(state) }
}

test('the disk is as the last pass saw it, also while there is more to remove', async () => {
  const { read, pass } = setUp()
  expect(await read('disk_')).toEqual(['aerie_disk_held_bytes 0', 'aerie_disk_limit_bytes 0'])
  await pass({ usedBytes: 3, limitBytes: 9, leftBytes: 6 } as DiskState)
  await pass(undefined)
  expect(await read('disk_')).toEqual(['aerie_disk_held_bytes 3', 'aerie_disk_limit_bytes 9'])
})

test('what limits is said of each', async () => {
  const calm = setUp()
  expect(await calm.read('machine_is_limited')).toEqual([
    'aerie_machine_is_limited{by="cpu"} 0',
    'aerie_machine_is_limited{by="memory"} 0',
    'aerie_machine_is_limited{by="disk"} 0',
  ])
  await calm.pass({ usedBytes: 9, limitBytes: 9, leftBytes: 0 } as DiskState)
  expect(await calm.read('machine_is_limited{by="disk"}')).toEqual(['aerie_machine_is_limited{by="disk"} 1'])
  const full = setUp({ capacity: { roomFor: () => 0, shortage: 'cpu' } })
  await full.pass({ usedBytes: 9, limitBytes: 9, leftBytes: 0 } as DiskState)
  expect(await full.read('machine_is_limited')).toEqual([
    'aerie_machine_is_limited{by="cpu"} 1',
    'aerie_machine_is_limited{by="memory"} 0',
    'aerie_machine_is_limited{by="disk"} 1',
  ])
})

test('a stream takes what its recorder and its HLS take together; processes are not among them', async () => {
  const part = (name: string, subject?: string) => ({ name, subject, usedCores: 0.25, memoryBytes: 10, loopDelayMs: 0 })
  const machine = { cores: 2, usedCores: 1, memoryBytes: 8, availableBytes: 4 }
  const parts = [
    part('service'),
    part('pipeline', 'p'),
    part('recording', 'admin/roof'),
    part('hls', 'admin/roof'),
    part('recording', 'admin/gate'),
  ]
  const { read } = setUp({ usage: { machine, listParts: () => parts } })
  expect(await read('stream_')).toEqual([
    'aerie_stream_used_cores{path="admin/roof"} 0.5',
    'aerie_stream_used_cores{path="admin/gate"} 0.25',
    'aerie_stream_memory_bytes{path="admin/roof"} 20',
    'aerie_stream_memory_bytes{path="admin/gate"} 10',
  ])
})
