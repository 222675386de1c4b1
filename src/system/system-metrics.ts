import { type Metrics, type Reading } from '../observe/metrics.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type DiskState } from '../storage/disk-shares.ts'
import { type PartUsage } from '../supervise/usage-meter.ts'
import { isDiskShort, isPath, type SystemReportDeps } from './system-report.ts'

export interface SystemMetricsDeps extends Pick<SystemReportDeps, 'usage' | 'capacity' | 'models'> {
  readonly processes: Pick<SystemReportDeps['processes'], 'list'>
  readonly budget: Pick<DiskBudget, 'onPass'>
  readonly metrics: Pick<Metrics, 'addGauge'>
}

/** The machine for Prometheus: the whole, and what each kind of work, each process and each stream takes of it. */
export function addSystemMetrics({ metrics, usage, capacity, processes, models, budget }: SystemMetricsDeps): void {
  const machine: readonly [name: string, help: string, read: () => number | null][] = [
    ['cores', 'Cores that there are.', () => usage.machine.cores],
    ['used_cores', 'Cores that are kept busy, by whatever runs.', () => usage.machine.usedCores],
    ['available_bytes', 'Memory that programs can still have.', () => usage.machine.availableBytes],
  ]
  for (const [name, help, read] of machine)
    metrics.addGauge({ name: `aerie_machine_${name}`, help, labels: [], read: () => readingOf({}, read()) })

  const disk: readonly [name: string, help: string, read: (state: DiskState) => number][] = [
    ['held_bytes', 'Recordings, uploads, processed video and pictures that are kept.', ({ usedBytes }) => usedBytes],
    ['limit_bytes', 'What may be kept; beyond it the oldest goes.', ({ limitBytes }) => limitBytes],
  ]
  // As the last pass saw it: the figures must be there while the database is away.
  let diskState: DiskState | undefined
  budget.onPass((state) => void (diskState = state ?? diskState))
  for (const [name, help, read] of disk) {
    metrics.addGauge({
      name: `aerie_disk_${name}`,
      help,
      labels: [],
      read: () => readingOf({}, diskState ? read(diskState) : null),
    })
  }

  metrics.addGauge({
    name: 'aerie_machine_is_limited',
    help: 'Whether there is too little of it now (1).',
    labels: ['by'],
    read: () =>
      (['cpu', 'memory', 'disk'] as const).map((by) => ({
        labels: { by },
        value: Number(by === 'disk' ? isDiskShort(diskState) : capacity.shortage === by),
      })),
  })

  const figures: readonly [name: string, what: string, figure: (part: PartUsage) => number | null][] = [
    ['used_cores', 'Cores that are kept busy', ({ usedCores }) => usedCores],
    ['memory_bytes', 'Memory that is taken', ({ memoryBytes }) => memoryBytes],
  ]
  for (const [name, what, figure] of figures) {
    metrics.addGauge({
      name: `aerie_part_${name}`,
      help: `${what} by each kind of work that the service does.`,
      labels: ['part'],
      read: () =>
        sumsBy(({ name }) => name, usage.listParts(), figure).map(([part, value]) => ({ labels: { part }, value })),
    })
    metrics.addGauge({
      name: `aerie_stream_${name}`,
      help: `${what} by recording a stream and showing it by HLS.`,
      labels: ['path'],
      read: () => {
        const ofStreams = usage.listParts().filter(({ subject }) => subject !== undefined && isPath(subject))
        return sumsBy(({ subject }) => subject!, ofStreams, figure).map(([path, value]) => ({
          labels: { path },
          value,
        }))
      },
    })
    metrics.addGauge({
      name: `aerie_process_${name}`,
      help: `${what} by the worker of a process.`,
      labels: ['process_uuid', 'alias'],
      read: () => {
        const parts = new Map(usage.listParts().map((part) => [part.subject, part]))
        return processes.list().flatMap(({ process, sourceAlias }) => {
          const part = parts.get(process.id)
          return part ? readingOf({ process_uuid: process.id, alias: sourceAlias ?? '' }, figure(part)) : []
        })
      },
    })
  }

  metrics.addGauge({
    name: 'aerie_event_loop_delay_seconds',
    help: 'The longest time in the last seconds for which a part of the service did nothing that was due.',
    labels: ['part'],
    read: () => {
      const worst = new Map<string, number>()
      for (const { name, loopDelayMs } of usage.listParts())
        worst.set(name, Math.max(worst.get(name) ?? 0, loopDelayMs / 1000))
      return [...worst].map(([part, value]) => ({ labels: { part }, value }))
    },
  })

  metrics.addGauge({
    name: 'aerie_room_streams',
    help: 'How many more streams fit.',
    labels: ['model'],
    read: () => models.flatMap(({ name }) => readingOf({ model: name }, capacity.roomFor(name))),
  })
}

function sumsBy(
  key: (part: PartUsage) => string,
  parts: readonly PartUsage[],
  figure: (part: PartUsage) => number | null,
): [string, number][] {
  const sums = new Map<string, number>()
  for (const part of parts) sums.set(key(part), (sums.get(key(part)) ?? 0) + (figure(part) ?? 0))
  return [...sums]
}

function readingOf(labels: Record<string, string>, value: number | null): Reading[] {
  return value === null ? [] : [{ labels, value }]
}
