import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type CountingSource, type GivenSource, type SourceRight, type SourceRights } from '../core/source-rights.ts'
import { type Authenticator } from './authenticator.ts'
import { type createOwners } from './owners.ts'
import { createShortMemory } from './short-memory.ts'
import { type SourceRightStore } from './source-rights.store.ts'

export interface SourceRightsDeps {
  readonly store: Pick<SourceRightStore, 'find' | 'findByProcess' | 'listByPath' | 'listAll'>
  readonly owners: Pick<ReturnType<typeof createOwners>, 'resolve' | 'mayUse'>
  readonly authenticator: Pick<Authenticator, 'byId'>
  readonly clock: Clock
}

/** Whose answers are a moment old at the most. */
export interface RememberedRights extends SourceRights {
  readonly forget: (accountId: string) => void
}

/** Short enough that what is asked about every three seconds (`RECHECK_MS`) ends within five, at every node. */
const REMEMBERED_MS = 2_000
/** Beyond this the one that was asked about longest ago is asked about again. */
const MAX_REMEMBERED = 10_000

export function createSourceRights({ store, owners, authenticator, clock }: SourceRightsDeps): RememberedRights {
  const remembered = createShortMemory<CountingSource | undefined>({ forMs: REMEMBERED_MS, max: MAX_REMEMBERED, clock })

  /** With a key that is revoked or expired, nothing that it has given counts. */
  const findCounting = (accountId: string): Promise<Account | undefined> =>
    authenticator.byId(accountId).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      return undefined
    })

  async function withOwner(given: GivenSource | undefined): Promise<CountingSource | undefined> {
    const owner = given && (await findCounting(given.ownerId))
    return owner && { ...given, owner }
  }

  const findGiven = ({ id }: Account, sourceId: string) =>
    remembered.find(`${id}\nsource\n${sourceId}`, async () => withOwner(await store.find(id, sourceId)))

  function ownerBy(caller: Account, given: CountingSource | undefined, right: SourceRight): Account {
    if (!given) return caller
    if (!given.rights.includes(right)) throw new AppError('right-missing', { right })
    return given.owner
  }

  return {
    async ownerFor(caller, sourceId, right, username) {
      if (username !== undefined) return owners.resolve(caller, username)
      return ownerBy(caller, await findGiven(caller, sourceId), right)
    },
    async ownerForProcess(caller, processId, right, username) {
      if (username !== undefined) return owners.resolve(caller, username)
      const find = async () => withOwner(await store.findByProcess(caller.id, processId))
      return ownerBy(caller, await remembered.find(`${caller.id}\nprocess\n${processId}`, find), right)
    },
    findGiven,
    forget: (accountId) => remembered.forget(`${accountId}\n`),
    async mayWatch(accountId, path) {
      const account = await findCounting(accountId)
      if (!account) return false
      const username = ownerOfPath(path)
      if (await owners.mayUse(account, username)) return true
      for (const { ownerId, rights } of await store.listByPath(accountId, path)) {
        if (!rights.includes('watch')) continue
        const owner = await findCounting(ownerId)
        // A source may be on a path that its account has no right to any more.
        if (owner && (await owners.mayUse(owner, username))) return true
      }
      return false
    },
    async listGiven(accountId) {
      const given = await store.listAll(accountId)
      const ownerIds = [...new Set(given.map(({ ownerId }) => ownerId))]
      const found = await Promise.all(ownerIds.map(findCounting))
      const counting = new Map(found.map((owner) => [owner?.id, owner]))
      return given.flatMap((one) => {
        const owner = counting.get(one.ownerId)
        return owner ? [{ ...one, owner }] : []
      })
    },
  }
}
