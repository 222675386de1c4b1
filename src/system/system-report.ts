import { type Account } from '../core/account.ts'
import { toZulu } from '../core/clock.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { rounded } from '../core/numbers.ts'
import { type DiskBudget } from '../storage/disk-budget.ts'
import { type DiskState } from '../storage/disk-shares.ts'
import { type ObjectStoreStatus } from '../storage/object-store/object-store.module.ts'
import { type PartUsage, type UsageMeter } from '../supervise/usage-meter.ts'
import { type SystemInfo } from './system.schema.ts'

export interface SystemReportDeps {
  readonly usage: Pick<UsageMeter, 'machine' | 'listParts'>
  readonly capacity: {
    roomFor(model: string): number | null
    readonly shortage: 'cpu' | 'memory' | null
  }
  readonly processes: {
    list(): readonly SystemProcess[]
    /** Of its processed video. */
    heldBytes(processId: string): Promise<number>
  }
  readonly recordings: { listHeld(): Promise<readonly HeldRecordings[]> }
  readonly accounts: {
    /** The master and its children. */
    listFamily(masterId: string): Promise<readonly Pick<Account, 'id' | 'username'>[]>
  }
  readonly budget: Pick<DiskBudget, 'state'>
  /** Null where none is set. */
  readonly objectStoreStatus: () => Promise<ObjectStoreStatus | null>
  readonly models: readonly { readonly name: string }[]
  readonly defaultModel: string
}

/** A process that goes on. */
export interface SystemProcess {
  readonly process: ProcessInReport
  readonly sourceAlias: string | null
}

interface ProcessInReport {
  readonly id: string
  readonly accountId: string
  readonly options: { readonly model: string; readonly priority: 'low' | 'normal' | 'high' }
  readonly stats: {
    readonly inputFps: number
    readonly processedFps: number
    readonly modelLoad?: number
    readonly sparedLoad?: number
    readonly latencyMs: { readonly p95: number | null }
  } | null
}

/** What is kept of one source. */
export interface HeldRecordings {
  readonly sourceId: string
  readonly accountId: string
  readonly alias: string
  readonly bytes: number
}

/** Below this share of what may be kept, the disk is what limits. */
const MIN_FREE_DISK_SHARE = 0.02

/** What takes how much of the machine, as a master may see it. */
export function createSystemReport(deps: SystemReportDeps): (master: Account) => Promise<SystemInfo> {
  const { usage, capacity, processes, recordings, accounts, budget, objectStoreStatus, models, defaultModel } = deps

  function roomByModel(): SystemInfo['room'] {
    return models.flatMap(({ name }) => {
      const streams = capacity.roomFor(name)
      return streams === null ? [] : [{ model: name, streams }]
    })
  }

  return async (master) => {
    const [family, disk, held, store] = await Promise.all([
      accounts.listFamily(master.id),
      budget.state(),
      recordings.listHeld(),
      objectStoreStatus(),
    ])
    const usernames = new Map(family.map(({ id, username }) => [id, username]))
    const own = new Set(usernames.values())
    const parts = usage.listParts()
    const working = processes.list()
    const mine = working.filter(({ process }) => usernames.has(process.accountId))
    const mineById = new Set(mine.map(({ process }) => process.id))
    const isMine = ({ subject }: PartUsage) =>
      subject !== undefined && (mineById.has(subject) || isPathOf(subject, own))
    const limitedBy = limitOf(capacity, disk)
    const videoBytes = await Promise.all(mine.map(({ process }) => processes.heldBytes(process.id)))
    const room = roomByModel()
    const { cores, usedCores, memoryBytes, availableBytes } = usage.machine
    return {
      summary: summaryOf(
        limitedBy,
        room.find(({ model }) => model === defaultModel),
        { cores, others: Math.max(0, (usedCores ?? 0) - sumOf(parts.map((part) => part.usedCores ?? 0))) },
      ),
      limited_by: limitedBy,
      cpu: { cores, used_cores: usedCores === null ? null : rounded(usedCores, 2) },
      memory: { total_bytes: memoryBytes, available_bytes: availableBytes },
      disk: { held_bytes: disk.usedBytes, limit_bytes: Math.max(disk.usedBytes, disk.limitBytes) },
      object_store: store && toObjectStoreInfo(store),
      room,
      parts: parts
        .filter(({ subject }) => subject === undefined)
        .map((part) => ({ name: part.name, ...toUsage([part]) })),
      processes: mine.map(({ process: { id, accountId, options, stats }, sourceAlias }, at) => ({
        process_uuid: id,
        username: usernames.get(accountId)!,
        source_alias: sourceAlias,
        model: options.model,
        priority: options.priority,
        ...toUsage(parts.filter(({ subject }) => subject === id)),
        held_bytes: videoBytes[at]!,
        model_cores: modelCoresOf(
          stats?.modelLoad,
          parts.find(({ subject }) => subject === id),
        ),
        spared_cores: stats?.sparedLoad ?? null,
        input_fps: stats?.inputFps ?? null,
        processed_fps: stats?.processedFps ?? null,
        latency_ms_p95: stats?.latencyMs.p95 ?? null,
      })),
      streams: [...groupBySubject(parts.filter((part) => isMine(part) && !mineById.has(part.subject!)))].map(
        ([path, users]) => ({ path, username: ownerOfPath(path), ...toUsage(users) }),
      ),
      recordings: held
        .filter(({ accountId }) => usernames.has(accountId))
        .map(({ sourceId, accountId, alias, bytes }) => ({
          source_uuid: sourceId,
          username: usernames.get(accountId)!,
          alias,
          held_bytes: bytes,
        })),
      others: {
        processes: working.length - mine.length,
        ...toUsage(parts.filter((part) => part.subject !== undefined && !isMine(part))),
      },
    }
  }
}

function toObjectStoreInfo({ stored, waiting, lastError }: ObjectStoreStatus): SystemInfo['object_store'] {
  return {
    stored_files: stored.files,
    stored_bytes: stored.bytes,
    waiting_files: waiting.files,
    waiting_bytes: waiting.bytes,
    last_error: lastError && { at: toZulu(lastError.at), message: lastError.sentence },
  }
}

/** Parts work for everybody, for a process, or for a stream, whose path has slashes. */
export function isPath(subject: string): boolean {
  return subject.includes('/')
}

function isPathOf(subject: string, usernames: ReadonlySet<string>): boolean {
  return isPath(subject) && usernames.has(ownerOfPath(subject))
}

function groupBySubject(parts: readonly PartUsage[]): Map<string, PartUsage[]> {
  const groups = new Map<string, PartUsage[]>()
  for (const part of parts) groups.set(part.subject!, [...(groups.get(part.subject!) ?? []), part])
  return groups
}

/** Together. */
function toUsage(parts: readonly PartUsage[]): { used_cores: number | null; memory_bytes: number } {
  const known = parts.flatMap(({ usedCores }) => usedCores ?? [])
  return {
    used_cores:
      known.length === 0
        ? null
        : rounded(
            known.reduce((sum, one) => sum + one, 0),
            2,
          ),
    memory_bytes: parts.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
  }
}

/** What there is too little of, the worst first. */
function limitOf(
  { shortage }: Pick<SystemReportDeps['capacity'], 'shortage'>,
  disk: DiskState,
): SystemInfo['limited_by'] {
  return shortage ?? (isDiskShort(disk) ? 'disk' : null)
}

export function isDiskShort(disk: DiskState | undefined): boolean {
  return disk !== undefined && disk.leftBytes < MIN_FREE_DISK_SHARE * disk.limitBytes
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0)
}

/** Where programs that are not ours take more of the cores than this, they are what fills them. */
const MAX_SHARE_OF_OTHERS = 0.5

function summaryOf(
  limitedBy: SystemInfo['limited_by'],
  room: SystemInfo['room'][number] | undefined,
  { cores, others }: { readonly cores: number; readonly others: number },
): string {
  const fits = room && room.streams > 0 ? `Room for ${room.streams} more with ${room.model}.` : undefined
  switch (limitedBy) {
    case 'disk':
      return `The disk is full: the oldest recordings make room for new ones. ${fits ?? ''}`.trim()
    case 'memory':
      return 'Memory is short: stop something, or give the machine more.'
    case 'cpu':
      if (others > MAX_SHARE_OF_OTHERS * cores)
        return `The CPU is full: other programs take ${rounded(others, 1)} of its ${cores} cores.`
      return fits ?? 'The CPU is full: more streams mean that each is looked at less often.'
    case null:
      return fits ?? (room ? `No room for one more with ${room.model}.` : 'Start a process to learn how many fit.')
  }
}

/** The worker measures time, which is longer than what it computes where others have the cores. */
function modelCoresOf(modelLoad: number | undefined, part: PartUsage | undefined): number | null {
  return modelLoad === undefined ? null : Math.min(modelLoad, part?.usedCores ?? Infinity)
}
