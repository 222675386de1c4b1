/**
 * Who holds how many connections. An account holds those on which its key was shown last; all others are strangers', who together
 * count as one.
 */
export interface ConnectionShares<Connection> {
  readonly size: number
  /** A stranger's, until somebody is known by it. */
  add(connection: Connection, address: string): void
  give(connection: Connection, accountId: string): void
  delete(connection: Connection): void
  /**
   * Which one goes where there is no room: the oldest of the holder with the most, so that nobody keeps others out. Among strangers
   * that is the address with the most. With `mayGo` it is one of those, and its holder has such a connection.
   */
  oldestOfLargest(mayGo?: (connection: Connection) => boolean): Connection | undefined
}

export function createConnectionShares<Connection>(): ConnectionShares<Connection> {
  const strangers = new Map<string, Set<Connection>>()
  const accounts = new Map<string, Set<Connection>>()
  const places = new Map<Connection, readonly [groups: Map<string, Set<Connection>>, name: string]>()

  function put(connection: Connection, groups: Map<string, Set<Connection>>, name: string): void {
    places.set(connection, [groups, name])
    const group = groups.get(name) ?? new Set()
    groups.set(name, group.add(connection))
  }

  function take(connection: Connection): void {
    const [groups, name] = places.get(connection) ?? []
    const group = groups?.get(name!)
    if (group?.delete(connection) && group.size === 0) groups!.delete(name!)
    places.delete(connection)
  }

  function strangersSize(): number {
    let size = places.size
    for (const group of accounts.values()) size -= group.size
    return size
  }

  return {
    get size() {
      return places.size
    },
    add: (connection, address) => put(connection, strangers, address),
    give(connection, accountId) {
      const [groups, name] = places.get(connection) ?? []
      if (!groups || (groups === accounts && name === accountId)) return
      take(connection)
      put(connection, accounts, accountId)
    },
    delete: take,
    oldestOfLargest(mayGo = () => true) {
      const known = findInLargest(accounts, mayGo)
      const stranger = findInLargest(strangers, mayGo)
      const choice = stranger && strangersSize() >= (known?.size ?? 0) ? stranger : known
      return choice?.oldest
    },
  }
}

/** The oldest that may go of the largest group that has one. */
function findInLargest<T>(
  groups: ReadonlyMap<string, ReadonlySet<T>>,
  mayGo: (connection: T) => boolean,
): { readonly oldest: T; readonly size: number } | undefined {
  let found: { readonly oldest: T; readonly size: number } | undefined
  for (const group of groups.values()) {
    if (group.size <= (found?.size ?? 0)) continue
    for (const oldest of group) {
      if (!mayGo(oldest)) continue
      found = { oldest, size: group.size }
      break
    }
  }
  return found
}
