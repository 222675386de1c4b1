import { type Clock } from '../core/clock.ts'
import { UnacceptableError } from '../core/unacceptable-error.ts'
import { type Log } from '../observe/log.ts'
import { type Alert } from './alert.ts'
import { type Happening } from './analyses/analysis.ts'
import { channelOf, type Delivery, toDestination } from './delivery.ts'
import { type SeenAt, toNotification, type WatchedProcess } from './notification.ts'
import { type SequenceStore } from './sequences.store.ts'

/** Hands the happenings of one alert at one process to the delivery, in order and numbered. */
export interface Teller {
  /** Never waits. */
  tell(alert: Alert, happening: Happening, seenAt: SeenAt): void
  /** Resolves when all that was told is on disk. */
  flush(): Promise<void>
  /** The same, but what cannot be written now is given up. */
  close(): Promise<void>
  /** Nothing more is handed over once this has resolved. */
  discard(): Promise<void>
}

export interface TellerDeps {
  readonly delivery: Pick<Delivery, 'send'>
  readonly sequences: Pick<SequenceStore, 'reserve'>
  readonly clock: Clock
  readonly log: Log
}

interface Told {
  readonly alert: Alert
  readonly happening: Happening
  readonly seenAt: SeenAt
  sequence?: number
  /** Outputs that have it. */
  handedTo: number
}

/** So many may wait for a database that does not answer; of more the newest are lost, and that is logged. */
const MOST_WAITING = 1_000
/** Numbers are set aside so many at a time, so that most notifications cost no write for their number. */
const RESERVED = 100
const TRY_AGAIN_MS = 1_000

export function createTeller(alertId: string, process: WatchedProcess, deps: TellerDeps): Teller {
  const { delivery, sequences, clock, log } = deps
  const about = { alert_uuid: alertId, process_uuid: process.processId }
  const queue: Told[] = []
  const hurry = new AbortController()
  let pumping: Promise<void> | undefined
  let nextNumber = 1
  let lastReserved = 0
  let lost = 0

  async function takeNumber(): Promise<number> {
    if (nextNumber > lastReserved) {
      lastReserved = await sequences.reserve(alertId, process.processId, RESERVED)
      nextNumber = lastReserved - RESERVED + 1
    }
    return nextNumber++
  }

  async function handOver(told: Told): Promise<void> {
    const { alert, happening, seenAt } = told
    const sequence = (told.sequence ??= await takeNumber())
    const body = toNotification(alert, process, happening, seenAt, sequence)
    for (const [index, output] of alert.setup.output.entries()) {
      if (index < told.handedTo) continue
      const channel = channelOf(alertId, process.processId, index)
      await delivery.send({
        id: `${channel}:${sequence}`,
        channel,
        accountId: process.accountId,
        destination: toDestination(output),
        body,
        createdAtMs: clock.now(),
      })
      told.handedTo = index + 1
    }
  }

  async function pump(): Promise<void> {
    while (queue.length > 0) {
      try {
        await handOver(queue[0]!)
        queue.shift()
      } catch (error) {
        log.error({ err: error, ...about, waiting: queue.length }, 'a notification could not be written down')
        if (error instanceof UnacceptableError) queue.shift()
        else if (hurry.signal.aborted) queue.length = 0
        else await clock.sleep(TRY_AGAIN_MS, hurry.signal)
      }
    }
    if (lost > 0) log.error({ ...about, lost }, 'notifications were lost because the database did not take them')
    lost = 0
    pumping = undefined
  }

  return {
    tell(alert, happening, seenAt) {
      if (hurry.signal.aborted) return
      if (queue.length >= MOST_WAITING) return void (lost += 1)
      queue.push({ alert, happening, seenAt, handedTo: 0 })
      pumping ??= pump()
    },
    flush: async () => pumping,
    async close() {
      hurry.abort()
      await pumping
    },
    async discard() {
      queue.length = Math.min(queue.length, 1)
      hurry.abort()
      await pumping
    },
  }
}
