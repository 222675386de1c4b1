/** Those who wait, by owner: owners take turns, however many of one wait; an owner's own come in their order. */
export interface OwnerLine<T, Owner = string> {
  readonly size: number
  push(owner: Owner, item: T): void
  /** The next one. */
  shift(): T | undefined
  remove(owner: Owner, item: T): void
}

export function createOwnerLine<T, Owner = string>(): OwnerLine<T, Owner> {
  /** Whose turn is next stands first. */
  const owners = new Map<Owner, Set<T>>()
  let size = 0

  function remove(owner: Owner, item: T): void {
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
