import { createOwnerLine, type OwnerLine } from './owner-line.ts'

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
  /** By part. */
  readonly waiting: OwnerLine<Start, unknown>
  readonly passing: OwnerLine<() => void, unknown>
  underWay: number
  hasBegunOne: boolean
}

export function createFairStarts(maxUnderWay: number): FairStarts {
  const owners = new Map<string, Owner>()
  let turn: NodeJS.Immediate | undefined

  function ownerCalled(name: string): Owner {
    const owner = owners.get(name) ?? {
      waiting: createOwnerLine(),
      passing: createOwnerLine(),
      underWay: 0,
      hasBegunOne: false,
    }
    owners.set(name, owner)
    return owner
  }

  function startNext(owner: Owner): void {
    if (owner.hasBegunOne) return
    const start = owner.passing.shift() ?? (owner.underWay < maxUnderWay ? owner.waiting.shift() : undefined)
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
      // One that has begun something in this turn is known until the next.
      const isIdle = owner.underWay === 0 && owner.waiting.size === 0 && owner.passing.size === 0
      if (isIdle && !owner.hasBegunOne) owners.delete(name)
    }
  }

  return {
    begin(name, start, part) {
      const owner = ownerCalled(name)
      owner.waiting.push(part, (end) => {
        owner.underWay++
        start(end)
      })
      startNext(owner)
    },
    pass(name, start, part) {
      const owner = ownerCalled(name)
      owner.passing.push(part, () => start())
      startNext(owner)
    },
  }
}
