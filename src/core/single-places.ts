/** Places that one client at a time may take: one for each name. */
export interface SinglePlaces {
  /** False when it is taken, or whoever asked has left; otherwise it is free again when the connection is closed. */
  take(name: string, connection: Connection): boolean
}

interface Connection {
  readonly destroyed: boolean
  once(event: 'close', handler: () => void): unknown
}

export function createSinglePlaces(): SinglePlaces {
  const taken = new Set<string>()
  return {
    take(name, connection) {
      // Of a connection that is closed already no close will be told: the place would stay taken.
      if (taken.has(name) || connection.destroyed) return false
      taken.add(name)
      connection.once('close', () => taken.delete(name))
      return true
    },
  }
}
