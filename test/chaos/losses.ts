/** What arrived at a receiver. */
export interface Arrival {
  /** The same for every attempt at one notification. */
  readonly id: string
  /** Whose it is: an alert, at a process, by a channel. */
  readonly stream: string
  /** Counts up by one within its stream. */
  readonly sequence: number
  readonly body: string
}

/** After a kill numbers go on with the next hundred, so that none is used twice. */
const SEQUENCES_AT_ONCE = 100

/** How many numbers are missing between those that arrived; a jump to the next hundred is none where the service was killed. */
export function countMissing(arrivals: readonly Arrival[], mayJump: boolean): number {
  const byStream = new Map<string, Set<number>>()
  for (const { stream, sequence } of arrivals) byStream.set(stream, (byStream.get(stream) ?? new Set()).add(sequence))
  let missing = 0
  for (const sequences of byStream.values()) {
    const numbers = [...sequences].sort((a, b) => a - b)
    for (const [index, number] of numbers.entries()) {
      const holes = index === 0 ? 0 : number - numbers[index - 1]! - 1
      if (holes > 0 && !(mayJump && number % SEQUENCES_AT_ONCE === 1)) missing += holes
    }
  }
  return missing
}

/** How many of these never arrived. */
export function countBroken(
  promised: readonly Pick<Arrival, 'stream' | 'sequence'>[],
  arrivals: readonly Arrival[],
): number {
  const nameOf = ({ stream, sequence }: Pick<Arrival, 'stream' | 'sequence'>) => `${stream} ${sequence}`
  const arrived = new Set(arrivals.map(nameOf))
  return promised.filter((one) => !arrived.has(nameOf(one))).length
}

/** How many ids stand for more than one thing. What arrives twice must be the same both times. */
export function countConflicts(arrivals: readonly Arrival[]): number {
  const bodies = new Map<string, string>()
  const conflicts = new Set<string>()
  for (const { id, body } of arrivals) {
    if ((bodies.get(id) ?? body) !== body) conflicts.add(id)
    bodies.set(id, body)
  }
  return conflicts.size
}

/** How many arrived out of order, by the first arrival of each. */
export function countDisordered(arrivals: readonly Arrival[]): number {
  const known = new Set<string>()
  const highest = new Map<string, number>()
  let disordered = 0
  for (const { id, stream, sequence } of arrivals) {
    if (known.has(id)) continue
    known.add(id)
    if (sequence < (highest.get(stream) ?? 0)) disordered += 1
    else highest.set(stream, sequence)
  }
  return disordered
}
