import { type Delivery, type SpooledWriter } from '../core/delivery.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { isTaken, type TakenIds } from '../core/taken-processes.ts'
import { readStoredProgress } from './progress.ts'
import { type AlertProgress, type SequenceStore } from './sequences.store.ts'

/**
 * Numbers, channels and progress of alerts, as they are with what waits in the spool: notifications are numbered and taken also while
 * the database is away, and after a kill the next start goes on from there.
 */
export interface SpooledSequences extends Pick<SequenceStore, 'channelsOf'> {
  /** To be called before anything else of these processes, which ran elsewhere until now or before this service started. */
  takeOver(ids: TakenIds): Promise<void>
  /** Its numbers are read now: nobody knows whether the database is there when they are needed. */
  open(processId: string): Promise<void>
  close(processId: string): void
  /** Of these processes, those that are not live. */
  closeAllBut(ids: TakenIds, liveProcessIds: readonly string[]): void
  /** Sets so many numbers aside; answers the last of them. */
  reserve(alertId: string, process: OwnedProcess, count: number): Promise<number>
  addChannel(channel: string, alertId: string, process: OwnedProcess): Promise<void>
  saveProgress(alertId: string, process: OwnedProcess, stored: string | null): Promise<void>
  listProgress(ids: TakenIds): Promise<readonly AlertProgress[]>
  /** Also what waits in the spool, which would bring it back into the database. */
  removeAlert(alertId: string, accountId: string): Promise<void>
}

type OwnedProcess = Pick<ProcessRef, 'processId' | 'accountId'>

interface AlertAtProcess {
  readonly alertId: string
  readonly processId: string
  /** The alert was removed: this takes the place of what waited of it. */
  readonly isRemoved?: true
}

/** The last number that is set aside of each alert at a process. */
interface ProcessNumbers {
  /** The spool's included. */
  readonly reserved: Map<string, number>
  /** Where those begin that have none. */
  readonly base: number
  /** The same as far as is known of the database. */
  readonly stored: Map<string, number>
}

/**
 * Numbers beyond those that the database has are set aside in the spool, where no other node sees them: so many, and whoever takes the
 * process over begins behind them. The spool has room for no more notifications.
 */
const MAX_AHEAD = 10_000

export interface SpooledSequencesOptions {
  /** Of nodes any of which may go on with a process while another still runs it, cut off from the database. */
  readonly isOneOfSeveral: boolean
}

export function createSpooledSequences(
  store: SequenceStore,
  delivery: Pick<Delivery, 'createSpooledWriter'>,
  { isOneOfSeveral }: SpooledSequencesOptions,
): SpooledSequences {
  const numbersAt = new Map<string, ProcessNumbers>()
  /** Processes that were taken over: of alerts of which the database knows nothing, numbers may have been used too. */
  const takenOver = new Set<string>()
  const numbers = delivery.createSpooledWriter<AlertAtProcess & { readonly reserved: number }>({
    kind: 'alert-numbers',
    save: (entries) =>
      saveEach(entries, (_key, { alertId, processId, reserved }) => raiseStored(alertId, processId, reserved)),
  })
  const channels = delivery.createSpooledWriter<AlertAtProcess>({
    kind: 'alert-channel',
    save: (entries) =>
      saveEach(entries, (channel, { alertId, processId }) => store.addChannel(channel, alertId, processId)),
  })
  const progress = delivery.createSpooledWriter<AlertAtProcess & { readonly stored: string | null }>({
    kind: 'alert-progress',
    save: (entries) =>
      saveEach(entries, (_key, { alertId, processId, stored }) => store.saveProgress(alertId, processId, stored)),
  })

  /** Rows of a removed alert go again: those that waited before it may have been on their way when it was removed. */
  async function saveEach<Value extends AlertAtProcess>(
    entries: ReadonlyMap<string, Value>,
    save: (key: string, value: Value) => Promise<void>,
  ): Promise<void> {
    for (const [key, value] of entries) await (value.isRemoved ? store.removeAlert(value.alertId) : save(key, value))
  }

  async function raiseStored(alertId: string, processId: string, reserved: number): Promise<void> {
    await store.raiseReserved(alertId, processId, reserved)
    const stored = numbersAt.get(processId)?.stored
    stored?.set(alertId, Math.max(reserved, stored.get(alertId) ?? 0))
  }

  async function readNumbers(processId: string): Promise<ProcessNumbers> {
    const waiting = numbers.waiting()
    const stored = new Map(await store.reservedAt(processId))
    const reserved = new Map(stored)
    for (const one of waiting.values())
      if (one.processId === processId && !one.isRemoved)
        reserved.set(one.alertId, Math.max(one.reserved, reserved.get(one.alertId) ?? 0))
    const base = takenOver.has(processId) ? MAX_AHEAD : 0
    // Whoever was faster may have set aside more.
    const known = numbersAt.get(processId) ?? { reserved, base, stored }
    numbersAt.set(processId, known)
    return known
  }

  function close(processId: string): void {
    numbersAt.delete(processId)
    takenOver.delete(processId)
  }

  return {
    async takeOver(ids) {
      if (!isOneOfSeveral || ids === 'all') return
      await store.skipNumbers(ids, MAX_AHEAD)
      for (const id of ids) takenOver.add(id)
    },
    open: async (processId) => void (await readNumbers(processId)),
    close,
    closeAllBut(ids, liveProcessIds) {
      const live = new Set(liveProcessIds)
      const isAmong = isTaken(ids)
      for (const processId of new Set([...numbersAt.keys(), ...takenOver]))
        if (isAmong(processId) && !live.has(processId)) close(processId)
    },
    async reserve(alertId, { processId, accountId }, count) {
      const known = numbersAt.get(processId) ?? (await readNumbers(processId))
      const reserved = (known.reserved.get(alertId) ?? known.base) + count
      const isFarAhead = reserved > (known.stored.get(alertId) ?? 0) + MAX_AHEAD
      // Not by the spool: it waits until the database is back.
      if (isOneOfSeveral && isFarAhead) await raiseStored(alertId, processId, reserved)
      else await put(numbers, { alertId, processId, reserved }, accountId)
      known.reserved.set(alertId, reserved)
      return reserved
    },
    addChannel: (channel, alertId, { processId, accountId }) =>
      channels.write(new Map([[channel, { alertId, processId }]]), () => accountId),
    async channelsOf(alertId) {
      const waiting = [...channels.waiting()].filter(([, one]) => one.alertId === alertId && !one.isRemoved)
      return [...new Set([...waiting.map(([channel]) => channel), ...(await store.channelsOf(alertId))])].sort()
    },
    saveProgress: (alertId, { processId, accountId }, stored) =>
      put(progress, { alertId, processId, stored }, accountId),
    async listProgress(ids) {
      const isAmong = isTaken(ids)
      const waiting = progress.waiting()
      const listed = new Map(
        (await store.listProgress(ids)).map((one) => [
          keyOf({ alertId: one.alertId, processId: one.progress.process.processId }),
          one,
        ]),
      )
      for (const [key, { alertId, processId, stored, isRemoved }] of waiting) {
        if (!isAmong(processId)) continue
        if (stored === null || isRemoved) listed.delete(key)
        else listed.set(key, { alertId, progress: readStoredProgress(stored) })
      }
      return [...listed.values()]
    },
    async removeAlert(alertId, accountId) {
      await removeWaiting(numbers, alertId, accountId)
      await removeWaiting(channels, alertId, accountId)
      await removeWaiting(progress, alertId, accountId)
      await store.removeAlert(alertId)
    },
  }
}

async function removeWaiting<Value extends AlertAtProcess>(
  writer: SpooledWriter<Value>,
  alertId: string,
  accountId: string,
): Promise<void> {
  const own = [...writer.waiting()].filter(([, value]) => value.alertId === alertId)
  const removals = own.map(([key, value]) => [key, { ...value, isRemoved: true as const }] as const)
  if (removals.length > 0) await writer.write(new Map(removals), () => accountId)
}

const put = <Value extends AlertAtProcess>(writer: SpooledWriter<Value>, value: Value, accountId: string) =>
  writer.write(new Map([[keyOf(value), value]]), () => accountId)

const keyOf = ({ alertId, processId }: AlertAtProcess) => `${alertId} ${processId}`
