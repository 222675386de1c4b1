import { type Account } from '../core/account.ts'
import { type Clock, toZulu } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type KeptFile } from '../core/kept-file.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { FILE_LINK_MS, type LinkSigner } from '../core/signed-token.ts'
import { stillCounts } from '../core/standing-rights.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type RecordingStore, type RecordingWithSegments } from './recordings.store.ts'
import { type SegmentStore } from './segments.store.ts'

export interface RecordingServiceDeps {
  readonly places: Pick<FilePlaces, 'kept'>
  readonly store: Pick<RecordingStore, 'list'>
  readonly segments: Pick<SegmentStore, 'find'>
  readonly signer: LinkSigner
  /** Rejects when the key is revoked or has expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  readonly clock: Clock
}

export type RecordingService = ReturnType<typeof createRecordingService>

export function createRecordingService(deps: RecordingServiceDeps) {
  const { places, store, segments, signer, findAccount, clock } = deps

  return {
    list: (account: Account, sourceId: string | undefined, page: PageRequest): Promise<Page<RecordingWithSegments>> =>
      store.list(account.id, sourceId, page),

    /** A link that works by itself in a browser, which can't send a key. */
    downloadUrl: (baseUrl: string, segmentId: string): string =>
      `${baseUrl}/sources/recordings/segments/${segmentId}.mp4?token=${signer.sign(segmentId, clock.now() + FILE_LINK_MS)}`,

    /** The node that alone has the file of a segment; whatever a link leads to that is not ours is looked for nowhere. */
    async nodeOf(segmentId: string, token: string): Promise<string | undefined> {
      if (!signer.isValid(segmentId, token, clock.now())) return undefined
      const segment = await segments.find(segmentId)
      if (!segment?.nodeId || (await places.kept(segment.file).inStore())) return undefined
      return segment.nodeId
    },

    async findFile(segmentId: string, token: string): Promise<{ file: KeptFile; downloadName: string }> {
      if (!signer.isValid(segmentId, token, clock.now())) throw new AppError('link-expired')
      const segment = await segments.find(segmentId)
      if (!segment) throw new AppError('recording-not-found')
      // A link ends with the key whose video it is.
      if (!(await stillCounts(findAccount(segment.accountId)))) throw new AppError('link-expired')
      const start = toZulu(segment.startedAt).slice(0, 19).replaceAll(':', '-')
      return {
        file: places.kept(segment.file),
        downloadName: `${segment.alias.replace(/[^\w.-]+/g, '_')}-${start}.mp4`,
      }
    },
  }
}
