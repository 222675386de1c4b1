/** The sum of what one class got. */
export interface Ballot {
  readonly classId: number
  readonly className: string
  readonly sum: number
}

/** What an object is, decided by all detections of its life. */
export interface ClassVote {
  readonly classId: number
  readonly className: string
  add(classId: number, className: string, confidence: number): void
  /** Takes over the votes of what turned out to be the same object. */
  takeOver(other: ClassVote): void
  readonly ballots: readonly Ballot[]
  /** Part of all votes that went to a class, 0 to 1. */
  shareOf(classId: number): number
}

/** A challenger needs this many times the votes of the class in office, so that names don't flicker. */
const CLEAR_MAJORITY = 1.3

export function createClassVote(): ClassVote {
  const ballots = new Map<number, Ballot>()
  let total = 0
  let current = { classId: -1, className: '' }

  function add(classId: number, className: string, confidence: number): void {
    const sum = (ballots.get(classId)?.sum ?? 0) + confidence
    ballots.set(classId, { classId, className, sum })
    total += confidence
    if (sum > CLEAR_MAJORITY * (ballots.get(current.classId)?.sum ?? 0)) current = { classId, className }
  }

  return {
    get classId() {
      return current.classId
    },
    get className() {
      return current.className
    },
    get ballots() {
      return [...ballots.values()]
    },
    add,
    takeOver(other) {
      for (const { classId, className, sum } of other.ballots) add(classId, className, sum)
    },
    shareOf: (classId) => (total > 0 ? (ballots.get(classId)?.sum ?? 0) / total : 1),
  }
}
