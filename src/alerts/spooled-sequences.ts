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

export function createSpooledSequences(
  store: SequenceStore,
  delivery: Pick<Delivery, 'createSpooledWriter'>,
): SpooledSequences {
  /** The last number that is set aside, by process and alert; an alert that is not there has none. */
  const reservedAt = new Map<string, Map<string, number>>()
  const numbers = delivery.createSpooledWriter<AlertAtProcess & { readonly reserved: number }>({
    kind: 'alert-numbers',
    save: (entries) =>
      saveEach(entries, (_key, { alertId, processId, reserved }) => store.raiseReserved(alertId, processId, reserved)),
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

  async function readReserved(processId: string): Promise<Map<string, number>> {
    const waiting = numbers.waiting()
    const read = new Map(await store.reservedAt(processId))
    for (const { alertId, processId: at, reserved, isRemoved } of waiting.values())
      if (at === processId && !isRemoved) read.set(alertId, Math.max(reserved, read.get(alertId) ?? 0))
    // Whoever was faster may have set aside more.
    const known = reservedAt.get(processId) ?? read
    reservedAt.set(processId, known)
    return known
  }

  return {
    open: async (processId) => void (await readReserved(processId)),
    close: (processId) => void reservedAt.delete(processId),
    closeAllBut(ids, liveProcessIds) {
      const live = new Set(liveProcessIds)
      const isAmong = isTaken(ids)
      for (const processId of reservedAt.keys())
        if (isAmong(processId) && !live.has(processId)) reservedAt.delete(processId)
    },
    async reserve(alertId, { processId, accountId }, count) {
      const known = reservedAt.get(processId) ?? (await readReserved(processId))
      const reserved = (known.get(alertId) ?? 0) + count
      await put(numbers, { alertId, processId, reserved }, accountId)
      known.set(alertId, reserved)
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

const keyOf = ({ alertId, processId }: AlertAtProcess) => `${alertId} ${processId}`
