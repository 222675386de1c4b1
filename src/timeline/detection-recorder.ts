import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { isDatabaseAway } from '../core/outages.ts'
import { type OwnNode } from '../core/own-node.ts'
import { createTurns } from '../core/turns.ts'
import { type Log } from '../observe/log.ts'
import { type GrowthRoom } from '../storage/growth-room.ts'
import { type DetectionFileStore } from './detection-files.store.ts'
import { MAX_BLOCK_SIGHTINGS } from './look-files.ts'
import { createFailureNotes, createLookWriter } from './look-writer.ts'
import { HOUR_MS } from './minute-counts.ts'
import { createOpenFiles } from './open-files.ts'
import { createPendingLooks, type PendingFilter, type PendingOfProcess } from './pending-looks.ts'

/**
 * Writes what processes see of recorded streams beside the recordings, a file for each process and hour. What a `kill -9` loses is ten
 * seconds old. Where there is no room, processes go on without it.
 */
export interface DetectionRecorder {
  start(): void
  onScene(event: AppEvents['scene']): void
  /** Resolves when what has come so far is written, or cannot be, which is logged. */
  flush(filter?: PendingFilter): Promise<void>
  /** Nothing more comes of these processes here. */
  end(processIds: readonly string[]): Promise<void>
  /** Forgets what is not yet written of an account, and runs `action` while nothing is being written. */
  without<T>(accountId: string, action: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

export interface DetectionRecorderDeps {
  readonly dataDir: string
  readonly store: Pick<DetectionFileStore, 'listRecorded' | 'insert' | 'update' | 'findLastMinutes'>
  readonly room: GrowthRoom
  readonly node: OwnNode | null
  readonly clock: Clock
  readonly log: Log
}

const FLUSH_EVERY_MS = 10_000
/** A camera's clock may be so far behind ours: until then its hour may go on. */
const LATE_MS = 15 * 60_000

export function createDetectionRecorder(deps: DetectionRecorderDeps): DetectionRecorder {
  const { clock, log } = deps
  const pending = createPendingLooks()
  const files = createOpenFiles(deps)
  const failures = createFailureNotes(log)
  const writer = createLookWriter({ ...deps, files, failures })
  const recorded = createRecordedSources(deps)
  const turns = createTurns()
  const closing = new AbortController()
  /** Processes that saw so much that they are written at once. */
  const hurried = new Set<string>()
  let looping: Promise<void> | undefined

  const inTurn = <T>(action: () => Promise<T>) => turns.take('files', action)

  async function write(filter?: PendingFilter): Promise<void> {
    const lost = pending.takeLost()
    if (lost > 0) log.error({ lost }, 'what is seen could not be written in time: some of it is lost')
    const taken = pending.take(filter)
    if (taken.length > 0) {
      const failure = await recorded.look(taken)
      if (failure !== undefined) failures.fails('rows', failure)
      for (const one of taken) await writeOne(one, failure === undefined)
    }
    await writer.writeRows()
  }

  async function writeOne({ process, looks }: PendingOfProcess, isCertain: boolean): Promise<void> {
    hurried.delete(process.processId)
    if (recorded.has(process.sourceId)) {
      const rest = (await hasRoom(process.accountId)) ? await writer.write(process, looks) : []
      if (rest.length > 0) pending.putBack({ process, looks: rest })
    } else if (!isCertain) pending.putBack({ process, looks })
  }

  const hasRoom = (accountId: string): Promise<boolean> =>
    deps.room.hasRoom(accountId).catch((error: unknown) => {
      if (isDatabaseAway(error)) return true
      throw error
    })

  async function closeFiles(isOver: (file: ReturnType<typeof files.list>[number]) => boolean): Promise<void> {
    for (const file of files.list()) if (file.isOpen && isOver(file)) files.close(file)
    await writer.writeRows()
  }

  const orLog = (error: unknown) => log.error({ err: error }, 'what is seen could not be written')

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      await clock.sleep(FLUSH_EVERY_MS, closing.signal)
      await inTurn(async () => {
        await write()
        await closeFiles(({ hour }) => hour <= clock.now() - LATE_MS - HOUR_MS)
      }).catch(orLog)
    }
  }

  const flush = (filter?: PendingFilter) => inTurn(() => write(filter)).catch(orLog)

  return {
    start: () => void (looping ??= loop()),
    onScene({ process, scene }) {
      const sightings = pending.add(process, scene)
      if (sightings < MAX_BLOCK_SIGHTINGS || hurried.has(process.processId)) return
      hurried.add(process.processId)
      void flush({ processId: process.processId })
    },
    flush,
    end: (processIds) =>
      inTurn(async () => {
        for (const processId of processIds) await write({ processId })
        const ended = new Set(processIds)
        await closeFiles(({ process }) => ended.has(process.processId))
        for (const processId of processIds) files.forgetProcess(processId)
      }),
    without: (accountId, action) =>
      inTurn(async () => {
        pending.take({ accountId })
        for (const file of files.list()) if (file.process.accountId === accountId) files.forget(file)
        return action()
      }),
    async close() {
      closing.abort()
      await looping
      await flush()
      await inTurn(() => closeFiles(() => true))
    },
  }
}

/** Which sources are recorded, as it was when somebody could say it. */
function createRecordedSources({ store }: Pick<DetectionRecorderDeps, 'store'>) {
  let recorded: ReadonlySet<string> = new Set()
  return {
    /** Answers why nobody can say it now. */
    async look(taken: readonly PendingOfProcess[]): Promise<unknown> {
      const sourceIds = new Set(taken.map(({ process }) => process.sourceId))
      try {
        const found = await store.listRecorded([...sourceIds])
        recorded = new Set([...[...recorded].filter((id) => !sourceIds.has(id)), ...found])
        return undefined
      } catch (error) {
        return error
      }
    },
    has: (sourceId: string) => recorded.has(sourceId),
  }
}
