/** Lets work on the same thing be done one after the other. */
export interface Turns {
  take<T>(key: string, work: () => Promise<T>): Promise<T>
  /** Things on which something is done, or waits to be. */
  keys(): string[]
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>()
  return {
    take(key, work) {
      // What went before is done either way; its own caller gets its failure.
      const done = (last.get(key) ?? Promise.resolve()).then(work, work)
      last.set(key, done)
      const tidy = () => void (last.get(key) === done && last.delete(key))
      done.then(tidy, tidy)
      return done
    },
    keys: () => [...last.keys()],
  }
}
