/** What an object is, decided by all detections of its life. */
export interface ClassVote {
  readonly classId: number
  readonly className: string
  add(classId: number, className: string, confidence: number): void
  /** Part of all votes that went to a class, 0 to 1. */
  shareOf(classId: number): number
}

/** A challenger needs this many times the votes of the class in office, so that names don't flicker. */
const clearMajority = 1.3

export function createClassVote(): ClassVote {
  const sums = new Map<number, number>()
  let total = 0
  let current = { classId: -1, className: '' }

  return {
    get classId() {
      return current.classId
    },
    get className() {
      return current.className
    },
    add(classId, className, confidence) {
      const sum = (sums.get(classId) ?? 0) + confidence
      sums.set(classId, sum)
      total += confidence
      if (sum > clearMajority * (sums.get(current.classId) ?? 0)) current = { classId, className }
    },
    shareOf: (classId) => (total > 0 ? (sums.get(classId) ?? 0) / total : 1),
  }
}
