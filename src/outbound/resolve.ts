import { lookup } from 'node:dns/promises'

export interface HostAddress {
  readonly address: string
  readonly family: number
}

/** All addresses of a name. */
export type Resolve = (hostname: string) => Promise<readonly HostAddress[]>

export const resolveByDns: Resolve = (hostname) => lookup(hostname, { all: true })

/**
 * Looks names up for many callers in one process. A lookup takes a thread of the few that files are read with too, and a
 * name whose server says nothing keeps it for long: so there are few at a time, one of each caller, and who waits is let
 * go after a while.
 */
export interface SharedResolver {
  for(callerId: string): Resolve
}

export interface SharedResolverOptions {
  readonly resolve?: Resolve
  readonly maxAtOnce?: number
  readonly maxWaiting?: number
  readonly withinMs?: number
}

const MAX_AT_ONCE = 2
const MAX_WAITING = 200
const WITHIN_MS = 5_000

export function createSharedResolver(options: SharedResolverOptions = {}): SharedResolver {
  const { resolve = resolveByDns, maxAtOnce = MAX_AT_ONCE, maxWaiting = MAX_WAITING, withinMs = WITHIN_MS } = options
  const busy = new Set<string>()
  const waiting: { readonly callerId: string; readonly start: () => void }[] = []

  function startNext(): void {
    while (busy.size < maxAtOnce) {
      const index = waiting.findIndex(({ callerId }) => !busy.has(callerId))
      if (index < 0) return
      const [next] = waiting.splice(index, 1)
      busy.add(next!.callerId)
      next!.start()
    }
  }

  return {
    for: (callerId) => (hostname) =>
      new Promise((settle, reject) => {
        if (waiting.length >= maxWaiting) return reject(new Error('Too many names are being looked up.'))
        const timer = setTimeout(() => {
          const index = waiting.findIndex((one) => one.start === start)
          if (index >= 0) waiting.splice(index, 1)
          reject(new Error(`${hostname} could not be looked up within ${withinMs / 1000} s.`))
        }, withinMs)
        const start = () => {
          resolve(hostname)
            .then(settle, reject)
            .finally(() => {
              clearTimeout(timer)
              busy.delete(callerId)
              startNext()
            })
        }
        waiting.push({ callerId, start })
        startNext()
      }),
  }
}
