import { type Clock } from '../core/clock.ts'
import { isSettledWithin } from '../core/deadline.ts'
import { dropOldest } from '../core/drop-oldest.ts'

/** What notifications say of sources. */
export interface NotifiedSource {
  readonly alias: string
  /** Of files nothing is recorded. */
  readonly type: 'file' | 'stream'
}

export interface SourceAliases {
  /** Undefined for a source that was removed. */
  find(accountId: string, sourceId: string): Promise<NotifiedSource | undefined>
}

interface Question {
  readonly answer: Promise<NotifiedSource | undefined>
  readonly atMs: number
}

/** A notification waits no longer for a database that does not answer: its source is what it was. */
const MAX_WAIT_MS = 250
const MAX_KNOWN = 10_000

/** What was read once is known also while the database is away. */
export function createSourceAliases(sources: SourceAliases, clock: Clock): SourceAliases {
  const known = new Map<string, NotifiedSource | undefined>()
  /** What the database has not answered. */
  const asked = new Map<string, Question>()

  async function read(accountId: string, sourceId: string): Promise<NotifiedSource | undefined> {
    try {
      const found = await sources.find(accountId, sourceId)
      const source = found && { alias: found.alias, type: found.type }
      // To the end: the one that nobody asked for the longest is forgotten first.
      known.delete(sourceId)
      known.set(sourceId, source)
      dropOldest(known, MAX_KNOWN)
      return source
    } finally {
      asked.delete(sourceId)
    }
  }

  function ask(accountId: string, sourceId: string): Question {
    const question = { answer: read(accountId, sourceId), atMs: clock.steady() }
    asked.set(sourceId, question)
    return question
  }

  return {
    async find(accountId, sourceId) {
      const { answer, atMs } = asked.get(sourceId) ?? ask(accountId, sourceId)
      if (!known.has(sourceId)) return answer
      const leftMs = atMs + MAX_WAIT_MS - clock.steady()
      if (leftMs > 0) await isSettledWithin(answer, leftMs, clock).catch(() => {})
      return known.get(sourceId)
    },
  }
}
