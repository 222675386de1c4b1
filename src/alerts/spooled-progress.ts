import { type Delivery } from '../core/delivery.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { isTaken, type TakenIds } from '../core/taken-processes.ts'
import { type AlertAtProcess, keyOf, put, removeWaiting } from './alert-at-process.ts'
import { type Progress, readStoredProgress } from './progress.ts'
import { type AlertProgress, type SequenceStore } from './sequences.store.ts'
import { partsOf, withoutParts } from './unfinished-events.ts'

/**
 * How far alerts have come, as it is with what waits in the spool. While this node is cut off from the database another may go on with the
 * process, from what the database has; what is unfinished here beyond that is sent all the same.
 */
export interface SpooledProgress {
  save(alertId: string, process: Pick<ProcessRef, 'processId' | 'accountId'>, stored: string | null): Promise<void>
  list(ids: TakenIds): Promise<readonly AlertProgress[]>
  removeAlert(alertId: string, accountId: string): Promise<void>
  /** The process is here no more. */
  forget(processId: string): void
}

/** What nobody else knows of an alert at a process that another node has gone on with. */
export interface LeftProgress {
  readonly alertId: string
  readonly progress: Progress
  /** Its notifications are numbered from behind this one; nothing else ever is. */
  readonly lastNumber: number
}

export interface SpooledProgressDeps {
  readonly store: Pick<SequenceStore, 'saveProgress' | 'progressAt' | 'listProgress' | 'removeAlert'>
  readonly delivery: Pick<Delivery, 'createSpooledWriter'>
  readonly isOneOfSeveral: boolean
  readonly onLeft: (left: LeftProgress) => Promise<void>
  /** Behind this one are numbers for what is left, should the database not take what is written now. */
  readonly lastNumberOf: (alertId: string, processId: string) => number
}

interface SpooledEntry extends AlertAtProcess {
  readonly stored: string | null
  /** Of one of several nodes; older versions have no such entries. */
  readonly origin?: {
    /** The start of the service that wrote it. */
    readonly run: string
    /** Of what was unfinished, what the database had when this was written. */
    readonly known: readonly string[]
    readonly lastNumber: number
  }
}

export function createSpooledProgress(deps: SpooledProgressDeps): SpooledProgress {
  const { store, delivery, isOneOfSeveral, onLeft, lastNumberOf } = deps
  const run = orderedUuid()
  /** By process and alert: parts of what is unfinished, as the database is known to have it. */
  const known = new Map<string, Map<string, readonly string[]>>()
  const writer = delivery.createSpooledWriter<SpooledEntry>({
    kind: 'alert-progress',
    async save(entries) {
      for (const entry of entries.values()) await saveEntry(entry)
    },
  })

  async function saveEntry(entry: SpooledEntry): Promise<void> {
    const { alertId, processId, stored, isRemoved } = entry
    // Its rows go again: those that waited before it may have been on their way when it was removed.
    if (isRemoved) return store.removeAlert(alertId)
    if (isLeft(entry)) {
      const there = await store.progressAt(alertId, processId)
      if (!there.isOurs || !goesOn(entry, there.stored)) return leave(entry, there.stored)
    }
    await store.saveProgress(alertId, processId, stored)
    note(entry, stored)
  }

  const isLeft = ({ origin }: SpooledEntry) => isOneOfSeveral && origin?.run !== run

  function note({ alertId, processId }: AlertAtProcess, stored: string | null): void {
    if (!isOneOfSeveral) return
    noteParts(alertId, processId, unfinishedIn(stored))
  }

  function noteParts(alertId: string, processId: string, parts: readonly string[]): void {
    const ofProcess = known.get(processId) ?? new Map<string, readonly string[]>()
    if (parts.length > 0) known.set(processId, ofProcess.set(alertId, parts))
    else ofProcess.delete(alertId)
  }

  /** Whether nobody has written how far it has come since we did. */
  const goesOn = ({ origin }: SpooledEntry, stored: string | null) =>
    !origin || isSame(origin.known, unfinishedIn(stored))

  /** What is in flight has its numbers: where it has arrived, it is the same. */
  async function leave({ alertId, stored, origin }: SpooledEntry, storedNow: string | null): Promise<void> {
    if (stored === null || !origin) return
    const progress = readStoredProgress(stored)
    const parts = new Set([...origin.known, ...unfinishedIn(storedNow)])
    const unfinished = progress.unfinished && {
      ...progress.unfinished,
      events: withoutParts(progress.unfinished.events, parts),
    }
    await onLeft({ alertId, progress: { ...progress, unfinished }, lastNumber: origin.lastNumber })
  }

  async function listStored(ids: TakenIds): Promise<Map<string, AlertProgress>> {
    const listed = await store.listProgress(ids)
    return new Map(
      listed.map((one) => [keyOf({ alertId: one.alertId, processId: one.progress.process.processId }), one]),
    )
  }

  return {
    save(alertId, { processId, accountId }, stored) {
      const entry = { alertId, processId, stored }
      const origin = {
        run,
        known: known.get(processId)?.get(alertId) ?? [],
        lastNumber: lastNumberOf(alertId, processId),
      }
      return put(writer, isOneOfSeveral ? { ...entry, origin } : entry, accountId)
    },
    async list(ids) {
      const isAmong = isTaken(ids)
      const waiting = writer.waiting()
      const listed = await listStored(ids)
      for (const { alertId, progress } of listed.values())
        if (isOneOfSeveral) noteParts(alertId, progress.process.processId, partsIn(progress))
      for (const [key, entry] of waiting) {
        const { alertId, processId, stored, isRemoved } = entry
        if (!isAmong(processId)) continue
        const there = isLeft(entry) ? (await store.progressAt(alertId, processId)).stored : null
        // Before we write anything in its place.
        if (isLeft(entry) && !isRemoved && !goesOn(entry, there)) await leave(entry, there)
        else if (stored === null || isRemoved) listed.delete(key)
        else listed.set(key, { alertId, progress: readStoredProgress(stored) })
      }
      return [...listed.values()]
    },
    removeAlert: (alertId, accountId) => removeWaiting(writer, alertId, accountId),
    forget: (processId) => void known.delete(processId),
  }
}

const partsIn = ({ unfinished }: Progress) => partsOf(unfinished?.events ?? [])
const unfinishedIn = (stored: string | null) => (stored === null ? [] : partsIn(readStoredProgress(stored)))

const isSame = (one: readonly string[], other: readonly string[]) =>
  JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted())
