import { type Clock } from '../core/clock.ts'
import { isSettledWithin } from '../core/deadline.ts'
import { dropOldest } from '../core/drop-oldest.ts'

/** What notifications say of sources. */
export interface SourceAliases {
  /** Undefined for a source that was removed. */
  find(accountId: string, sourceId: string): Promise<{ readonly alias: string } | undefined>
}

interface Question {
  readonly answer: Promise<string | undefined>
  readonly atMs: number
}

/** A notification waits no longer for a database that does not answer: its source has the alias that it had. */
const MAX_WAIT_MS = 250
const MAX_KNOWN = 10_000

/** An alias that was read once is known also while the database is away. */
export function createSourceAliases(sources: SourceAliases, clock: Clock): SourceAliases {
  const known = new Map<string, string | undefined>()
  /** What the database has not answered. */
  const asked = new Map<string, Question>()

  async function read(accountId: string, sourceId: string): Promise<string | undefined> {
    try {
      const alias = (await sources.find(accountId, sourceId))?.alias
      // To the end: the one that nobody asked for the longest is forgotten first.
      known.delete(sourceId)
      known.set(sourceId, alias)
      dropOldest(known, MAX_KNOWN)
      return alias
    } finally {
      asked.delete(sourceId)
    }
  }

  function ask(accountId: string, sourceId: string): Question {
    const question = { answer: read(accountId, sourceId), atMs: clock.steady() }
    asked.set(sourceId, question)
    return question
  }

  async function aliasOf(accountId: string, sourceId: string): Promise<string | undefined> {
    const { answer, atMs } = asked.get(sourceId) ?? ask(accountId, sourceId)
    if (!known.has(sourceId)) return answer
    const leftMs = atMs + MAX_WAIT_MS - clock.steady()
    if (leftMs > 0) await isSettledWithin(answer, leftMs, clock).catch(() => {})
    return known.get(sourceId)
  }

  return {
    async find(accountId, sourceId) {
      const alias = await aliasOf(accountId, sourceId)
      return alias === undefined ? undefined : { alias }
    },
  }
}
