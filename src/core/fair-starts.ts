import { createRounds, type Rounds } from './rounds.ts'

/**
 * In what order work begins that comes in masses: in one turn of the event loop each owner begins one piece, and has so many under
 * way, so that others wait for a few pieces and never for all that somebody asked for. Where an owner may be several, as those
 * behind one address are, its pieces begin in rounds: one of each part.
 */
export interface FairStarts {
  /** Calls `start` now or in a later turn; `end` is to be called once when the work is over. */
  begin(owner: string, start: (end: () => void) => void, part?: unknown): void
  /** The same for work that is bounded otherwise: it waits for its turn, and never for what is under way. */
  pass(owner: string, start: () => void, part?: unknown): void
}

type Start = (end: () => void) => void

interface Owner {
  readonly waiting: Rounds<Start>
  readonly passing: Rounds<() => void>
  underWay: number
  hasBegunOne: boolean
}

export function createFairStarts(maxUnderWay: number): FairStarts {
  const owners = new Map<string, Owner>()
  let turn: NodeJS.Immediate | undefined

  function ownerCalled(name: string): Owner {
    const owner = owners.get(name) ?? {
      waiting: createRounds(),
      passing: createRounds(),
      underWay: 0,
      hasBegunOne: false,
    }
    owners.set(name, owner)
    return owner
  }

  function startNext(owner: Owner): void {
    if (owner.hasBegunOne) return
    const start = owner.passing.take() ?? (owner.underWay < maxUnderWay ? owner.waiting.take() : undefined)
    if (!start) return
    owner.hasBegunOne = true
    turn ??= setImmediate(nextTurn)
    start(() => {
      owner.underWay--
      turn ??= setImmediate(nextTurn)
    })
  }

  function nextTurn(): void {
    turn = undefined
    for (const [name, owner] of owners) {
      owner.hasBegunOne = false
      startNext(owner)
      if (owner.underWay === 0 && owner.waiting.isEmpty && owner.passing.isEmpty) owners.delete(name)
    }
  }

  return {
    begin(name, start, part) {
      const owner = ownerCalled(name)
      owner.waiting.add(part, (end) => {
        owner.underWay++
        start(end)
      })
      startNext(owner)
    },
    pass(name, start, part) {
      const owner = ownerCalled(name)
      owner.passing.add(part, () => start())
      startNext(owner)
    },
  }
}
