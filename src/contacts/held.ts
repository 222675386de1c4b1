import { type HeldSum } from '../core/contact.ts'
import { sha256Of } from '../core/digest.ts'

/** What was held back from a contact, as it is kept until it is summed up. */
export interface Held {
  readonly sum: HeldSum
  /** Of the last ones: one that asks again, after a crash, is counted once. */
  readonly ids: readonly string[]
  /** What is on its way to the outbox. It is as good as sent once it is there. */
  readonly leaving?: LeavingSum | undefined
}

export interface LeavingSum extends HeldSum {
  /** Of its message: taken from here again, it is the same one. */
  readonly id: string
}

const MAX_LABELS = 20
const MAX_LABEL_LENGTH = 250
/** As many of one channel may be under way and not written as settled, and few alerts find something at the same moment. */
const MAX_IDS = 64

const nothing = (fromMs: number): HeldSum => ({ count: 0, fromMs, labels: {}, others: 0 })
const shortId = (messageId: string) => sha256Of(messageId).slice(0, 12)

export function isCounted(held: Held | null, messageId: string): boolean {
  return held?.ids.includes(shortId(messageId)) ?? false
}

export function withOneMore(held: Held | null, messageId: string, label: string, nowMs: number): Held {
  const before = held && held.sum.count > 0 ? held.sum : nothing(nowMs)
  const ids = [...(held?.ids ?? []), shortId(messageId)].slice(-MAX_IDS)
  return { ...held, sum: countOne(before, label.slice(0, MAX_LABEL_LENGTH)), ids }
}

function countOne(sum: HeldSum, label: string): HeldSum {
  const count = sum.count + 1
  // An alert may be called `constructor`.
  const known = Object.hasOwn(sum.labels, label) ? sum.labels[label] : undefined
  if (known === undefined && Object.keys(sum.labels).length >= MAX_LABELS)
    return { ...sum, count, others: sum.others + 1 }
  return { ...sum, count, labels: { ...sum.labels, [label]: (known ?? 0) + 1 } }
}

/** Sets apart what is to be sent now; what is held back from now on is of the next one. What was set apart before stays that. */
export function setApart(held: Held, id: string): Held {
  if (held.leaving || held.sum.count === 0) return held
  return { sum: nothing(held.sum.fromMs), ids: held.ids, leaving: { ...held.sum, id } }
}

/** Once it is in the outbox; null where nothing else is held. */
export function withoutLeaving(held: Held): Held | null {
  return held.sum.count === 0 ? null : { sum: held.sum, ids: held.ids }
}
