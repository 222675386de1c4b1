import { type Clock } from '../core/clock.ts'
import { newestSeen } from '../core/last-seen.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type ListedSource, type Source, type SourceConnection, type SourceHealth, type SourceState } from './source.ts'
import { describeSourceProblem, describeStreamProblem } from './source-problem.ts'
import { type SourceUser } from '../core/source-user.ts'
import { type SourceUse } from './uses-elsewhere.ts'

export interface SourceStateDeps {
  readonly streams: Pick<Streams, 'livePaths' | 'localPaths' | 'remotePaths' | 'pulledPaths' | 'videoTimes'>
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

/** What processes of other nodes do with it; undefined where none of them uses it. */
type Elsewhere = readonly SourceUse[] | undefined

export function createSourceState({ streams, recordings, users, clock }: SourceStateDeps) {
  function connectionOf({ mediaPath, isPulled }: ListedSource): SourceConnection | null {
    if (mediaPath === null) return null
    const elsewhere = streams.remotePaths.find(mediaPath)
    const pull = isPulled ? (streams.pulledPaths.find(mediaPath) ?? elsewhere?.pull) : undefined
    if (pull) return { kind: 'pulled', ...pull }
    const live = streams.livePaths.find(mediaPath)
    const kind = isPulled ? 'pulled' : 'published'
    const state = live ? 'connected' : elsewhere?.isCamera ? 'idle' : 'offline'
    return { kind, state, since: live?.since ?? null, lastError: null }
  }

  function statusOf({ id, mediaPath, isPulled }: Source, elsewhere: Elsewhere): SourceState['status'] {
    if (elsewhere || users.some((user) => user.processesOf(id).length > 0)) return 'processing'
    if (mediaPath === null || isPulled) return 'unknown'
    return streams.livePaths.isLive(mediaPath) ? 'streaming' : 'offline'
  }

  function recordingOf({ id, accountId, mediaPath, record }: Source): SourceState['recording'] {
    if (mediaPath === null) return null
    if (recordings.recordedSource(mediaPath) === id) return 'on'
    if (streams.localPaths.isLive(mediaPath)) return recordings.isStopped(accountId) ? 'stopped-disk-full' : 'off'
    // The node that has it records it; whether there is room for that is known there alone.
    return record && streams.livePaths.isLive(mediaPath) ? 'on' : 'off'
  }

  function streamFactsOf(source: ListedSource) {
    const { mediaPath } = source
    const lastFrame = mediaPath === null ? null : streams.videoTimes.find(mediaPath)
    return { connection: connectionOf(source), lastFrame, now: clock.now() }
  }

  /** By the processes of this node. */
  function useOf(sourceId: string): SourceUse {
    const [telemetryError = null] = users.flatMap((user) => user.telemetryErrorOf(sourceId) ?? [])
    return {
      isVideoNeeded: users.some((user) => user.isVideoNeeded(sourceId)),
      lastTelemetry: newestSeen(users.map((user) => user.lastTelemetryOf(sourceId))),
      telemetryError,
    }
  }

  function healthOf(source: ListedSource, elsewhere: Elsewhere = undefined): SourceHealth {
    const facts = streamFactsOf(source)
    const uses = [useOf(source.id), ...(elsewhere ?? [])]
    const isVideoNeeded = uses.some((use) => use.isVideoNeeded)
    const [telemetryError = null] = uses.flatMap((use) => use.telemetryError ?? [])
    return {
      connection: facts.connection,
      lastFrame: facts.lastFrame,
      lastTelemetry: newestSeen(uses.map((use) => use.lastTelemetry)),
      problem: describeSourceProblem({ ...facts, isVideoNeeded, telemetryError }),
    }
  }

  return {
    healthOf: (source: ListedSource) => healthOf(source),
    useOf,
    /** For those who wait for its video, and are not asked what they know of it. */
    streamProblemOf: (source: ListedSource): string | null =>
      describeStreamProblem({ ...streamFactsOf(source), isVideoNeeded: false }),
    stateOf: (source: Source, elsewhere?: Elsewhere): SourceState => ({
      status: statusOf(source, elsewhere),
      recording: recordingOf(source),
      ...healthOf(source, elsewhere),
    }),
  }
}
