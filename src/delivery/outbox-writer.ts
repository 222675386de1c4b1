import { type Clock } from '../core/clock.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { DatabaseAway } from '../core/outages.ts'
import { retry } from '../core/retry.ts'
import { rowsOf } from '../core/rows-of.ts'
import { type Log } from '../observe/log.ts'
import { createGroupCommit } from './group-commit.ts'
import { type Delivered, type Failed, type OutboxStore } from './outbox.store.ts'
import { KEEP_TRYING_MS } from './retry-policy.ts'
import { type Place, type WaitingMessage } from './waiting-message.ts'

export interface OutboxWriterDeps {
  readonly store: Pick<OutboxStore, 'write' | 'written' | 'revive'>
  /** These are on disk now, in this order, and wait. Nothing more is written until it resolves; it never rejects. */
  readonly onTaken: (messages: readonly WaitingMessage[]) => Promise<void>
  readonly onRevived: (message: WaitingMessage) => void
  readonly clock: Clock
  readonly log: Log
}

export type OutboxWriter = ReturnType<typeof createOutboxWriter>

type Unplaced = Omit<WaitingMessage, 'position'>
type Op =
  | { readonly do: 'insert'; readonly message: Unplaced; readonly failuresBefore: number }
  | { readonly do: 'revive'; readonly channel: string; readonly id: string; readonly found: Deferred<boolean> }
  | { readonly do: 'alone'; readonly act: () => Promise<void>; readonly done: Deferred<void> }
  | { readonly do: 'sent'; readonly id: string }
  | { readonly do: 'delivered'; readonly attempt: Delivered }
  | { readonly do: 'failed'; readonly attempt: Failed }
  | { readonly do: 'look' }

/** The owner of what belongs to no account. */
const OWN = ''
const RETRY_MS = 500
const MAX_TRIES = 4
const LOOK_AGAIN_MS = 1_000
/** What is beyond this, and on disk all the same, waits there until the service starts again. */
const MAX_DOUBTFUL = 10_000

/** Whether it belongs into the transaction of its group. */
const isWritten = ({ do: kind }: Op) => kind !== 'revive' && kind !== 'alone' && kind !== 'look'

const weightOf = (op: Op) => (op.do === 'insert' ? rowsOf(op.message.sizeBytes) : 1)

/**
 * Writes what happens in the outbox, and reports what waits since. An error does not say that nothing was written: a
 * connection may end between the commit and its answer. So a write that is tried again names the same places, and what
 * was given up is looked for as soon as the database answers.
 */
export function createOutboxWriter({ store, onTaken, onRevived, clock, log }: OutboxWriterDeps) {
  let position = 0
  let doubtful: Place[] = []
  let looking: Promise<void> | undefined
  /** Groups that were not written. */
  let failures = 0
  const closing = new AbortController()
  const commit = createGroupCommit<Op>({ write: writeOrFail, weightOf, clock })

  async function writeOrFail(ops: readonly Op[]): Promise<void> {
    try {
      // Where a group failed, what waited behind it fails too: it may be of the same channels, and would overtake.
      if (ops.some((op) => op.do === 'insert' && op.failuresBefore < failures))
        throw new DatabaseAway(new Error('what was to be written before could not be'))
      await writeGroup(ops)
    } catch (error) {
      failures += 1
      throw error
    }
  }

  async function writeGroup(ops: readonly Op[]): Promise<void> {
    const inserts = placed(ops.flatMap((op) => (op.do === 'insert' ? op.message : [])))
    const write = {
      inserts,
      sent: ops.flatMap((op) => (op.do === 'sent' ? op.id : [])),
      delivered: ops.flatMap((op) => (op.do === 'delivered' ? op.attempt : [])),
      failed: ops.flatMap((op) => (op.do === 'failed' ? op.attempt : [])),
      nowMs: clock.now(),
    }
    // Before anything of this group: what is looked for may be among what it delivers.
    if (doubtful.length > 0) await takeUp()
    if (ops.some(isWritten)) {
      const taken = await retried(() => store.write(write)).catch((error: unknown) => {
        doubt(inserts)
        throw error
      })
      await onTaken(inserts.filter(({ id }) => taken.has(id)))
    }
    for (const op of ops) {
      if (op.do === 'revive') await settle(op.found, revive(op))
      if (op.do === 'alone') await settle(op.done, op.act())
    }
  }

  /** Positions are given as they are written: a channel reads on from the last one that it knows. */
  function placed(messages: readonly Unplaced[]): WaitingMessage[] {
    const seen = new Set<string>()
    return messages.flatMap((message) => {
      if (seen.has(message.id)) return []
      seen.add(message.id)
      return { ...message, position: ++position }
    })
  }

  async function revive({ channel, id }: Extract<Op, { do: 'revive' }>): Promise<boolean> {
    const place = ++position
    const message = await retried(() => store.revive(channel, id, place, clock.now() + KEEP_TRYING_MS))
    if (message) onRevived(message)
    return message !== undefined
  }

  async function takeUp(): Promise<void> {
    const found = await retried(() => store.written(doubtful))
    doubtful = []
    await onTaken(found)
  }

  function doubt(messages: readonly Place[]): void {
    const places = messages.map(({ id, position: at }) => ({ id, position: at }))
    doubtful = [...doubtful, ...places].slice(0, MAX_DOUBTFUL)
    if (doubtful.length > 0) looking ??= look().finally(() => (looking = undefined))
  }

  /** Nothing else may come to be written for a long time. */
  async function look(): Promise<void> {
    while (doubtful.length > 0 && !closing.signal.aborted) {
      await clock.sleep(LOOK_AGAIN_MS, closing.signal)
      if (doubtful.length > 0) await commit.add(OWN, { do: 'look' }).catch(() => {})
    }
  }

  const retried = <T>(write: () => Promise<T>) =>
    retry(write, {
      clock,
      waitMs: RETRY_MS,
      isWanted: (tries) => tries < MAX_TRIES,
      onRetry: (error, tries) => log.warn({ err: error, tries }, 'the outbox could not be written'),
    })

  return {
    /** New messages stand behind this position. */
    standBehind: (last: number) => void (position = Math.max(position, last)),
    /** Does something while nothing is written, nor taken. */
    async alone(act: () => Promise<void>): Promise<void> {
      const done = createDeferred()
      await Promise.all([commit.add(OWN, { do: 'alone', act, done }), done.promise])
    },
    /** Resolves when it is on disk and was taken. */
    insert: (message: Unplaced) => commit.add(message.accountId, { do: 'insert', message, failuresBefore: failures }),
    /** False when there is nothing to be sent again. */
    async revive(owner: string, channel: string, id: string): Promise<boolean> {
      const found = createDeferred<boolean>()
      const [, isFound] = await Promise.all([commit.add(owner, { do: 'revive', channel, id, found }), found.promise])
      return isFound
    },
    /** It sets out now: a service that ends before the answer knows that the receiver may have seen it. */
    noteSent: (accountId: string, id: string) => commit.add(accountId, { do: 'sent', id }),
    noteDelivered: (accountId: string, attempt: Delivered) => commit.add(accountId, { do: 'delivered', attempt }),
    noteFailed: (accountId: string, attempt: Failed) => commit.add(accountId, { do: 'failed', attempt }),
    /** Resolves when everything up to now, or of this owner, is written, or was given up. */
    flush: (owner?: string) => commit.flush(owner),
    async close(): Promise<void> {
      closing.abort()
      await looking
      await commit.flush()
    },
  }
}

/** Its caller gets what it comes to; nobody else is concerned. */
function settle<T>(outcome: Deferred<T>, work: Promise<T>): Promise<void> {
  return work.then(
    (value) => outcome.resolve(value),
    (error: unknown) => outcome.reject(error),
  )
}
