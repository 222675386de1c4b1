import { type Clock } from '../core/clock.ts'
import { newestSeen } from '../core/last-seen.ts'
import { isRecorded } from '../core/recording-mode.ts'
import { type Streams } from '../streams/streams.module.ts'
import { type SourceDirectory } from './source-directory.ts'
import { type ListedSource, type Source, type SourceConnection, type SourceHealth, type SourceState } from './source.ts'
import { describeSourceProblem, describeStreamProblem, UNWATCHED } from './source-problem.ts'
import { type SourceUser } from '../core/source-user.ts'
import { type SourceUse, type UsesElsewhere } from './uses-elsewhere.ts'

export interface SourceStateDeps {
  readonly streams: Pick<Streams, 'livePaths' | 'localPaths' | 'remotePaths' | 'pulledPaths' | 'videoTimes'>
  readonly recordings: {
    /** The source whose recording this path's stream goes to now. */
    recordedSource(path: string): string | undefined
    /** There is no room for this account's recordings. */
    isStopped(accountId: string): boolean
  }
  readonly directory: Pick<SourceDirectory, 'list'>
  readonly elsewhere: () => Pick<UsesElsewhere, 'find'>
  /** May grow. */
  readonly users: readonly SourceUser[]
  readonly clock: Pick<Clock, 'now'>
}

/** What processes of other nodes do with it; undefined where none of them uses it. */
type Elsewhere = readonly SourceUse[] | undefined

export function createSourceState({ streams, recordings, directory, elsewhere, users, clock }: SourceStateDeps) {
  const isProcessed = (sourceId: string) => users.some((user) => user.processesOf(sourceId).length > 0)

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

  function statusOf({ id, mediaPath, isPulled }: Source, uses: Elsewhere): SourceState['status'] {
    if (uses || isProcessed(id)) return 'processing'
    if (mediaPath === null || isPulled) return 'unknown'
    return streams.livePaths.isLive(mediaPath) ? 'streaming' : 'offline'
  }

  function recordingOf({ id, accountId, mediaPath, recordingMode }: Source): SourceState['recording'] {
    if (mediaPath === null) return null
    if (recordings.recordedSource(mediaPath) === id) return 'on'
    if (streams.localPaths.isLive(mediaPath)) return recordings.isStopped(accountId) ? 'stopped-disk-full' : 'off'
    // The node that has it records it; whether there is room for that is known there alone.
    return isRecorded({ recordingMode }) && streams.livePaths.isLive(mediaPath) ? 'on' : 'off'
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

  function healthOf(source: ListedSource, usesElsewhere: Elsewhere = undefined): SourceHealth {
    const facts = streamFactsOf(source)
    const uses = [useOf(source.id), ...(usesElsewhere ?? [])]
    const isVideoNeeded = uses.some((use) => use.isVideoNeeded)
    const [telemetryError = null] = uses.flatMap((use) => use.telemetryError ?? [])
    return {
      connection: facts.connection,
      lastFrame: facts.lastFrame,
      lastTelemetry: newestSeen(uses.map((use) => use.lastTelemetry)),
      problem: describeSourceProblem({ ...facts, isVideoNeeded, telemetryError }),
    }
  }

  /** `isLookedAt`: a process sees what is recorded of it. */
  function stateOf(source: Source, uses: Elsewhere, isLookedAt: boolean): SourceState {
    const health = healthOf(source, uses)
    return {
      ...health,
      status: statusOf(source, uses),
      recording: recordingOf(source),
      problem: health.problem ?? (source.recordingMode === 'events' && !isLookedAt ? UNWATCHED : null),
    }
  }

  /** By event, with the account's others on its path: what is seen of one counts for all. */
  function recordedWith({ id, accountId, mediaPath, recordingMode }: Source): readonly string[] {
    if (recordingMode !== 'events') return [id]
    const others = directory.list().filter((one) => one.accountId === accountId && one.mediaPath === mediaPath)
    return [...new Set([id, ...others.map((one) => one.id)])]
  }

  return {
    healthOf: (source: ListedSource) => healthOf(source),
    useOf,
    /** For those who wait for its video, and are not asked what they know of it. */
    streamProblemOf: (source: ListedSource): string | null =>
      describeStreamProblem({ ...streamFactsOf(source), isVideoNeeded: false }),
    /** In their order. */
    async statesOf(sources: readonly Source[]): Promise<SourceState[]> {
      const recorded = sources.map(recordedWith)
      const used = await elsewhere().find([...new Set(recorded.flat())])
      const isLookedAt = (id: string) => isProcessed(id) || used.has(id)
      return sources.map((source, index) => stateOf(source, used.get(source.id), recorded[index]!.some(isLookedAt)))
    },
  }
}
