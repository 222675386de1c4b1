import { type Clock } from '../core/clock.ts'
import { type Destination } from '../core/destination.ts'
import { type Log } from '../observe/log.ts'
import { type Alert } from './alert.ts'
import { type Happening, isUpdate } from './analyses/analysis.ts'
import { type Delivery, destinationsOf, type Message } from './delivery.ts'
import { pictureCharsOf, withoutPictures } from './happening-pictures.ts'
import { type SeenAt, toNotification, type WatchedProcess } from './notification.ts'
import { isWorthKeeping, type Progress, type Telling, toStoredProgress, type Unfinished } from './progress.ts'
import { rowsOf, type SendBudget } from './send-budget.ts'
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
  readonly delivery: Pick<Delivery, 'createNotifier' | 'createProgressWriter'>
  readonly budget: SendBudget
  /** Of its own, so that progress is kept while notifications wait. */
  readonly progressBudget: SendBudget
  readonly sequences: Pick<SequenceStore, 'reserve' | 'addChannel' | 'saveProgress'>
  readonly clock: Clock
  readonly log: Log
}

interface Told extends Omit<Telling, 'sequence'> {
  sequence?: number
  /** What is left once this is told, where that may be another than before. */
  readonly unfinished?: Unfinished | null | undefined
}

/** So many may wait for a database that does not answer; of more the newest are lost, and that is logged. */
const MAX_WAITING = 1_000
/** So many may wait for their turn in memory; of more the rest goes to the disk, where nothing is lost. */
const MAX_HELD_BACK = 100
/** Of pictures that wait; what comes beyond them goes without. */
const MAX_PICTURE_CHARS = 4_000_000
/** Handed over together; the delivery writes what comes together at once, and in its order. */
const MAX_AT_ONCE = 50
/** Numbers are set aside so many at a time, so that most notifications cost no write for their number. */
const RESERVED = 100
const SAVE_EVERY_MS = 500

export function createTeller(alertId: string, process: WatchedProcess, deps: TellerDeps): Teller {
  const { delivery, budget, progressBudget, sequences, clock, log } = deps
  const about = { alert_uuid: alertId, process_uuid: process.processId }
  const { processId, accountId } = process
  const progressWriter = delivery.createProgressWriter<Progress>({
    async save(newest) {
      for (const progress of newest.values()) {
        const stored = isWorthKeeping(progress) ? toStoredProgress(progress) : null
        progressChars = stored?.length ?? 0
        await sequences.saveProgress(alertId, processId, stored)
      }
    },
    everyMs: SAVE_EVERY_MS,
    awaitTurn: (signal) => progressBudget.take(accountId, rowsOf(progressChars), signal),
    onError: (error) => log.error({ err: error, ...about }, 'how far an alert has come could not be written'),
  })
  const queue: Told[] = []
  /** Those that are known to be ours, so that all can be dropped one day. */
  const channels = new Set<string>()
  let isClosing = false
  /** Of pictures in the queue. */
  let pictureChars = 0
  /** Of what was last kept. */
  let progressChars = 0
  let holding: AbortController | undefined
  /** So many may go now, and so many of them do. */
  let [allowed, underWay] = [0, 0]
  let nextNumber = 1
  let lastReserved = 0
  let lost = 0
  let unfinished: Unfinished | null = null
  /** What is on disk is not what is unfinished now. */
  let isStale = false

  /** Hashes are made once for each setup. */
  const known = new WeakMap<Alert['setup'], ReadonlyMap<string, Destination>>()
  function destinationsOfAlert({ setup }: Alert): ReadonlyMap<string, Destination> {
    const destinations = known.get(setup) ?? destinationsOf(alertId, processId, setup.output)
    known.set(setup, destinations)
    return destinations
  }

  async function takeNumber(): Promise<number> {
    if (nextNumber > lastReserved) {
      lastReserved = await sequences.reserve(alertId, processId, RESERVED)
      nextNumber = lastReserved - RESERVED + 1
    }
    return nextNumber++
  }

  /** First what is to be told and what is left then: from that a restart goes on, wherever this is cut short. */
  async function writeProgress(telling: readonly Told[]): Promise<void> {
    const last = telling.findLast((told) => told.unfinished !== undefined)
    if (!last) return
    isStale = true
    await progressWriter.write(alertId, {
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

  function messagesOf({ alert, happening, seenAt, sequence }: Told): Message[] {
    const body = toNotification(alert, process, happening, seenAt, sequence!)
    return [...destinationsOfAlert(alert)].map(([channel, destination]) => ({
      id: `${channel}:${sequence}`,
      channel,
      accountId,
      destination,
      body,
      createdAtMs: clock.now(),
    }))
  }

  async function addChannels({ alert }: Told): Promise<void> {
    for (const channel of destinationsOfAlert(alert).keys()) {
      if (channels.has(channel)) continue
      await sequences.addChannel(channel, alertId, processId)
      channels.add(channel)
    }
  }

  async function awaitTurn(): Promise<void> {
    const next = queue.slice(0, MAX_AT_ONCE)
    allowed = next.length
    holding = new AbortController()
    if (isPressing()) holding.abort()
    const rows = next.reduce(
      (sum, { alert, happening }) => sum + destinationsOfAlert(alert).size * rowsOf(pictureCharsOf(happening)),
      0,
    )
    await budget.take(accountId, rows, holding.signal)
    holding = undefined
  }

  const isPressing = () => isClosing || queue.length > MAX_HELD_BACK

  const notifier = delivery.createNotifier<Told>({
    isReady: () => queue.length > 0,
    awaitTurn,
    next() {
      underWay = Math.min(queue.length, allowed)
      return queue.slice(0, underWay)
    },
    async prepare(batch) {
      for (const told of batch) told.sequence ??= await takeNumber()
      for (const told of batch) await addChannels(told)
      await writeProgress(batch)
    },
    messagesOf,
    onTaken() {
      for (const { happening } of queue.splice(0, underWay)) pictureChars -= pictureCharsOf(happening)
      underWay = 0
      writeUnfinishedSoon()
    },
    onRefused: (error) => log.error({ err: error, ...about }, 'a notification cannot be delivered'),
    onFailure: (error) =>
      log.error({ err: error, ...about, waiting: queue.length }, 'a notification could not be written down'),
    onGivenUp() {
      // What is unfinished stays as it is on disk: the next start tells it.
      queue.length = 0
      pictureChars = 0
      isStale = false
    },
    onIdle() {
      if (lost > 0) log.error({ ...about, lost }, 'notifications were lost because the database did not take them')
      lost = 0
      writeUnfinishedSoon()
    },
  })

  function writeUnfinishedSoon(): void {
    // What waits has it with it, and writes it before it is handed over.
    if (!isStale || queue.some(({ unfinished: left }) => left !== undefined)) return
    isStale = false
    progressWriter.writeSoon(alertId, { process, telling: [], unfinished })
  }

  /** Where a target is now says all that where it was said: of those that nobody took yet, the newest is told. */
  function isOutdatedBy({ alert, happening, unfinished: left }: Told): boolean {
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

  function withRoomForPictures(told: Told): Told {
    const chars = pictureCharsOf(told.happening)
    if (pictureChars + chars > MAX_PICTURE_CHARS) return { ...told, happening: withoutPictures(told.happening) }
    pictureChars += chars
    return told
  }

  function push(told: Told): void {
    if (isOutdatedBy(told)) queue.pop()
    if (queue.length >= MAX_WAITING) lost += 1
    else queue.push(withRoomForPictures(told))
    if (isPressing()) holding?.abort()
  }

  return {
    tell(alert, happenings, seenAt, left) {
      if (isClosing) return
      if (left) unfinished = left
      for (const happening of happenings) push({ alert, happening, seenAt, unfinished: left })
      notifier.wake()
    },
    note(left) {
      if (isClosing) return
      unfinished = left
      isStale = true
      if (!notifier.isBusy) writeUnfinishedSoon()
    },
    restore({ telling, unfinished: left }) {
      for (const told of telling) push({ ...told, unfinished: left })
      for (const happening of left?.happenings ?? []) push({ ...left!, happening, unfinished: null })
      isStale = true
      notifier.wake()
    },
    async flush() {
      await notifier.flush()
      await progressWriter.flush()
    },
    async close() {
      isClosing = true
      holding?.abort()
      await notifier.close()
      await progressWriter.flush()
    },
    async discard() {
      queue.length = Math.min(queue.length, underWay)
      isClosing = true
      holding?.abort()
      await notifier.close()
      await progressWriter.discard()
    },
  }
}
