import { once } from './once.ts'

/** Places that several accounts share. */
export interface SharedPlaces {
  /** How to give the place back; undefined when there is none for this holder. */
  take(holder: string): (() => void) | undefined
}

/** Nobody may hold more places than are left free by it, so that the next one always finds some; nor more than `maxOfOne`. */
export function createSharedPlaces(count: number, maxOfOne = count): SharedPlaces {
  const held = new Map<string, number>()
  let free = count

  return {
    take(holder) {
      const own = held.get(holder) ?? 0
      if (own >= free || own >= maxOfOne) return undefined
      free--
      held.set(holder, own + 1)
      return once(() => {
        free++
        const rest = held.get(holder)! - 1
        if (rest === 0) held.delete(holder)
        else held.set(holder, rest)
      })
    },
  }
}
