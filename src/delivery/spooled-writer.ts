import { type Clock } from '../core/clock.ts'
import { isSettledWithin, unlessAborted } from '../core/deadline.ts'
import { type SpooledWriter, type SpooledWriterOptions } from '../core/delivery.ts'
import { DatabaseAway, isDatabaseAway, isDiskFull } from '../core/outages.ts'
import { type Log } from '../observe/log.ts'
import { type SpooledEntry, valueOf } from './spool-index.ts'
import { type Spool } from './spool.ts'

/** A writer as the delivery sees it, which starts and ends all of them. */
export interface DrainedWriter<Value> extends SpooledWriter<Value> {
  /** What an earlier service left goes to the database. */
  start(): void
  /** Resolves when nothing of it is in the spool, or when the service ends. */
  whenEmpty(): Promise<void>
}

export interface DrainedWriterOptions<Value> extends SpooledWriterOptions<Value> {
  /** It was removed from the spool, and the database will never have it. */
  readonly onLost?: (value: Value) => void
  /** So many go from the spool to the database together; by default one transaction's worth. */
  readonly maxAtOnce?: number
}

export interface SpooledWriterDeps {
  readonly spool: Pick<Spool, 'countOf' | 'list' | 'put' | 'remove'>
  readonly clock: Clock
  readonly log: Log
  /** Aborts when the service ends; what is in the spool stays there. */
  readonly closing: AbortSignal
}

/** What the database has not taken after this long is written to the spool too: from then on a kill does not lose it. */
const SPOOL_AFTER_MS = 250
const RETRY_MS = 1_000
const DEFAULT_MAX_AT_ONCE = 200
/** So often the database refuses one, a moment apart, before the next one goes ahead of it. */
const MAX_REFUSALS = 5

/** Whether something is wrong with what was to be written. */
const isRefusal = (error: unknown) => !isDatabaseAway(error) && !isDiskFull(error)

/**
 * Writes to the database, and to the spool what that does not take at once. While something is in the spool, all that is written goes
 * there, so that the order stays; what is there goes to the database as soon as that answers.
 */
export function createSpooledWriter<Value>(
  { kind, save, onLost = () => {}, maxAtOnce = DEFAULT_MAX_AT_ONCE }: DrainedWriterOptions<Value>,
  { spool, clock, log, closing }: SpooledWriterDeps,
): DrainedWriter<Value> {
  /** What the database was asked to write, and has not answered. Nothing newer goes there before. */
  const unanswered = new Set<Promise<void>>()
  /**
   * Accounts of which the spool refused something: what comes of them behind it is refused too, though it be smaller, until the
   * database has taken something.
   */
  const refused = new Set<string>()
  let draining: Promise<void> | undefined
  /** Of the first one in the spool, in a row. */
  let refusals = 0

  function saveDirectly(entries: ReadonlyMap<string, Value>): Promise<void> {
    const saved: Promise<void> = save(entries)
      .then(() => refused.clear())
      .finally(() => unanswered.delete(saved))
    unanswered.add(saved)
    return saved
  }

  /** As much of it as there is room for: those of one account do not keep out another's. */
  async function putIntoSpool(entries: ReadonlyMap<string, Value>, ownerOf: (key: string) => string): Promise<void> {
    const byOwner = new Map<string, Map<string, Value>>()
    for (const [key, value] of entries) {
      const own = byOwner.get(ownerOf(key)) ?? new Map<string, Value>()
      byOwner.set(ownerOf(key), own.set(key, value))
    }
    const puts = await Promise.allSettled([...byOwner].map(([owner, own]) => putOf(owner, own)))
    const failure = puts.find((put) => put.status === 'rejected')
    if (failure) throw failure.reason
  }

  async function putOf(owner: string, entries: ReadonlyMap<string, Value>): Promise<void> {
    if (refused.has(owner)) throw new DatabaseAway(new Error('the spool is full'))
    try {
      const written = spool.put(kind, entries, owner)
      drainSoon()
      await written
    } catch (error) {
      refused.add(owner)
      throw error
    }
  }

  function drainSoon(): void {
    if (spool.countOf(kind) > 0) draining ??= drain()
  }

  async function drain(): Promise<void> {
    // One at first: the database may be away. Fewer after each failure, so that one that is refused is soon alone.
    let count = 1
    while (spool.countOf(kind) > 0 && !closing.aborted) {
      try {
        await unlessAborted(Promise.allSettled(unanswered), closing)
        await move(spool.list(kind, count))
        count = Math.min(maxAtOnce, 2 * count)
      } catch (error) {
        if (count === 1 && !closing.aborted) await passBy(error).catch(() => clock.sleep(RETRY_MS, closing))
        count = Math.max(1, Math.floor(count / 2))
      }
    }
    draining = undefined
  }

  async function move(entries: readonly SpooledEntry[]): Promise<void> {
    await unlessAborted(save(toValues(entries)), closing)
    await spool.remove(entries)
    refused.clear()
    refusals = 0
  }

  /** One that the database refuses, while it takes the next one, would hold up everything behind it for ever. */
  async function passBy(error: unknown): Promise<void> {
    const [first, second] = spool.list(kind, 2)
    refusals = isRefusal(error) ? refusals + 1 : 0
    if (!second || refusals < MAX_REFUSALS) throw error
    await move([second])
    await move([first!]).catch((again: unknown) => giveUp(first!, again))
  }

  async function giveUp(entry: SpooledEntry, error: unknown): Promise<void> {
    if (!isRefusal(error)) throw error
    log.error({ err: error, kind, key: entry.key }, 'the database refuses what waited in the spool; it is lost')
    await spool.remove([entry])
    onLost(valueOf<Value>(entry))
  }

  const toValues = (entries: readonly SpooledEntry[]): ReadonlyMap<string, Value> =>
    new Map(entries.map((entry) => [entry.key, valueOf<Value>(entry)]))

  return {
    async write(entries, ownerOf) {
      if (spool.countOf(kind) > 0) return putIntoSpool(entries, ownerOf)
      const saved = saveDirectly(entries)
      const isSaved = await isSettledWithin(saved, SPOOL_AFTER_MS, clock).catch(() => false)
      // What has no room in the spool waits for the database alone.
      if (!isSaved) await putIntoSpool(entries, ownerOf).catch(() => saved)
    },
    waiting: () => toValues(spool.list(kind, Infinity)),
    start: drainSoon,
    async whenEmpty() {
      for (drainSoon(); draining && !closing.aborted; drainSoon()) await draining
    },
  }
}
