import { type AttemptLimiter } from '../core/attempt-limiter.ts'
import { type Clock } from '../core/clock.ts'
import { type OwnNode } from '../core/own-node.ts'
import { type Db } from '../storage/database.ts'
import { type CodesOfNodes, createCodesOfNodes, type OtherNodes } from './codes-of-nodes.ts'
import { type SessionRouteDeps, sessionRoutes } from './sessions.routes.ts'
import { createSessionService, type SessionDeps } from './sessions.service.ts'
import { createSessionStore } from './sessions.store.ts'
import { createSignInCodes } from './sign-in-codes.ts'

export interface SessionsDeps {
  readonly db: Db
  readonly keys: SessionDeps['keys']
  readonly limiter: AttemptLimiter
  readonly knownCredentials: SessionRouteDeps['knownCredentials']
  /** Of a cluster; a service that is alone is none. */
  readonly node: OwnNode | null
  readonly clock: Clock
}

/** Browsers that are signed in: a cookie in the place of a key. */
export function createSessions({ db, keys, limiter, knownCredentials, node, clock }: SessionsDeps) {
  const own = createSignInCodes(clock)
  let codes: CodesOfNodes = { issue: (keySha256) => own.issue(keySha256), take: async (code) => own.take(code) }
  const service = createSessionService({
    store: createSessionStore(db),
    codes: { issue: (keySha256) => codes.issue(keySha256), take: (code) => codes.take(code) },
    keys,
    limiter,
    clock,
  })
  return {
    service,
    routes: [sessionRoutes({ sessions: service, knownCredentials })],
    /** From now on each signs in with the codes of all. */
    joinNodes(others: OtherNodes): void {
      if (node) codes = createCodesOfNodes(own, node.id, others)
    },
  }
}
