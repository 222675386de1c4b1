import { type Account } from '../core/account.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type PictureFiles } from './picture-files.ts'
import { readPatch } from './read-patch.ts'
import { type FoundTrack, fromCursor, type TrackSearch } from './track-search.ts'
import { type TrackSearchStore } from './track-search.store.ts'

export interface TrackSearchDeps {
  readonly store: TrackSearchStore
  readonly files: Pick<PictureFiles, 'read'>
  /** Resolves when what an account's processes saw so far is written, or can't be. */
  readonly flush: (filter: { readonly accountId: string }) => Promise<void>
}

export interface SearchRequest {
  readonly page: PageRequest
  /** Nobody waits for the answer any more. */
  readonly signal: AbortSignal
}

export type TrackSearchService = ReturnType<typeof createTrackSearchService>

/** Finds tracks among all that an account's processes saw. */
export function createTrackSearchService({ store, files, flush }: TrackSearchDeps) {
  async function withPatch(track: FoundTrack): Promise<FoundTrack> {
    return { ...track, patch: track.patchRow ? await readPatch(files, track.patchRow) : undefined }
  }

  return {
    withPatch,

    async search(account: Account, search: TrackSearch, { page, signal }: SearchRequest): Promise<Page<FoundTrack>> {
      await flush({ accountId: account.id })
      const after = page.cursor === undefined ? undefined : fromCursor(page.cursor)
      return store.search(account.id, search, { limit: page.limit, after, signal })
    },
  }
}
