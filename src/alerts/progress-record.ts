import { type Delivery } from '../core/delivery.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { rowsOf } from '../core/rows-of.ts'
import { type Log } from '../observe/log.ts'
import { type QueuedEvent } from './notification-queue.ts'
import { isWorthKeeping, type Progress, toStoredProgress, type Unfinished } from './progress.ts'
import { type SendBudget } from './send-budget.ts'
import { type SpooledSequences } from './spooled-sequences.ts'

/** What the database says of one alert at one process, so that a restart goes on from there. */
export interface ProgressRecord {
  /** Replaces what is unfinished; the next write has it. */
  setUnfinished(unfinished: Unfinished): void
  /** What is on disk is no longer true: `refresh` will write it. */
  invalidate(): void
  /** Before these events are handed over: a restart sends them again, wherever the hand-over is cut short. */
  writeInFlight(events: readonly QueuedEvent[]): Promise<void>
  /** Writes what is unfinished, unless the disk has it: after half a second, and up to a minute more while the account's budget is used up. */
  refresh(): void
  /** The disk stays as it is: the next start goes on from it. */
  freeze(): void
  /** Resolves when all is written. */
  flush(): Promise<void>
  /** The same, after all has been handed over; rejects when it can't be written. */
  settle(): Promise<void>
  /** Writes nothing any more. */
  discard(): Promise<void>
}

export interface ProgressRecordDeps {
  readonly delivery: Pick<Delivery, 'createProgressWriter'>
  /** Of its own, so that progress is kept while notifications wait. */
  readonly progressBudget: SendBudget
  readonly sequences: Pick<SpooledSequences, 'saveProgress'>
  readonly log: Log
}

const SAVE_EVERY_MS = 500

export function createProgressRecord(
  alertId: string,
  process: ProcessRef,
  { delivery, progressBudget, sequences, log }: ProgressRecordDeps,
): ProgressRecord {
  const { processId, accountId } = process
  let unfinished: Unfinished | null = null
  /** What is on disk is not what is unfinished now. */
  let isStale = false
  /** Of what was last written. */
  let storedChars = 0

  const writer = delivery.createProgressWriter<Progress>({
    async save(newest) {
      for (const progress of newest.values()) {
        const stored = isWorthKeeping(progress) ? toStoredProgress(progress) : null
        storedChars = stored?.length ?? 0
        await sequences.saveProgress(alertId, process, stored)
      }
    },
    everyMs: SAVE_EVERY_MS,
    awaitTurn: (signal) => progressBudget.take(accountId, rowsOf(storedChars), signal),
    onError: (error) =>
      log.error(
        { err: error, alert_uuid: alertId, process_uuid: processId },
        'how far an alert has come could not be written',
      ),
  })

  return {
    setUnfinished: (next) => void (unfinished = next),
    invalidate: () => void (isStale = true),
    async writeInFlight(events) {
      const last = events.findLast((item) => item.unfinished !== undefined)
      if (!last) return
      isStale = true
      const inFlight = events.map(({ alert, event, eventId, seenAt, sequence }) => ({
        alert,
        event,
        eventId,
        seenAt,
        sequence: sequence!,
      }))
      await writer.write(alertId, { process, inFlight, unfinished: last.unfinished ?? null })
    },
    refresh() {
      if (!isStale) return
      isStale = false
      writer.writeSoon(alertId, { process, inFlight: [], unfinished })
    },
    freeze: () => void (isStale = false),
    flush: () => writer.flush(),
    async settle() {
      await writer.flush()
      await writer.write(alertId, { process, inFlight: [], unfinished })
    },
    discard: () => writer.discard(),
  }
}
