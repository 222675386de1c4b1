import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type SourceRight, sourceRights } from '../core/source-rights.ts'
import { type AccountService } from './accounts.service.ts'
import { type SourceRightStore, type StoredRights } from './source-rights.store.ts'

export interface ChildSourcesDeps {
  readonly accounts: Pick<AccountService, 'findChild'>
  readonly store: Pick<SourceRightStore, 'put' | 'remove' | 'listPage'>
  /** This node must not go by what it knew. */
  readonly forget: (accountId: string) => void
  readonly clock: Clock
}

export type ChildSources = ReturnType<typeof createChildSources>

/** What a master gives its children on single sources, its own or those of its children, and takes again. */
export function createChildSources({ accounts, store, forget, clock }: ChildSourcesDeps) {
  return {
    async list(master: Account, username: string, page: PageRequest): Promise<Page<StoredRights>> {
      return store.listPage((await accounts.findChild(master, username)).id, page)
    },

    async give(master: Account, username: string, sourceId: string, rights: readonly SourceRight[]) {
      const { id } = await accounts.findChild(master, username)
      const inOrder = sourceRights.filter((right) => rights.includes(right))
      const given = await store.put(master.id, id, { sourceId, rights: inOrder, createdAt: clock.now() })
      if (!given) throw new AppError('source-not-found', { source_uuid: sourceId })
      forget(id)
      return given
    },

    async take(master: Account, username: string, sourceId: string): Promise<void> {
      const { id } = await accounts.findChild(master, username)
      const wereThere = await store.remove(id, sourceId)
      if (!wereThere) throw new AppError('source-right-not-found', { username, source_uuid: sourceId })
      forget(id)
    },
  }
}
