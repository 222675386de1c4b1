/** Acts the first time only; every later call answers what the first one did. */
export function once<T>(act: () => T): () => T {
  let isDone = false
  let outcome: T
  return () => {
    if (!isDone) {
      isDone = true
      outcome = act()
    }
    return outcome
  }
}
