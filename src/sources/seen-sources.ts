import { type Account } from '../core/account.ts'
import { mergePages } from '../core/merge-pages.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { type Source } from './source.ts'
import { type SourceView } from './sources.schema.ts'
import { type SourceService } from './sources.service.ts'

export interface SeenSourcesDeps {
  readonly sources: Pick<SourceService, 'find' | 'list' | 'listByIds'>
  /** The account whose sources are listed: the caller's, or a child's that a master names. */
  readonly owners: { resolve(caller: Account, username: string | undefined): Promise<Account> }
  /** What the caller has rights on, of what belongs to others. */
  readonly rights: Pick<SourceRights, 'findGiven' | 'listGiven'>
}

export interface SeenSource {
  readonly source: Source
  readonly view: SourceView
}

/** Ids are in the order of time. */
const newestFirst = (id: string, other: string) => (id < other ? 1 : -1)

/** Which sources a caller sees, and as whose: its own, those that it has rights on, and a master those of a child that it names. */
export function createSeenSources({ sources, owners, rights }: SeenSourcesDeps) {
  async function listOf(owner: Account, page: PageRequest): Promise<Page<SeenSource>> {
    const { items, nextCursor } = await sources.list(owner, page)
    return { items: items.map(ownedBy(owner)), nextCursor }
  }

  async function listGiven(caller: Account, page: PageRequest): Promise<Page<SeenSource>> {
    const given = await rights.listGiven(caller.id)
    const viewOf = new Map(given.map((one) => [one.sourceId, { owner: one.owner.username, rights: one.rights }]))
    const { limit, cursor } = page
    const wanted = [...viewOf.keys()].filter((id) => cursor === undefined || id < cursor).sort(newestFirst)
    const found = await sources.listByIds(wanted.slice(0, limit))
    const items = found.map((source) => ({ source, view: viewOf.get(source.id)! }))
    return { items, nextCursor: wanted.length > limit ? wanted[limit - 1] : undefined }
  }

  return {
    /** One's own and those of others in one list. */
    async list(caller: Account, page: PageRequest, username: string | undefined): Promise<Page<SeenSource>> {
      if (username !== undefined) return listOf(await owners.resolve(caller, username), page)
      const pages = await Promise.all([listOf(caller, page), listGiven(caller, page)])
      return mergePages(pages, page.limit, { cursorOf: ({ source }) => source.id, compare: newestFirst })
    },

    async find(caller: Account, sourceId: string, username: string | undefined): Promise<SeenSource> {
      const given = username === undefined ? await rights.findGiven(caller, sourceId) : undefined
      const owner = given?.owner ?? (await owners.resolve(caller, username))
      const source = await sources.find(owner, sourceId)
      return given ? { source, view: { owner: owner.username, rights: given.rights } } : ownedBy(owner)(source)
    },
  }
}

export const ownedBy =
  ({ username }: Account) =>
  (source: Source): SeenSource => ({ source, view: { owner: username, rights: null } })
