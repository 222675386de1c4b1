/**
 * Greedy non-maximum suppression: of boxes that overlap by more than `maxOverlap` (intersection over union), or of which
 * one lies by more than `maxCovered` in the other, only the most certain stays. Works on scratch memory that is made once, since it runs on every frame.
 */
export interface Suppressor {
  /** How many candidates fit. */
  readonly limit: number
  /** Empties it for the next picture. */
  clear(): void
  /**
   * Offers the next candidate by its corners. They must come in falling order of certainty. False when it was
   * suppressed by an earlier one of the same group, or when `limit` candidates were kept already.
   */
  offer(group: number, left: number, top: number, right: number, bottom: number): boolean
}

export function createSuppressor(limit: number, maxOverlap: number, maxCovered = 1): Suppressor {
  const corners = new Float32Array(limit * 4)
  const groups = new Int32Array(limit)
  let kept = 0

  return {
    limit,
    clear() {
      kept = 0
    },
    offer(group, left, top, right, bottom) {
      if (kept === limit) return false
      const area = (right - left) * (bottom - top)
      for (let index = 0, at = 0; index < kept; index++, at += 4) {
        if (groups[index] !== group) continue
        const width = Math.min(right, corners[at + 2]!) - Math.max(left, corners[at]!)
        if (width <= 0) continue
        const height = Math.min(bottom, corners[at + 3]!) - Math.max(top, corners[at + 1]!)
        if (height <= 0) continue
        const shared = width * height
        const other = (corners[at + 2]! - corners[at]!) * (corners[at + 3]! - corners[at + 1]!)
        if (shared > maxOverlap * (area + other - shared) || shared > maxCovered * Math.min(area, other)) return false
      }
      corners.set([left, top, right, bottom], kept * 4)
      groups[kept] = group
      kept += 1
      return true
    },
  }
}

/** Models waver between these for one and the same thing: a van came out twice, and so did a bird. */
const kinds: ReadonlyMap<string, string> = new Map([
  ...['car', 'truck', 'bus'].map((name) => [name, 'road vehicle'] as const),
  ...['drone', 'airplane', 'helicopter', 'bird'].map((name) => [name, 'flying object'] as const),
])

/** Classes of one group suppress each other; most classes are a group of their own. */
export function suppressionGroup(className: string): string {
  return kinds.get(className) ?? className
}

/** The groups as numbers, for classes in the order of a model's outputs. */
export function suppressionGroups(classNames: readonly (string | undefined)[]): Int32Array {
  const groups = classNames.map((name, index) => (name === undefined ? index : suppressionGroup(name)))
  return Int32Array.from(groups, (group) => groups.indexOf(group))
}
