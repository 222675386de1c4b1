/** Places that one client at a time may take: one for each name. */
export interface ExclusiveSlots {
  /** False when it is taken, or the client has left; otherwise it is free again when the connection is closed. */
  take(name: string, connection: Connection): boolean
}

interface Connection {
  readonly destroyed: boolean
  once(event: 'close', handler: () => void): unknown
}

export function createExclusiveSlots(): ExclusiveSlots {
  const taken = new Set<string>()
  return {
    take(name, connection) {
      // A connection that is closed already emits no further close: the slot would stay taken.
      if (taken.has(name) || connection.destroyed) return false
      taken.add(name)
      connection.once('close', () => taken.delete(name))
      return true
    },
  }
}
