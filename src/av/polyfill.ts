import { createDeferred } from '../core/deferred.ts'

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

Promise.withResolvers ??= createDeferred as typeof Promise.withResolvers
