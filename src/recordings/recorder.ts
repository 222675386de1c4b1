import { setMaxListeners } from 'node:events'
import { type Clock } from '../core/clock.ts'
import { createTurns } from '../core/turns.ts'
import { type OpenedVideo } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Grant } from '../streams/grants.ts'
import { type LivePath } from '../streams/live-paths.ts'
import { type Streams } from '../streams/streams.module.ts'
import { createStartPace } from '../supervise/start-pace.ts'
import { createRecordingCloser, recordingFolder } from './recording-closer.ts'
import { chooseRecordedSource, type RecordedSource } from './recorded-source.ts'
import { createRecordingOpener } from './recording-opener.ts'
import { type RecordingSession, startRecordingSession } from './recording-session.ts'
import { type RecordingStore } from './recordings.store.ts'
import { type SegmentStore } from './segments.store.ts'

export interface RecorderDeps {
  readonly dataDir: string
  readonly segmentSeconds: number
  readonly mergeSeconds: number
  readonly store: RecordingStore
  readonly segments: SegmentStore
  readonly sources: {
    findByMediaPath(path: string): Promise<readonly RecordedSource[]>
    setVideo(mediaPath: string, video: OpenedVideo): Promise<void>
  }
  readonly streams: Pick<Streams, 'localPaths' | 'grant'>
  readonly clock: Clock
  readonly log: Log
}

/** Keeps every live stream that belongs to a source, one process a path. */
export interface Recorder {
  /** Closes and lists what a crash left open. Before anything new is recorded. */
  recover(): Promise<void>
  /** A source was registered or removed: record its path, or stop. */
  refresh(path: string): Promise<void>
  /** No room: what is recorded for these accounts ends, and nothing new begins for them until they are left out again. */
  setStopped(accounts: StoppedAccounts): Promise<void>
  isStopped(accountId: string): boolean
  /** The source whose recording this path's stream goes to now. */
  recordedSource(path: string): string | undefined
  close(): Promise<void>
}

/** Accounts for which there is no room. */
export type StoppedAccounts = ReadonlySet<string> | 'all'

const TRY_AGAIN_MS = 2_000
/** Files are kept or removed as a whole: short ones keep little more than was wanted. */
const MAX_EVENT_SEGMENT_SECONDS = 10
/** For how long all is kept of what is recorded by event, so that an alert may come late. */
const REST_MS = 3_600_000

export function createRecorder(deps: RecorderDeps): Recorder {
  const { dataDir, store, segments, sources, streams, clock, log } = deps
  const { localPaths } = streams
  const openRecording = createRecordingOpener(deps)
  const closer = createRecordingCloser(dataDir, store, segments, log)
  const sessions = new Map<string, { session: RecordingSession; grant: Grant }>()
  /** What is done for a path is done one after another, and only in its turn. */
  const turns = createTurns()
  const closing = new AbortController()
  // Every path that waits sleeps on it, which is no leak (and Node would warn from the eleventh on).
  setMaxListeners(0, closing.signal)
  const pace = createStartPace(() => clock.steady())
  /** Paths whose streams come and go too often to be recorded right away. */
  const waiting = new Set<string>()
  let stopped: StoppedAccounts = new Set()

  localPaths.onLive(({ path }) => void refresh(path))
  localPaths.onGone((path) => void refresh(path))

  /** Makes what is recorded agree with what should be; never rejects, but tries again. */
  function refresh(path: string): Promise<void> {
    return turns.take(path, () => settle(path)).catch((error: unknown) => tryAgain(path, error))
  }

  function tryAgain(path: string, error: unknown): void {
    log.error({ err: error, path }, 'a recording could not be begun or ended; trying again')
    void clock.sleep(TRY_AGAIN_MS, closing.signal).then(() => (closing.signal.aborted ? undefined : refresh(path)))
  }

  async function settle(path: string): Promise<void> {
    const live = closing.signal.aborted ? undefined : localPaths.find(path)
    const registered = live && chooseRecordedSource(await sources.findByMediaPath(path))
    const source = registered && isStopped(registered.accountId) ? undefined : registered
    const running = sessions.get(path)?.session
    const isWanted =
      source &&
      running?.live === live &&
      running?.recording.sourceId === source.id &&
      running?.mode === source.recordingMode
    if (running && !isWanted) await endSession(path)
    // The stream may have gone while we looked.
    if (!live || !source || sessions.has(path) || waiting.has(path) || localPaths.find(path) !== live) return
    const waitMs = pace.take(path)
    if (waitMs === 0) return startSession(live, source)
    log.warn({ path, wait_ms: waitMs }, 'the stream begins again and again: it is recorded later')
    waiting.add(path)
    void clock.sleep(waitMs, closing.signal).then(() => {
      waiting.delete(path)
      return refresh(path)
    })
  }

  async function startSession(live: LivePath, source: RecordedSource): Promise<void> {
    const { path } = live
    const recording = await openRecording(source)
    const grant = streams.grant('read', path)
    const isByEvent = source.recordingMode === 'events'
    const session = startRecordingSession({
      recording,
      mode: source.recordingMode,
      live,
      dataDir,
      folder: recordingFolder(dataDir, recording),
      url: grant.url,
      segmentSeconds: isByEvent ? Math.min(MAX_EVENT_SEGMENT_SECONDS, deps.segmentSeconds) : deps.segmentSeconds,
      restMs: isByEvent ? REST_MS : null,
      segments,
      closeSegment: closer.closeSegment,
      onOpened: (video) => sources.setVideo(path, video),
      isLive: () => localPaths.find(path) === live,
      clock,
      log,
    })
    sessions.set(path, { session, grant })
    log.info({ path, recording: recording.id }, 'recording')
  }

  /** The session stays until all is in order, so that a failure is tried again. */
  async function endSession(path: string): Promise<void> {
    const { session, grant } = sessions.get(path)!
    await session.stop()
    grant.revoke()
    await closer.finish(session.recording)
    sessions.delete(path)
  }

  function isStopped(accountId: string): boolean {
    return stopped === 'all' || stopped.has(accountId)
  }

  async function settleAll(): Promise<void> {
    const paths = localPaths.list().map(({ path }) => path)
    await Promise.all([...new Set([...sessions.keys(), ...turns.keys(), ...paths])].map(refresh))
  }

  return {
    async recover() {
      for (const recording of await store.listOpen()) await closer.finish(recording)
    },
    refresh,
    async setStopped(accounts) {
      stopped = accounts
      await settleAll()
    },
    isStopped,
    recordedSource: (path) => sessions.get(path)?.session.recording.sourceId,
    async close() {
      closing.abort()
      await settleAll()
    },
  }
}
