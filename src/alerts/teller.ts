import { type Clock } from '../core/clock.ts'
import { type Destination } from '../core/destination.ts'
import { UnacceptableError } from '../core/unacceptable-error.ts'
import { type Log } from '../observe/log.ts'
import { type Alert } from './alert.ts'
import { type Happening, isUpdate } from './analyses/analysis.ts'
import { type Delivery, destinationsOf } from './delivery.ts'
import { type SeenAt, toNotification, type WatchedProcess } from './notification.ts'
import { createProgressKeeper } from './progress-keeper.ts'
import { type Progress, type Telling, type Unfinished } from './progress.ts'
import { type SendBudget } from './send-budget.ts'
import { type SequenceStore } from './sequences.store.ts'

/** Hands the happenings of one alert at one process to the delivery, in order and numbered. */
export interface Teller {
  /** Never waits. With `unfinished`, what is left to be told after these is on disk before they are handed over. */
  tell(alert: Alert, happenings: readonly Happening[], seenAt: SeenAt, unfinished?: Unfinished): void
  /** What is left to be told is another, and nobody is told of it now: it is on disk within half a second. */
  note(unfinished: Unfinished): void
  /** Goes on from where the service ended without a word. */
  restore(progress: Progress): void
  /** Resolves when all that was told is on disk. */
  flush(): Promise<void>
  /** The same, but what cannot be written now is given up. */
  close(): Promise<void>
  /** Nothing more is handed over once this has resolved. */
  discard(): Promise<void>
}

export interface TellerDeps {
  readonly delivery: Pick<Delivery, 'send'>
  readonly budget: SendBudget
  readonly sequences: Pick<SequenceStore, 'reserve' | 'addChannel' | 'saveProgress'>
  readonly clock: Clock
  readonly log: Log
}

interface Told extends Omit<Telling, 'sequence'> {
  sequence?: number
  /** What is left once this is told, where that may be another than before. */
  readonly unfinished?: Unfinished | null | undefined
  /** Channels that have it. */
  readonly handedTo: Set<string>
}

/** So many may wait for a database that does not answer; of more the newest are lost, and that is logged. */
const MAX_WAITING = 1_000
/** So many may wait for their turn in memory; of more the rest goes to the disk, where nothing is lost. */
const MAX_HELD_BACK = 100
/** Handed over together; the delivery writes what comes together at once, and in its order. */
const MAX_AT_ONCE = 50
/** Numbers are set aside so many at a time, so that most notifications cost no write for their number. */
const RESERVED = 100
const TRY_AGAIN_MS = 1_000

export function createTeller(alertId: string, process: WatchedProcess, deps: TellerDeps): Teller {
  const { delivery, budget, sequences, clock, log } = deps
  const about = { alert_uuid: alertId, process_uuid: process.processId }
  const keeper = createProgressKeeper({
    save: (progress) => sequences.saveProgress(alertId, process.processId, progress),
    clock,
    onError: (error) => log.error({ err: error, ...about }, 'how far an alert has come could not be written'),
  })
  const queue: Told[] = []
  /** Those that are known to be ours, so that all can be dropped one day. */
  const channels = new Set<string>()
  const hurry = new AbortController()
  let pumping: Promise<void> | undefined
  let holding: AbortController | undefined
  let underWay = 0
  let nextNumber = 1
  let lastReserved = 0
  let lost = 0
  let unfinished: Unfinished | null = null
  /** What is on disk is not what is unfinished now. */
  let isStale = false

  /** Hashes are made once for each setup. */
  const known = new WeakMap<Alert['setup'], ReadonlyMap<string, Destination>>()
  function destinationsOfAlert({ setup }: Alert): ReadonlyMap<string, Destination> {
    const destinations = known.get(setup) ?? destinationsOf(alertId, process.processId, setup.output)
    known.set(setup, destinations)
    return destinations
  }

  async function takeNumber(): Promise<number> {
    if (nextNumber > lastReserved) {
      lastReserved = await sequences.reserve(alertId, process.processId, RESERVED)
      nextNumber = lastReserved - RESERVED + 1
    }
    return nextNumber++
  }

  /** First what is to be told and what is left then: from that a restart goes on, wherever this is cut short. */
  async function writeProgress(telling: readonly Told[]): Promise<void> {
    const last = telling.findLast((told) => told.unfinished !== undefined)
    if (!last) return
    isStale = true
    await keeper.write({
      process,
      telling: telling.map(({ alert, happening, seenAt, sequence }) => ({
        alert,
        happening,
        seenAt,
        sequence: sequence!,
      })),
      unfinished: last.unfinished ?? null,
    })
  }

  async function send(told: Told): Promise<void> {
    const { alert, happening, seenAt, handedTo } = told
    const body = toNotification(alert, process, happening, seenAt, told.sequence!)
    const sendTo = async ([channel, destination]: readonly [string, Destination]) => {
      const { accountId } = process
      const id = `${channel}:${told.sequence}`
      try {
        await delivery.send({ id, channel, accountId, destination, body, createdAtMs: clock.now() })
      } catch (error) {
        if (!(error instanceof UnacceptableError)) throw error
        log.error({ err: error, ...about }, 'a notification cannot be delivered')
      }
      handedTo.add(channel)
    }
    const left = [...destinationsOfAlert(alert)].filter(([channel]) => !handedTo.has(channel))
    await Promise.all(left.map(sendTo))
  }

  async function addChannels({ alert }: Told): Promise<void> {
    for (const channel of destinationsOfAlert(alert).keys()) {
      if (channels.has(channel)) continue
      await sequences.addChannel(channel, alertId, process.processId)
      channels.add(channel)
    }
  }

  async function handOver(batch: readonly Told[]): Promise<void> {
    for (const told of batch) told.sequence ??= await takeNumber()
    for (const told of batch) await addChannels(told)
    await writeProgress(batch)
    const outcomes = await Promise.allSettled(batch.map(send))
    const failure = outcomes.find((outcome) => outcome.status === 'rejected')
    if (failure) throw failure.reason
  }

  async function awaitTurn(next: readonly Told[]): Promise<void> {
    holding = new AbortController()
    if (isPressing()) holding.abort()
    const messages = next.reduce((sum, { alert }) => sum + destinationsOfAlert(alert).size, 0)
    await budget.take(process.accountId, messages, holding.signal)
    holding = undefined
  }

  const isPressing = () => hurry.signal.aborted || queue.length > MAX_HELD_BACK

  async function pump(): Promise<void> {
    while (queue.length > 0) {
      const count = Math.min(queue.length, MAX_AT_ONCE)
      await awaitTurn(queue.slice(0, count))
      underWay = Math.min(queue.length, count)
      try {
        await handOver(queue.slice(0, underWay))
        queue.splice(0, underWay)
        underWay = 0
        writeUnfinishedSoon()
      } catch (error) {
        log.error({ err: error, ...about, waiting: queue.length }, 'a notification could not be written down')
        // What is unfinished stays as it is on disk: the next start tells it.
        if (hurry.signal.aborted) queue.length = 0
        else await clock.sleep(TRY_AGAIN_MS, hurry.signal)
        if (queue.length === 0) isStale = false
      }
    }
    if (lost > 0) log.error({ ...about, lost }, 'notifications were lost because the database did not take them')
    lost = 0
    pumping = undefined
    writeUnfinishedSoon()
  }

  function writeUnfinishedSoon(): void {
    // What waits has it with it, and writes it before it is handed over.
    if (!isStale || queue.some(({ unfinished: left }) => left !== undefined)) return
    isStale = false
    keeper.writeSoon({ process, telling: [], unfinished })
  }

  /** Where a target is now says all that where it was said: of those that nobody took yet, the newest is told. */
  function isOutdatedBy({ alert, happening, unfinished: left }: Omit<Told, 'handedTo'>): boolean {
    const last = queue.length > underWay ? queue.at(-1)! : undefined
    return (
      last !== undefined &&
      isUpdate(last.happening) &&
      isUpdate(happening) &&
      last.alert.setup === alert.setup &&
      last.sequence === undefined &&
      last.unfinished === undefined &&
      left === undefined
    )
  }

  function push(told: Omit<Told, 'handedTo'>): void {
    if (isOutdatedBy(told)) queue.pop()
    if (queue.length >= MAX_WAITING) lost += 1
    else queue.push({ ...told, handedTo: new Set() })
    if (isPressing()) holding?.abort()
  }

  return {
    tell(alert, happenings, seenAt, left) {
      if (hurry.signal.aborted) return
      if (left) unfinished = left
      for (const happening of happenings) push({ alert, happening, seenAt, unfinished: left })
      if (queue.length > 0) pumping ??= pump()
    },
    note(left) {
      if (hurry.signal.aborted) return
      unfinished = left
      isStale = true
      if (!pumping) writeUnfinishedSoon()
    },
    restore({ telling, unfinished: left }) {
      for (const told of telling) push({ ...told, unfinished: left })
      for (const happening of left?.happenings ?? []) push({ ...left!, happening, unfinished: null })
      isStale = true
      if (queue.length > 0) pumping ??= pump()
    },
    async flush() {
      await pumping
      await keeper.flush()
    },
    async close() {
      hurry.abort()
      holding?.abort()
      await pumping
      await keeper.flush()
    },
    async discard() {
      queue.length = Math.min(queue.length, underWay)
      hurry.abort()
      holding?.abort()
      await pumping
      await keeper.discard()
    },
  }
}
