import { type Clock } from '../core/clock.ts'
import { type EventLinks } from '../core/event-links.ts'
import { type LivePublisher } from '../core/live-publishing.ts'
import { type OutboundMessage } from '../core/outbound-message.ts'
import { type ProcessRef } from '../core/process-facts.ts'
import { rowsOf } from '../core/rows-of.ts'
import { type Log } from '../observe/log.ts'
import { type Alert } from './alert.ts'
import { newEventId } from './event-id.ts'
import { type EventRecord } from './event-record.ts'
import { createNotificationRouting } from './notification-routing.ts'
import { type AlertEvent, type SeenAt } from './analyses/analysis.ts'
import { type Delivery } from '../core/delivery.ts'
import { pictureCharsIn } from './event-pictures.ts'
import { createLiveCopies } from './live-copies.ts'
import { toNotification } from './notification.ts'
import { createNotificationQueue, type QueuedEvent } from './notification-queue.ts'
import { type Progress, type Unfinished } from './progress.ts'
import { createProgressRecord, type ProgressRecordDeps } from './progress-record.ts'
import { type SendBudget } from './send-budget.ts'
import { createSequenceNumbers } from './sequence-numbers.ts'
import { type NotifiedSource, type SourceAliases } from './source-aliases.ts'
import { type SpooledSequences } from './spooled-sequences.ts'

/** Hands the events of one alert at one process to the delivery, in order and numbered. */
export interface AlertNotifier {
  /** Never waits. With `unfinished`, what is unfinished after these events is on disk before they are handed over. */
  notify(alert: Alert, events: readonly AlertEvent[], seenAt: SeenAt, unfinished?: Unfinished): void
  /** What is unfinished has changed without an event: it is on disk soon, after at most a minute (`ProgressRecord.refresh`). */
  setUnfinished(unfinished: Unfinished): void
  /** Goes on from where the service crashed. */
  restore(progress: Progress): void
  /** Resolves when all events are on disk. */
  flush(): Promise<void>
  /** The same, but what cannot be written now is given up. */
  close(): Promise<void>
  /** Its process goes on elsewhere: resolves when all is on disk, and rejects when it can't be. */
  handOver(): Promise<void>
  /** Nothing more is handed over once this has resolved. */
  discard(): Promise<void>
}

export interface AlertNotifierDeps extends ProgressRecordDeps, Pick<LivePublisher, 'publishNotification'> {
  readonly delivery: Pick<Delivery, 'createDurableNotifier' | 'createProgressWriter'>
  readonly budget: SendBudget
  readonly sequences: Pick<SpooledSequences, 'reserve' | 'addChannel' | 'saveProgress'>
  readonly sources: SourceAliases
  readonly record: Pick<EventRecord, 'begin' | 'write' | 'publish'>
  readonly links: Pick<EventLinks, 'urlOf'>
  readonly clock: Clock
  readonly log: Log
}

/** So many may wait for their turn in memory; of more the rest goes to the disk, where nothing is lost. */
const MAX_HELD_BACK = 100
/** Handed over together; the delivery writes what comes together at once, and in its order. */
const MAX_AT_ONCE = 50

export function createAlertNotifier(alertId: string, process: ProcessRef, deps: AlertNotifierDeps): AlertNotifier {
  const { delivery, budget, sequences, sources, record, links, clock, log } = deps
  const { processId, accountId, sourceId } = process
  const about = { alert_uuid: alertId, process_uuid: processId }
  const queue = createNotificationQueue()
  const routing = createNotificationRouting(alertId, process, sequences)
  const copies = createLiveCopies(process, deps)
  const numbers = createSequenceNumbers((count) => sequences.reserve(alertId, process, count))
  const progress = createProgressRecord(alertId, process, deps)
  const turn = createTurn(accountId, budget)
  let isClosing = false
  /** So many may go now. */
  let allowed = 0
  /** As it is when a notification goes. */
  let source: NotifiedSource | undefined

  const isPressing = () => isClosing || queue.length > MAX_HELD_BACK

  async function awaitTurn(): Promise<void> {
    const next = queue.peek(MAX_AT_ONCE)
    allowed = next.length
    const rows = next.reduce((sum, { alert, event }) => sum + routing.countOf(alert) * rowsOf(pictureCharsIn(event)), 0)
    await turn.take(rows, isPressing())
  }

  function messagesOf(item: QueuedEvent): OutboundMessage[] {
    const { alert, sequence } = item
    const body = toNotification({ ...item, sequence: sequence! }, { process, source, links })
    copies.note(alert.setup.type, sequence!, body)
    return routing.messagesOf(alert, { sequence: sequence!, body, createdAtMs: clock.now() })
  }

  /** An event that changes what is unfinished writes it before it is handed over. */
  const refreshProgress = () => (queue.changesUnfinished ? undefined : progress.refresh())

  const notifier = delivery.createDurableNotifier<QueuedEvent>({
    isReady: () => queue.length > 0,
    awaitTurn,
    next: () => queue.start(allowed),
    async prepare(batch) {
      source = await sources.find(accountId, sourceId)
      for (const item of batch) item.sequence ??= await numbers.next()
      for (const { alert } of batch) await routing.register(alert)
      await progress.writeInFlight(batch)
      // After its id is on disk, so that a restart writes no second one; before the messages, whose links lead to it.
      await record.write(process, batch)
    },
    messagesOf,
    onTaken(taken) {
      copies.publish()
      record.publish(process, taken)
      queue.finish()
      refreshProgress()
    },
    onRefused: (error) => log.error({ err: error, ...about }, 'a notification cannot be delivered'),
    onFailure: (error) =>
      log.warn({ err: error, ...about, waiting: queue.length }, 'notifications wait for the database; trying again'),
    onGivenUp() {
      queue.clear()
      progress.freeze()
    },
    onIdle() {
      const lost = queue.takeLost()
      if (lost > 0) log.error({ ...about, lost }, 'notifications were lost because the database did not take them')
      refreshProgress()
    },
  })

  function push(item: QueuedEvent): void {
    queue.push(item)
    if (isPressing()) turn.hurry()
  }

  async function stop(): Promise<void> {
    isClosing = true
    turn.hurry()
    await notifier.close()
  }

  return {
    notify(alert, events, seenAt, unfinished) {
      if (isClosing) return
      if (unfinished) progress.setUnfinished(unfinished)
      for (const event of events)
        push({ alert, event, eventId: record.begin(process, event, seenAt), seenAt, unfinished })
      notifier.wake()
    },
    setUnfinished(unfinished) {
      if (isClosing) return
      progress.setUnfinished(unfinished)
      progress.invalidate()
      if (!notifier.isBusy) refreshProgress()
    },
    restore({ inFlight, unfinished }) {
      for (const item of inFlight) push({ ...item, unfinished })
      const due = unfinished?.events ?? []
      for (const event of due) push({ ...unfinished!, event, eventId: newEventId(event), unfinished: null })
      progress.invalidate()
      notifier.wake()
    },
    async flush() {
      await notifier.flush()
      await progress.flush()
    },
    close: () => stop().then(() => progress.flush()),
    async handOver() {
      isClosing = true
      turn.hurry()
      await notifier.flush()
      await progress.settle()
    },
    async discard() {
      queue.dropWaiting()
      await stop()
      await progress.discard()
    },
  }
}

/** The account's turn to send: what waits for it may come to be in a hurry. */
function createTurn(accountId: string, budget: SendBudget) {
  let holding: AbortController | undefined
  return {
    async take(rows: number, isInHurry: boolean): Promise<void> {
      holding = new AbortController()
      if (isInHurry) holding.abort()
      await budget.take(accountId, rows, holding.signal)
      holding = undefined
    },
    hurry: () => holding?.abort(),
  }
}
