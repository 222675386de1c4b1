import { type Clock } from '../core/clock.ts'
import { type Clip } from './clip.ts'

export interface CutTurnDeps {
  readonly store: {
    /** Of each account the first that waits for its turn on this node, and for nothing else. */
    listFirstWaiting(endedBefore: number): Promise<readonly Pick<Clip, 'id' | 'accountId'>[]>
  }
  readonly clock: Pick<Clock, 'now'>
}

/** Clips are cut one after the other, in turns of accounts: many of one account hold up no other’s for longer than one of them takes. */
export interface CutTurns {
  /** The clip of another account that is to be cut before this one, whose turn it has then; undefined when it is this one's. */
  takeBefore(clip: Pick<Clip, 'accountId'>): Promise<string | undefined>
}

/** What was seen is written by then. */
const WRITTEN_AFTER_MS = 12_000
/** Beyond this who had no turn for the longest time counts as new. */
const MAX_REMEMBERED = 10_000

export function createCutTurns({ store, clock }: CutTurnDeps): CutTurns {
  /** The number of the last turn of each account. In memory, since clips that were cut may be deleted. */
  const lastTurns = new Map<string, number>()
  let turn = 0
  const lastOf = ({ accountId }: Pick<Clip, 'accountId'>) => lastTurns.get(accountId) ?? 0

  function note({ accountId }: Pick<Clip, 'accountId'>): void {
    lastTurns.delete(accountId)
    lastTurns.set(accountId, ++turn)
    const [oldest] = lastTurns.keys()
    if (lastTurns.size > MAX_REMEMBERED) lastTurns.delete(oldest!)
  }

  return {
    async takeBefore(clip) {
      const waiting = await store.listFirstWaiting(clock.now() - WRITTEN_AFTER_MS)
      const [first] = waiting
        .filter((other) => lastOf(other) < lastOf(clip))
        .sort((a, b) => lastOf(a) - lastOf(b) || (a.id < b.id ? -1 : 1))
      note(first ?? clip)
      return first?.id
    },
  }
}
