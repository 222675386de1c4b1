import { type Account } from './account.ts'
import { inputInvalid } from './refusals.ts'
import { type SourceRight, type SourceRights } from './source-rights.ts'

/** What a list is asked for; what is left out does not matter. */
export interface SearchedFor {
  readonly username?: string | undefined
  readonly sourceId?: string | undefined
  /** Several of them; in the place of one. */
  readonly sourceIds?: readonly string[] | undefined
  readonly processId?: string | undefined
}

/** Among whose things a list is searched. */
export interface SearchedOwner {
  readonly owner: Account
  /** Nothing else of it. */
  readonly sourceId: string | undefined
  /** What the caller was given on that source; null where it is its own, or its child's. */
  readonly rights: readonly SourceRight[] | null
}

export interface SearchedOwnersDeps {
  /** Whose things are asked for: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
  readonly rights: Pick<SourceRights, 'ownerFor' | 'ownerForProcess' | 'findGiven' | 'listGiven'>
}

export type ListSearchedOwners = (
  caller: Account,
  right: SourceRight,
  wanted: SearchedFor,
) => Promise<readonly SearchedOwner[]>

/** Each is a search of its own. */
export const MAX_SEARCHED_SOURCES = 50

/** Where a list is searched that has what belongs to the caller and what it was given the right to see. */
export function createSearchedOwners({ owners, rights }: SearchedOwnersDeps): ListSearchedOwners {
  async function listAll(caller: Account, right: SourceRight): Promise<readonly SearchedOwner[]> {
    const given = (await rights.listGiven(caller.id)).filter((one) => one.rights.includes(right))
    if (given.length > MAX_SEARCHED_SOURCES) {
      const message = `This key has the right ${right} on ${given.length} sources: name one. At most ${MAX_SEARCHED_SOURCES} are searched at once.`
      throw inputInvalid([{ path: 'query.source_uuid', message }])
    }
    return [{ owner: caller, sourceId: undefined, rights: null }, ...given]
  }

  async function bySource(caller: Account, right: SourceRight, sourceId: string): Promise<SearchedOwner> {
    const owner = await rights.ownerFor(caller, sourceId, right)
    const given = await rights.findGiven(caller, sourceId)
    return { owner, sourceId, rights: given?.rights ?? null }
  }

  return async (caller, right, { username, sourceId, sourceIds, processId }) => {
    const named = sourceIds ?? (sourceId === undefined ? undefined : [sourceId])
    if (username !== undefined) {
      const owner = await owners.resolve(caller, username)
      return (named ?? [undefined]).map((one) => ({ owner, sourceId: one, rights: null }))
    }
    if (named) return Promise.all(named.map((one) => bySource(caller, right, one)))
    if (processId === undefined) return listAll(caller, right)
    const owner = await rights.ownerForProcess(caller, processId, right)
    return [{ owner, sourceId: undefined, rights: owner.id === caller.id ? null : [right] }]
  }
}
