/** Lets so many through at once; the others wait in their order. */
export interface InFlightWindow {
  /** Resolves when there is room. */
  enter(): Promise<void>
  leave(): void
}

/** The bound may change: it is read whenever somebody enters or leaves. */
export function createInFlightWindow(maxInFlight: () => number): InFlightWindow {
  const waiting: (() => void)[] = []
  let inFlight = 0

  /** Counted here and not by those that wait: others could enter before they go on. */
  function admit(): void {
    while (waiting.length > 0 && inFlight < maxInFlight()) {
      inFlight += 1
      waiting.shift()!()
    }
  }

  return {
    enter: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        admit()
      }),
    leave() {
      inFlight -= 1
      admit()
    },
  }
}
