/**
 * The promise, or a rejection as soon as the signal is aborted; what the promise becomes is ignored then. Not by `Promise.race`, which
 * would leave something on the signal each time.
 */
export function unlessAborted<T>(
  promise: Promise<T>,
  signal: AbortSignal | undefined,
  error = () => new Error('It is not wanted any more.'),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(error())
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', onAbort))
  })
}
