/** Those who wait, by owner: owners take turns, however many of one wait; an owner's own come in their order. */
export interface OwnerLine<T> {
  readonly size: number
  push(owner: string, item: T): void
  /** Whoever is next. */
  shift(): T | undefined
  remove(owner: string, item: T): void
}

export function createOwnerLine<T>(): OwnerLine<T> {
  /** Whose turn is next stands first. */
  const owners = new Map<string, Set<T>>()
  let size = 0

  function remove(owner: string, item: T): void {
    const own = owners.get(owner)
    if (!own?.delete(item)) return
    size--
    if (own.size === 0) owners.delete(owner)
  }

  return {
    get size() {
      return size
    },
    remove,
    push(owner, item) {
      const own = owners.get(owner) ?? new Set()
      owners.set(owner, own.add(item))
      size++
    },
    shift() {
      const [first] = owners
      if (!first) return undefined
      const [owner, own] = first
      const [item] = own
      // To the end of the line, unless none of theirs is left.
      owners.delete(owner)
      owners.set(owner, own)
      remove(owner, item!)
      return item
    },
  }
}
