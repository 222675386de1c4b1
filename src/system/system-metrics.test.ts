import { expect, test } from 'vitest'
import { createMetrics } from '../observe/metrics.ts'
import { type DiskState } from '../storage/disk-shares.ts'
import { addSystemMetrics } from './system-metrics.ts'

test('the disk is as the last pass saw it, also while there is more to remove', async () => {
  const metrics = createMetrics()
  let pass: (state: DiskState | undefined) => void | Promise<void> = () => {}
  addSystemMetrics({
    metrics,
    usage: { machine: { cores: 2, usedCores: null, memoryBytes: 8, availableBytes: 4 }, listParts: () => [] },
    capacity: { roomFor: () => null, shortage: null },
    processes: { list: () => [] },
    models: [],
    budget: { onPass: (handler) => void (pass = handler) },
  })
  const disk = async () => (await metrics.text()).match(/^aerie_disk_\S+ \d+$/gm) ?? []
  expect(await disk()).toEqual(['aerie_disk_held_bytes 0', 'aerie_disk_limit_bytes 0'])
  await pass({ usedBytes: 3, limitBytes: 9 } as DiskState)
  await pass(undefined)
  expect(await disk()).toEqual(['aerie_disk_held_bytes 3', 'aerie_disk_limit_bytes 9'])
})
