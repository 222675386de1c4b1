import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type GivenSource, type SourceRight, type SourceRights } from '../core/source-rights.ts'
import { type Authenticator } from './authenticator.ts'
import { type createOwners } from './owners.ts'
import { type SourceRightStore } from './source-rights.store.ts'

export interface SourceRightsDeps {
  readonly store: SourceRightStore
  readonly owners: Pick<ReturnType<typeof createOwners>, 'resolve' | 'mayUse'>
  readonly authenticator: Pick<Authenticator, 'byId'>
}

export function createSourceRights({ store, owners, authenticator }: SourceRightsDeps): SourceRights {
  /** With a key that is revoked or expired, nothing that it has given counts. */
  const findCounting = (accountId: string): Promise<Account | undefined> =>
    authenticator.byId(accountId).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error
      return undefined
    })

  async function ownerBy(caller: Account, given: GivenSource | undefined, right: SourceRight): Promise<Account> {
    const owner = given && (await findCounting(given.ownerId))
    if (!owner) return caller
    if (!given.rights.includes(right)) throw new AppError('right-missing', { right })
    return owner
  }

  return {
    async ownerFor(caller, sourceId, right, username) {
      if (username !== undefined) return owners.resolve(caller, username)
      return ownerBy(caller, await store.find(caller.id, sourceId), right)
    },
    async ownerForProcess(caller, processId, right, username) {
      if (username !== undefined) return owners.resolve(caller, username)
      return ownerBy(caller, await store.findByProcess(caller.id, processId), right)
    },
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
      const counting = new Set((await Promise.all(ownerIds.map(findCounting))).map((owner) => owner?.id))
      return given.filter(({ ownerId }) => counting.has(ownerId))
    },
  }
}
