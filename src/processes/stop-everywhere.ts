import { z } from 'zod'
import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type NodeExchange, type RequestTopic } from '../core/node-exchange.ts'
import { type ProcessNodesStore } from '../storage/process-nodes.store.ts'
import { type ProcessService } from './processes.service.ts'

/** Stops all processes of an account; answers which these were. */
export type StopAll = (account: Pick<Account, 'id'>) => Promise<string[]>

export interface StopEverywhereDeps {
  readonly processes: Pick<ProcessService, 'stopAll'>
  readonly store: Pick<ProcessNodesStore, 'listElsewhere'>
  readonly exchange: Pick<NodeExchange, 'request' | 'handle'>
}

const RETRY_AFTER_SECONDS = 2

const stopProcesses: RequestTopic<{ accountId: string }, string[]> = {
  name: 'stop-processes',
  schema: z.object({ accountId: z.string() }),
  responseSchema: z.array(z.uuid()),
}

/** Each node stops its own. When one cannot be reached, all others have been asked before the caller learns of it. */
export function createStopEverywhere({ processes, store, exchange }: StopEverywhereDeps): StopAll {
  exchange.handle(stopProcesses, ({ accountId }) => processes.stopAll({ id: accountId }))

  return async ({ id }) => {
    const elsewhere = await store.listElsewhere(id)
    const nodes = new Set(elsewhere.flatMap(({ nodeId }) => nodeId ?? []))
    const outcomes = await Promise.allSettled([
      processes.stopAll({ id }),
      ...[...nodes].map((node) => exchange.request(node, stopProcesses, { accountId: id })),
    ])
    const failed = outcomes.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
    // Those are about to be given to a node, which then goes on with them.
    if (elsewhere.some(({ nodeId }) => nodeId === null)) throw changing()
    return outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []))
  }
}

function changing(): AppError {
  const options = { retryAfterSeconds: RETRY_AFTER_SECONDS }
  return new AppError('node-changing', { retry_after_seconds: RETRY_AFTER_SECONDS }, options)
}
