import { z } from 'zod'
import { type SharedAttemptLimiter } from '../core/attempt-limiter.ts'
import { type Clock } from '../core/clock.ts'
import { inMessages } from '../core/message-parts.ts'
import { type Topic } from '../core/node-exchange.ts'
import { type Exchange } from './exchange.ts'

/** Wrong credentials are counted for the service: what an address has tried at one node, it has tried at all. */
export interface SharedAttempts {
  close(): void
}

export interface SharedAttemptsDeps {
  readonly exchange: Pick<Exchange, 'publish' | 'subscribe'>
  readonly limiter: Pick<SharedAttemptLimiter, 'onTry' | 'addTries'>
  readonly clock: Pick<Clock, 'sleep'>
}

/** So that somebody who guesses at full speed makes few messages. */
const GATHER_MS = 100
/** At once. Of more addresses at once than this, the others' tries count only where they were made. */
const MAX_ADDRESSES = 1_000

const Tries = z.object({ address: z.string().min(1).max(64), count: z.int().min(1).max(1_000) })
const tries: Topic<z.infer<typeof Tries>[]> = { name: 'wrong-credentials', schema: z.array(Tries).max(MAX_ADDRESSES) }

/** While NATS is away, each node counts by itself: nothing of it is stored anywhere. */
export function createSharedAttempts({ exchange, limiter, clock }: SharedAttemptsDeps): SharedAttempts {
  const closing = new AbortController()
  const gathered = new Map<string, number>()

  async function publishSoon(): Promise<void> {
    await clock.sleep(GATHER_MS, closing.signal)
    const message = [...gathered].map(([address, count]) => ({ address, count }))
    gathered.clear()
    if (closing.signal.aborted) return
    for (const part of inMessages(message)) exchange.publish(tries, part)
  }

  limiter.onTry((address) => {
    if (!gathered.has(address) && gathered.size >= MAX_ADDRESSES) return
    gathered.set(address, (gathered.get(address) ?? 0) + 1)
    if (gathered.size === 1 && gathered.get(address) === 1) void publishSoon()
  })
  exchange.subscribe(tries, (received) => {
    for (const { address, count } of received) limiter.addTries(address, count)
  })
  return { close: () => closing.abort() }
}
