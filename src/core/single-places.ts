/** Places that one client at a time may take: one for each name. */
export interface SinglePlaces {
  /** False when it is taken; otherwise it is free again when the connection is closed. */
  take(name: string, connection: { once(event: 'close', handler: () => void): unknown }): boolean
}

export function createSinglePlaces(): SinglePlaces {
  const taken = new Set<string>()
  return {
    take(name, connection) {
      if (taken.has(name)) return false
      taken.add(name)
      connection.once('close', () => taken.delete(name))
      return true
    },
  }
}
