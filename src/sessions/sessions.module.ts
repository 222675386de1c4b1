import { type AttemptLimiter } from '../core/attempt-limiter.ts'
import { type Clock } from '../core/clock.ts'
import { type Db } from '../storage/database.ts'
import { type SessionRouteDeps, sessionRoutes } from './sessions.routes.ts'
import { createSessionService, type SessionDeps } from './sessions.service.ts'
import { createSessionStore } from './sessions.store.ts'
import { createSignInCodes } from './sign-in-codes.ts'

export interface SessionsDeps {
  readonly db: Db
  readonly keys: SessionDeps['keys']
  readonly limiter: AttemptLimiter
  readonly knownCredentials: SessionRouteDeps['knownCredentials']
  readonly clock: Clock
}

/** Browsers that are signed in: a cookie in the place of a key. */
export function createSessions({ db, keys, limiter, knownCredentials, clock }: SessionsDeps) {
  const service = createSessionService({
    store: createSessionStore(db),
    codes: createSignInCodes(clock),
    keys,
    limiter,
    clock,
  })
  return { service, routes: [sessionRoutes({ sessions: service, knownCredentials })] }
}
