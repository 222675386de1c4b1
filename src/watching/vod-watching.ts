import { toAskedStretch } from '../core/asked-stretch.ts'
import { type Clock } from '../core/clock.ts'
import { type TimeRange } from '../core/request-fields.ts'
import { type WatchAccess } from './watch-access.ts'
import { type WatchCredentials } from './watch-credentials.ts'

/** What recordings have of a path, as a playlist. */
export interface RecordedVod {
  playlist(question: {
    readonly path: string
    readonly stretch: { readonly from: number; readonly to: number }
    /** `ts-if-possible`: the player can't seek in MP4. */
    readonly container: 'mp4' | 'ts' | 'ts-if-possible'
    /** Who was admitted: its right to the pieces is asked for anew. */
    readonly principal: string
  }): Promise<string>
}

export interface VodRequest {
  readonly path: string
  readonly range: TimeRange
  readonly container: 'mp4' | 'ts' | undefined
  readonly userAgent: string
  readonly credentials: WatchCredentials
  readonly address: string
}

/** A path's past: for those who may watch its present. */
export interface VodWatching {
  playlist(request: VodRequest): Promise<string>
}

export interface VodWatchingDeps {
  readonly access: WatchAccess
  readonly vod: RecordedVod
  readonly clock: Pick<Clock, 'now'>
}

const HOUR_MS = 3_600_000
const LIMITS = {
  defaultMs: HOUR_MS,
  maxMs: 24 * HOUR_MS,
  tooLong: 'A playlist has at most 24 hours: ask for less at a time.',
}

export function createVodWatching({ access, vod, clock }: VodWatchingDeps): VodWatching {
  const stretchOf = (asked: TimeRange) => toAskedStretch(asked, { ...LIMITS, nowMs: clock.now() })

  return {
    async playlist({ path, range, container, userAgent, credentials, address }) {
      // Before anything is looked up.
      const { principal } = await access({ action: 'read', path, credentials, address })
      const wanted = container ?? (seeksInMp4(userAgent) ? 'mp4' : 'ts-if-possible')
      return vod.playlist({ path, stretch: stretchOf(range), container: wanted, principal })
    },
  }
}

/** FFmpeg before 7.1 plays MP4 from a playlist, but seeks in none, its own included. */
const FIRST_SEEKING_FFMPEG = { major: 61, minor: 7 }

export function seeksInMp4(userAgent: string): boolean {
  const [, major, minor] = /^Lavf\/(\d{1,5})\.(\d{1,5})/.exec(userAgent) ?? []
  if (major === undefined) return true
  const [given, needed] = [Number(major), FIRST_SEEKING_FFMPEG]
  return given > needed.major || (given === needed.major && Number(minor) >= needed.minor)
}
