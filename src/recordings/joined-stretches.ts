import { type Stretch } from '../core/recorded-time.ts'

/** In order, and apart. */
export type JoinedStretches = readonly Stretch[]

/** More are not held apart: the two oldest become one, with what is between them. */
const MAX_STRETCHES = 500

/** What touches becomes one. */
export function addStretch(stretches: JoinedStretches, added: Stretch): JoinedStretches {
  const last = stretches.at(-1)
  // Most of what comes goes on with what came last.
  if (last && last.from <= added.from && added.to <= last.to) return stretches
  const before = stretches.filter(({ to }) => to < added.from)
  const after = stretches.filter(({ from }) => from > added.to)
  const touching = stretches.slice(before.length, stretches.length - after.length)
  const from = Math.min(added.from, ...touching.map((one) => one.from))
  const to = Math.max(added.to, ...touching.map((one) => one.to))
  return bounded([...before, { from, to }, ...after])
}

export const joinAll = (stretches: Iterable<Stretch>): JoinedStretches => [...stretches].reduce(addStretch, [])

function bounded(stretches: JoinedStretches): JoinedStretches {
  const [first, second, ...others] = stretches
  if (stretches.length <= MAX_STRETCHES || !first || !second) return stretches
  return [{ from: first.from, to: second.to }, ...others]
}
