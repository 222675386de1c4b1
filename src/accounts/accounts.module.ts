import { createAttemptLimiter } from '../core/attempt-limiter.ts'
import { type Bus } from '../core/bus.ts'
import { type Clock } from '../core/clock.ts'
import { type AppEvents } from '../core/events.ts'
import { type Db } from '../storage/database.ts'
import { type JobRunner } from '../storage/job-runner.ts'
import { type JobStore } from '../storage/jobs.store.ts'
import { createAccountService } from './accounts.service.ts'
import { createAccountStore, type AccountTokens } from './accounts.store.ts'
import { createAuthenticator } from './authenticator.ts'
import { createChildSources } from './child-sources.ts'
import { keyRevoked } from './key-revoked.ts'
import { keyRoutes } from './keys.routes.ts'
import { createLedgerStore } from './ledger.store.ts'
import { createOwners } from './owners.ts'
import { sourceRightRoutes } from './source-right.routes.ts'
import { createSourceRights } from './source-rights.ts'
import { createSourceRightStore } from './source-rights.store.ts'

export interface AccountsDeps {
  readonly db: Db
  readonly bus: Bus<AppEvents>
  readonly jobStore: JobStore
  readonly runner: Pick<JobRunner, 'wake'>
  readonly sourceTokens: AccountTokens
  readonly clock: Clock
}

/** Keys and their minutes: who somebody is, what it may do, and whose things it may handle. */
export function createAccounts({ db, bus, jobStore, runner, sourceTokens, clock }: AccountsDeps) {
  const store = createAccountStore(db, jobStore, sourceTokens)
  const ledger = createLedgerStore(db)
  const service = createAccountService({ store, ledger, clock, wakeJobs: (kind) => runner.wake(kind) })
  const limiter = createAttemptLimiter({ clock })
  const authenticator = createAuthenticator({ store, limiter, clock })
  const owners = createOwners(service)
  const rightStore = createSourceRightStore(db)
  const sourceRights = createSourceRights({ store: rightStore, owners, authenticator, clock })
  const childSources = createChildSources({ accounts: service, store: rightStore, forget: sourceRights.forget, clock })
  return {
    service,
    store,
    ledger,
    limiter,
    authenticator,
    owners,
    sourceRights,
    routes: [keyRoutes(service), sourceRightRoutes(childSources)],
    jobs: [keyRevoked(bus, store, clock)],
  }
}
