import { sha256Of } from '../core/digest.ts'
import { type Subscription } from './subscription.ts'
import { type LinkedTracks } from './track-links.ts'
import { join, lengthOf, type Notification, split } from './webhooks.messages.ts'

/** A notification with the id under which it will arrive, however often it is sent. */
export interface Gathered {
  readonly id: string
  readonly notification: Notification
}

/** How far a subscription has come. Plain data: it is kept in the database, and a restart goes on from it. */
export interface Progress {
  /** Tracks up to this id were sent before the service started. */
  readonly lastTrackId: number
  readonly targetCount: number
  readonly processState: string
  /** What had been allotted at the last warning that few minutes are left; not in what older versions have kept. */
  readonly minutesWarnedAllottedSeconds?: number
  /** As far as is known, also once the process has ended; not in what older versions have kept. */
  readonly linked?: LinkedTracks
  /** What happened since the last notification and waits until the receiver may have the next one. */
  readonly gathered: Gathered | null
  /** What is on its way to the outbox, and not yet surely there. */
  readonly released: readonly Gathered[]
}

/** How far a subscription of this account has come. */
export interface OwnedProgress {
  readonly accountId: string
  readonly progress: Progress
}

/** A subscription with how far it has come. */
export interface StoredSubscription extends Subscription {
  readonly progress: Progress
}

/** As many tracks or changes are in one notification; with more the next one begins, and waits behind it. */
export const MAX_GATHERED = 1_000

/** As many wait for a database that is slow to take them, and what comes meanwhile is gathered. */
export const MAX_RELEASED_SINGLY = 10
/** With those that are full. As many wait for a database that does not answer; of more the oldest are lost, and that is logged. */
export const MAX_RELEASED = 20

export function newProgress(processState: string): Progress {
  return { lastTrackId: 0, targetCount: 0, processState, gathered: null, released: [] }
}

/** Something happened: it joins what is gathered. Without a backoff it goes at once. */
export function gather(progress: Progress, { id, notification }: Gathered, backoffMs: number): Progress {
  const { gathered } = progress
  const joined = gathered
    ? { id: gathered.id, notification: join(gathered.notification, notification) }
    : { id, notification }
  const next = { ...progress, gathered: joined }
  const mayGo = backoffMs === 0 && progress.released.length < MAX_RELEASED_SINGLY
  return mayGo || lengthOf(joined.notification) >= MAX_GATHERED ? release(next) : next
}

/** What is gathered goes now. */
export function release(progress: Progress): Progress {
  const { gathered, released } = progress
  if (!gathered) return progress
  return { ...progress, gathered: null, released: [...released, gathered].slice(-MAX_RELEASED) }
}

/** It is in the outbox. */
export function settle(progress: Progress, id: string): Progress {
  return { ...progress, released: progress.released.filter((one) => one.id !== id) }
}

/** How much of each message, by its id, the database has: what another node that goes on from there sends under that id. */
export type StoredLengths = Readonly<Record<string, number>>

const messagesIn = ({ released, gathered }: Progress): readonly Gathered[] =>
  gathered ? [...released, gathered] : released

export function lengthsOf(progress: Progress): StoredLengths {
  return Object.fromEntries(messagesIn(progress).map(({ id, notification }) => [id, lengthOf(notification)]))
}

/** What the database has of a message, and the rest, which nobody else knows of, under an id of its own. */
function splitOff({ id, notification }: Gathered, storedLength: number): readonly [Gathered, Gathered] {
  const [stored, rest] = split(notification, storedLength)
  return [
    { id, notification: stored },
    { id: idOfRest(id, storedLength), notification: rest },
  ]
}

/** The same whenever it is asked for: only the last digits of a UUID are others. */
const idOfRest = (id: string, storedLength: number) =>
  `${id.slice(0, 24)}${sha256Of(`${id} ${storedLength}`).slice(0, 12)}`

const isLonger = ({ notification }: Gathered, storedLength: number) => lengthOf(notification) > storedLength

/** What is gathered that the database does not have goes on under an id of its own; what it has of that goes now. */
export function detach(progress: Progress, stored: StoredLengths): Progress {
  const { gathered, released } = progress
  const storedLength = gathered ? (stored[gathered.id] ?? 0) : 0
  if (!gathered || storedLength === 0 || !isLonger(gathered, storedLength)) return progress
  const [known, rest] = splitOff(gathered, storedLength)
  return { ...progress, released: [...released, known], gathered: rest }
}

/** The messages, or their rests, that the database does not have. */
export function unstored(progress: Progress, stored: StoredLengths): readonly Gathered[] {
  return messagesIn(progress).flatMap((one) => {
    const storedLength = stored[one.id] ?? 0
    if (storedLength === 0) return one
    return isLonger(one, storedLength) ? splitOff(one, storedLength)[1] : []
  })
}
