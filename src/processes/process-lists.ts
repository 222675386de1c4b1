import { type Account } from '../core/account.ts'
import { type Page } from '../core/page.ts'
import { type Process } from './process.ts'
import { type ProcessPage, type ProcessStore } from './processes.store.ts'
import { type Supervisor } from './supervisor.ts'

export interface ProcessListDeps {
  readonly store: Pick<ProcessStore, 'list' | 'listOn'>
  readonly supervisor: Pick<Supervisor, 'findLive'>
}

/** Processes page by page: what runs here is as it is now, and not as it was written last. */
export function createProcessLists({ store, supervisor }: ProcessListDeps) {
  const asTheyAre = ({ items, nextCursor }: Page<Process>): Page<Process> => ({
    items: items.map((process) => supervisor.findLive(process.id)?.process ?? process),
    nextCursor,
  })

  return {
    list: async (account: Account, page: ProcessPage): Promise<Page<Process>> =>
      asTheyAre(await store.list(account.id, page)),

    /** Those that the accounts of these sources have on them: a page of each part of the list. */
    listOn: async (sourceIds: readonly string[], page: ProcessPage): Promise<Page<Process>[]> =>
      (await store.listOn(sourceIds, page)).map(asTheyAre),
  }
}
