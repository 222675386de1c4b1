/**
 * In what order work begins that comes in masses: in one turn of the event loop each owner begins one piece, and has so many under
 * way, so that others wait for a few pieces and never for all that somebody asked for.
 */
export interface FairStarts {
  /** Calls `start` now or in a later turn; `end` is to be called once when the work is over. */
  begin(owner: string, start: (end: () => void) => void): void
  /** The same for work that is bounded otherwise: it waits for its turn, and never for what is under way. */
  pass(owner: string, start: () => void): void
}

type Start = (end: () => void) => void

interface Owner {
  /** In the order in which they came. */
  readonly waiting: Set<Start>
  readonly passing: Set<() => void>
  underWay: number
  hasBegunOne: boolean
}

export function createFairStarts(maxUnderWay: number): FairStarts {
  const owners = new Map<string, Owner>()
  let turn: NodeJS.Immediate | undefined

  function ownerCalled(name: string): Owner {
    const owner = owners.get(name) ?? { waiting: new Set(), passing: new Set(), underWay: 0, hasBegunOne: false }
    owners.set(name, owner)
    return owner
  }

  function startNext(owner: Owner): void {
    if (owner.hasBegunOne) return
    const start = takeFirst(owner.passing) ?? (owner.underWay < maxUnderWay ? takeFirst(owner.waiting) : undefined)
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
      if (owner.underWay === 0 && owner.waiting.size === 0 && owner.passing.size === 0) owners.delete(name)
    }
  }

  return {
    begin(name, start) {
      const owner = ownerCalled(name)
      owner.waiting.add((end) => {
        owner.underWay++
        start(end)
      })
      startNext(owner)
    },
    pass(name, start) {
      const owner = ownerCalled(name)
      owner.passing.add(() => start())
      startNext(owner)
    },
  }
}

function takeFirst<T>(set: Set<T>): T | undefined {
  const [first] = set
  if (first !== undefined) set.delete(first)
  return first
}
