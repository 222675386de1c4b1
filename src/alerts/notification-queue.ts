import { type Alert } from './alert.ts'
import { type AlertEvent, isUpdate, type SeenAt } from './analyses/analysis.ts'
import { pictureCharsIn, withoutPictures } from './event-pictures.ts'
import { type Unfinished } from './progress.ts'

/** An event of an alert that waits to be handed to the delivery. */
export interface QueuedEvent {
  readonly alert: Alert
  readonly event: AlertEvent
  /** The same however often it is sent; null of an update. */
  readonly eventId: string | null
  readonly seenAt: SeenAt
  /** Its number, once it has one. */
  sequence?: number
  /** What is unfinished once this event is sent; undefined where it does not change that. */
  readonly unfinished?: Unfinished | null | undefined
}

/** The events of one alert at one process, in order. */
export interface NotificationQueue {
  readonly length: number
  /** Whether an event waits that changes what is unfinished. */
  readonly changesUnfinished: boolean
  push(item: QueuedEvent): void
  peek(count: number): readonly QueuedEvent[]
  /** The first ones, which are under way from now on: a newer event does not replace them. */
  start(count: number): readonly QueuedEvent[]
  /** Those that are under way have arrived. */
  finish(): void
  /** Drops all that are not under way. */
  dropWaiting(): void
  clear(): void
  /** How many events were lost since the last call, because too many waited. */
  takeLost(): number
}

/** So many may wait for a database that does not answer; of more the newest are lost, and that is logged. */
const MAX_WAITING = 1_000
/** Of pictures that wait; events beyond them go without. */
const MAX_PICTURE_CHARS = 4_000_000

export function createNotificationQueue(): NotificationQueue {
  const items: QueuedEvent[] = []
  let underWay = 0
  /** Of pictures in the queue. */
  let pictureChars = 0
  let lost = 0

  /** An update says all that the one before it said: of those that are not under way, the newest replaces the others. */
  function isOutdatedBy({ alert, event, unfinished }: QueuedEvent): boolean {
    const last = items.length > underWay ? items.at(-1)! : undefined
    return (
      last !== undefined &&
      isUpdate(last.event) &&
      isUpdate(event) &&
      last.alert.setup === alert.setup &&
      last.sequence === undefined &&
      last.unfinished === undefined &&
      unfinished === undefined
    )
  }

  function withRoomForPictures(item: QueuedEvent): QueuedEvent {
    const chars = pictureCharsIn(item.event)
    if (pictureChars + chars > MAX_PICTURE_CHARS) return { ...item, event: withoutPictures(item.event) }
    pictureChars += chars
    return item
  }

  return {
    get length() {
      return items.length
    },
    get changesUnfinished() {
      return items.some(({ unfinished }) => unfinished !== undefined)
    },
    push(item) {
      if (isOutdatedBy(item)) items.pop()
      if (items.length >= MAX_WAITING) lost += 1
      else items.push(withRoomForPictures(item))
    },
    peek: (count) => items.slice(0, count),
    start(count) {
      underWay = Math.min(items.length, count)
      return items.slice(0, underWay)
    },
    finish() {
      for (const { event } of items.splice(0, underWay)) pictureChars -= pictureCharsIn(event)
      underWay = 0
    },
    dropWaiting() {
      items.length = Math.min(items.length, underWay)
    },
    clear() {
      items.length = 0
      underWay = 0
      pictureChars = 0
    },
    takeLost() {
      const count = lost
      lost = 0
      return count
    },
  }
}
