import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type EventLinks } from '../core/event-links.ts'
import { stillCounts } from '../core/standing-rights.ts'
import { type PictureFiles } from './picture-files.ts'
import { type PictureStore } from './pictures.store.ts'
import { readPatch } from './read-patch.ts'
import { type Report } from './report.ts'
import { type ReportService } from './reports.service.ts'
import { type SeenTrack, type TrackFactStore } from './track-facts.store.ts'

export interface TrackPictureDeps {
  readonly reports: Pick<ReportService, 'find'>
  readonly tracks: TrackFactStore
  readonly pictures: Pick<PictureStore, 'listOf'>
  readonly files: Pick<PictureFiles, 'read'>
  readonly links: Pick<EventLinks, 'isValid'>
  /** Rejects when the key is revoked or has expired. */
  readonly findAccount: (accountId: string) => Promise<unknown>
  readonly clock: Clock
}

export interface PicturedTrack {
  readonly processId: string
  readonly trackId: number
}

export type TrackPictureService = ReturnType<typeof createTrackPictureService>

/** So long after a track was first seen its first picture may still come. */
const PICTURE_WITHIN_MS = 5_000

/** The best picture of a track, for who has its key or a link. */
export function createTrackPictureService(deps: TrackPictureDeps) {
  const { reports, tracks, pictures, files, links, findAccount, clock } = deps
  const isLinked = (track: PicturedTrack, token: string) => links.isValid({ kind: 'track-picture', ...track }, token)

  /** By the stream's clock, since that dates tracks; and what was heard of it is not old by ours. */
  function isNew({ firstSeenAt }: SeenTrack, { isLive, lastFrame }: Report): boolean {
    if (!lastFrame || !isLive) return false
    return lastFrame.takenAt - firstSeenAt < PICTURE_WITHIN_MS && clock.now() - lastFrame.heardAt < PICTURE_WITHIN_MS
  }

  async function pictureFor(
    owner: Pick<Account, 'id'>,
    { processId, trackId }: PicturedTrack,
  ): Promise<Buffer | 'soon'> {
    const report = await reports.find(owner, processId)
    const track = await tracks.find(processId, trackId)
    if (!track) throw new AppError('track-not-found', { process_uuid: processId, track_id: trackId })
    const patch = (await pictures.listOf(processId, trackId)).find(({ role }) => role === 'patch')
    const read = patch && (await readPatch(files, patch))
    if (read) return read.jpeg
    if (isNew(track, report)) return 'soon'
    throw new AppError('picture-not-found')
  }

  return {
    isLinked,
    pictureFor,

    async pictureByLink(track: PicturedTrack, token: string): Promise<Buffer | 'soon'> {
      if (!isLinked(track, token)) throw new AppError('link-expired')
      const accountId = await tracks.ownerOf(track.processId)
      const about = { process_uuid: track.processId, track_id: track.trackId }
      if (accountId === undefined) throw new AppError('track-not-found', about)
      // A link ends with the key whose process it is.
      if (!(await stillCounts(findAccount(accountId)))) throw new AppError('link-expired')
      return pictureFor({ id: accountId }, track)
    },
  }
}
