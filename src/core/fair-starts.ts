/**
 * In what order work begins that comes in masses: in one turn of the event loop each owner begins one piece, and has so many under
 * way, so that others wait for a few pieces and never for all that somebody asked for.
 */
export interface FairStarts {
  /** Calls `start` now or in a later turn; `end` is to be called once when the work is over. */
  begin(owner: string, start: (end: () => void) => void): void
}

interface Owner {
  /** In the order in which they came. */
  readonly waiting: Set<(end: () => void) => void>
  underWay: number
  hasBegunOne: boolean
}

export function createFairStarts(maxUnderWay: number): FairStarts {
  const owners = new Map<string, Owner>()
  let turn: NodeJS.Immediate | undefined

  function startNext(owner: Owner): void {
    const [start] = owner.waiting
    if (!start || owner.hasBegunOne || owner.underWay >= maxUnderWay) return
    owner.waiting.delete(start)
    owner.underWay++
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
      if (owner.underWay === 0 && owner.waiting.size === 0) owners.delete(name)
    }
  }

  return {
    begin(name, start) {
      const owner = owners.get(name) ?? { waiting: new Set(), underWay: 0, hasBegunOne: false }
      owners.set(name, owner)
      owner.waiting.add(start)
      startNext(owner)
    },
  }
}
