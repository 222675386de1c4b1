import { type Clock } from '../core/clock.ts'
import { type LastSeen, newestSeen } from '../core/last-seen.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type Source, type SourceConnection } from './source.ts'
import { describeSourceProblem } from './source-problem.ts'
import { type SourceUser } from './source-user.ts'
import { type SourceStatus } from './sources.schema.ts'

export interface SourceStateDeps {
  readonly streams: Pick<Streams, 'livePaths' | 'pulledPaths' | 'videoTimes'>
  readonly recordings: {
    /** The source whose recording this path's stream goes to now. */
    recordedSource(path: string): string | undefined
    /** There is no room for this account's recordings. */
    isStopped(accountId: string): boolean
  }
  /** May grow. */
  readonly users: readonly SourceUser[]
  readonly clock: Pick<Clock, 'now'>
}

/** How fresh what comes from a source is, and what is wrong with it. */
export interface SourceHealth {
  readonly lastFrame: LastSeen | null
  readonly lastTelemetry: LastSeen | null
  readonly problem: string | null
}

/** How it is with a source at this moment: nothing of it is stored. */
export interface SourceState {
  statusOf(source: Source): SourceStatus
  connectionOf(source: Source): SourceConnection | null
  recordingOf(source: Source): 'on' | 'off' | 'stopped-disk-full' | null
  healthOf(source: Source): SourceHealth
}

export function createSourceState({ streams, recordings, users, clock }: SourceStateDeps): SourceState {
  function connectionOf({ mediaPath, isPulled }: Source): SourceConnection | null {
    if (mediaPath === null) return null
    const live = streams.livePaths.find(mediaPath)
    const pull = isPulled ? streams.pulledPaths.find(mediaPath) : undefined
    if (pull) return { kind: 'pulled', ...pull }
    const kind = isPulled ? 'pulled' : 'published'
    return { kind, state: live ? 'connected' : 'offline', since: live?.since ?? null, lastError: null }
  }

  return {
    connectionOf,
    statusOf({ id, mediaPath, isPulled }) {
      if (users.some((user) => user.processesOf(id).length > 0)) return 'processing'
      if (mediaPath === null || isPulled) return 'unknown'
      return streams.livePaths.find(mediaPath) ? 'streaming' : 'offline'
    },
    recordingOf({ id, accountId, mediaPath }) {
      if (mediaPath === null) return null
      if (recordings.recordedSource(mediaPath) === id) return 'on'
      return recordings.isStopped(accountId) && streams.livePaths.find(mediaPath) ? 'stopped-disk-full' : 'off'
    },
    healthOf(source) {
      const { id, mediaPath } = source
      const connection = connectionOf(source)
      const lastFrame = mediaPath === null ? null : streams.videoTimes.find(mediaPath)
      const isVideoNeeded = users.some((user) => user.isVideoNeeded(id))
      return {
        lastFrame,
        lastTelemetry: newestSeen(users.map((user) => user.lastTelemetryOf(id))),
        problem: describeSourceProblem({ connection, lastFrame, isVideoNeeded, now: clock.now() }),
      }
    },
  }
}
