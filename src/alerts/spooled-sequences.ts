import { type Delivery } from '../core/delivery.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { isTaken, type TakenIds } from '../core/taken-processes.ts'
import { type AlertAtProcess, put, removeWaiting } from './alert-at-process.ts'
import { type AlertProgress, type SequenceStore } from './sequences.store.ts'
import { createSpooledProgress, type LeftProgress } from './spooled-progress.ts'

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
/** The last ones of these are for what is left of a process that another node has by then. */
const MAX_LEFT = 100

export interface SpooledSequencesOptions {
  /** Of nodes any of which may go on with a process while another still runs it, cut off from the database. */
  readonly isOneOfSeveral: boolean
  /** An earlier start of this node has left this of a process that another has gone on with; it is removed when this has resolved. */
  readonly onLeft: (left: LeftProgress) => Promise<void>
}

export function createSpooledSequences(
  store: SequenceStore,
  delivery: Pick<Delivery, 'createSpooledWriter'>,
  { isOneOfSeveral, onLeft }: SpooledSequencesOptions,
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
  const progress = createSpooledProgress({
    store,
    delivery,
    isOneOfSeveral,
    onLeft,
    lastNumberOf: (alertId, processId) => (numbersAt.get(processId)?.stored.get(alertId) ?? 0) + MAX_AHEAD - MAX_LEFT,
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
    progress.forget(processId)
  }

  return {
    async takeOver(ids) {
      if (!isOneOfSeveral || ids === 'all') return
      // Once, however often taking it up is tried again.
      const taken = ids.filter((id) => !takenOver.has(id))
      await store.skipNumbers(taken, MAX_AHEAD)
      for (const id of taken) takenOver.add(id)
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
      const isFarAhead = reserved > (known.stored.get(alertId) ?? 0) + MAX_AHEAD - MAX_LEFT
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
    saveProgress: (alertId, process, stored) => progress.save(alertId, process, stored),
    listProgress: (ids) => progress.list(ids),
    async removeAlert(alertId, accountId) {
      await removeWaiting(numbers, alertId, accountId)
      await removeWaiting(channels, alertId, accountId)
      await progress.removeAlert(alertId, accountId)
      await store.removeAlert(alertId)
    },
  }
}
