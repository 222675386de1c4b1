import { type Random } from './random.ts'

const MAX_PARTS = 1_000

/** The parts of a session or a file left out, repeated, swapped or in another order; often as they are. */
export function mutateOrder<Part>(parts: readonly Part[], random: Random): Part[] {
  let result = [...parts]
  for (let left = random.pick([0, 0, 1, 1, 2, 4]); left > 0; left--) result = change(result, random)
  return result.slice(0, MAX_PARTS)
}

function change<Part>(parts: Part[], random: Random): Part[] {
  const at = random.below(parts.length)
  const length = 1 + random.below(3)
  const [before, taken, after] = [parts.slice(0, at), parts.slice(at, at + length), parts.slice(at + length)]
  switch (random.below(5)) {
    case 0:
      return [...before, ...after]
    case 1:
      return [...before, ...taken, ...taken, ...after]
    case 2:
      return [...before, ...taken.toReversed(), ...after]
    case 3:
      return [...after, ...taken, ...before]
    default: {
      // Many of them now and then only: they take long.
      const times = random.oneIn(12) ? 400 : random.pick([2, 3, 6])
      return [...before, ...Array.from({ length: times }, () => taken).flat(), ...after]
    }
  }
}
