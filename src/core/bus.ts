/**
 * How features notify each other of what happened without knowing each other. Handlers run at once, in the
 * order in which they came; one that fails is reported and never reaches the others or the emitter.
 */
export interface Bus<Events extends object> {
  emit<Name extends keyof Events>(name: Name, event: Events[Name]): void
  /** For an emitter that must be sure: resolves when every handler has ended, and rejects if one failed. */
  deliver<Name extends keyof Events>(name: Name, event: Events[Name]): Promise<void>
  /** Returns the function that ends the subscription. */
  on<Name extends keyof Events>(name: Name, handler: (event: Events[Name]) => void | Promise<void>): () => void
}

export type BusErrorHandler = (error: unknown, eventName: string) => void

export function createBus<Events extends object>(onError: BusErrorHandler): Bus<Events> {
  type Handler = (event: never) => void | Promise<void>
  const handlers = new Map<keyof Events, Set<Handler>>()

  async function run(handler: Handler, name: keyof Events, event: unknown): Promise<boolean> {
    try {
      await handler(event as never)
      return true
    } catch (error) {
      onError(error, String(name))
      return false
    }
  }

  const runAll = (name: keyof Events, event: unknown) =>
    Promise.all([...(handlers.get(name) ?? [])].map((handler) => run(handler, name, event)))

  return {
    emit: (name, event) => void runAll(name, event),
    async deliver(name, event) {
      const outcomes = await runAll(name, event)
      if (outcomes.includes(false)) throw new Error(`Not everyone could handle ${String(name)}.`)
    },
    on(name, handler) {
      const set = handlers.get(name) ?? new Set<Handler>()
      handlers.set(name, set.add(handler))
      return () => set.delete(handler)
    },
  }
}
