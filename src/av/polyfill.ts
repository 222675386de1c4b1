/** node-av uses `Promise.withResolvers`, which Node 20 lacks; without it decoding silently yields nothing. Import this first. */
declare global {
  interface PromiseConstructor {
    withResolvers<T>(this: void): {
      promise: Promise<T>
      resolve: (value: T | PromiseLike<T>) => void
      reject: (reason?: unknown) => void
    }
  }
}

Promise.withResolvers ??= function withResolvers<T>() {
  let resolve!: (value: T | PromiseLike<T>) => void
  let reject!: (reason?: unknown) => void
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve
    reject = onReject
  })
  return { promise, resolve, reject }
}

export {}
