import { rm, stat, truncate } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { type Clock } from '../core/clock.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type FromRecorder, type ToRecorder } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { type Child, startChild } from '../supervise/child.ts'
import { alwaysRestart, neverRestart } from '../supervise/restart-policy.ts'
import { measureFragmentedMp4 } from './fragmented-mp4.ts'
import { type InternalTokens } from './internal-tokens.ts'
import { type LivePaths } from './live-paths.ts'
import { type Recording, type RecordingStore } from './recordings.store.ts'
import { type Source } from './source.ts'

export interface RecorderDeps {
  readonly dataDir: string
  readonly segmentSeconds: number
  readonly mergeSeconds: number
  readonly store: RecordingStore
  readonly sources: { findByMediaPath(path: string): Promise<readonly Source[]> }
  readonly livePaths: LivePaths
  readonly internalTokens: InternalTokens
  readonly rtspUrl: (path: string, token: string) => string
  readonly clock: Clock
  readonly log: Log
}

/** Keeps every live stream that belongs to a source, one process a path. */
export interface Recorder {
  /** Closes and lists what a crash left open. Before anything new is recorded. */
  recover(): Promise<void>
  /** A source was registered or removed: record its path, or stop. */
  refresh(path: string): Promise<void>
  /** No room: whatever is being recorded ends, and nothing new begins until `resume`. */
  pause(): Promise<void>
  resume(): Promise<void>
  readonly isPaused: boolean
  isRecording(path: string): boolean
  close(): Promise<void>
}

interface Session {
  readonly recording: Recording
  readonly child: Child<ToRecorder>
  readonly token: string
  /** Segment ids by file. */
  readonly segments: Map<string, string>
  /** Writes to the database in order; a message never overtakes the one before. */
  writes: Promise<void>
  isEnding: boolean
}

export function createRecorder(deps: RecorderDeps): Recorder {
  const { dataDir, store, sources, livePaths, internalTokens, clock, log } = deps
  const sessions = new Map<string, Session>()
  /** What is done for a path is done one after another. */
  const turns = new Map<string, Promise<void>>()
  let isPaused = false
  let isClosed = false

  livePaths.onLive(({ path }) => void refresh(path))
  livePaths.onGone((path) => void refresh(path))

  /** Makes what is recorded agree with what should be. */
  function refresh(path: string): Promise<void> {
    const turn = (turns.get(path) ?? Promise.resolve())
      .then(() => settle(path))
      .catch((error: unknown) => log.error({ err: error, path }, 'recording'))
    turns.set(path, turn)
    void turn.finally(() => turns.get(path) === turn && turns.delete(path))
    return turn
  }

  async function settle(path: string): Promise<void> {
    const live = livePaths.find(path)
    const source = live && !isPaused && !isClosed ? (await sources.findByMediaPath(path))[0] : undefined
    const session = sessions.get(path)
    if (session && (!source || session.recording.startedAt < live!.since)) await endSession(path, session)
    if (source && !sessions.has(path)) await startSession(path, source)
  }

  async function startSession(path: string, source: Source): Promise<void> {
    const recording = (await continued(source)) ?? (await begun(source))
    const token = internalTokens.issue({ action: 'read', path })
    const folder = join(dataDir, 'recordings', source.id, recording.id)
    const child = startChild<ToRecorder, FromRecorder>({
      name: 'recording',
      entry: new URL('../media/recording/worker.js', import.meta.url),
      clock,
      log,
      // A worker whose stream ended leaves too; whether to start another is decided by what is live.
      restart: (exit, crashes) =>
        session.isEnding || !livePaths.find(path) ? neverRestart(exit, crashes) : alwaysRestart(exit, crashes),
      stopAfterMs: 5_000,
      onStart: (send) => send({ url: deps.rtspUrl(path, token), folder, segmentSeconds: deps.segmentSeconds }),
      onMessage: (message) => onMessage(path, session, message),
    })
    const session: Session = {
      recording,
      child,
      token,
      segments: new Map(),
      writes: Promise.resolve(),
      isEnding: false,
    }
    sessions.set(path, session)
    log.info({ path, recording: recording.id }, 'recording')
  }

  /** A short break goes on with the same recording. */
  async function continued(source: Source): Promise<Recording | undefined> {
    const last = deps.mergeSeconds > 0 ? await store.findLast(source.id) : undefined
    if (!last?.endedAt || clock.now() - last.endedAt > deps.mergeSeconds * 1000) return undefined
    await store.end(last.id, null)
    return { ...last, endedAt: null, startedAt: clock.now() }
  }

  async function begun(source: Source): Promise<Recording> {
    const recording = {
      id: orderedUuid(),
      accountId: source.accountId,
      sourceId: source.id,
      alias: source.alias,
      startedAt: clock.now(),
      endedAt: null,
    }
    await store.insert(recording)
    return recording
  }

  function onMessage(path: string, session: Session, message: FromRecorder): void {
    if (message.type === 'ended') {
      if (message.sentence) log.warn({ path, reason: message.sentence }, 'recording was interrupted')
      // The stream is gone, or it hiccuped: with the worker gone too, the rest follows from what is live.
      if (!session.isEnding && livePaths.find(path)) restartSoon(path, session)
      return
    }
    session.writes = session.writes
      .then(() => write(session, message))
      .catch((error: unknown) => log.error({ err: error, path }, 'recording'))
  }

  function restartSoon(path: string, session: Session): void {
    void clock.sleep(500).then(async () => {
      if (session.isEnding || sessions.get(path) !== session) return
      await endSession(path, session)
      await refresh(path)
    })
  }

  async function write(session: Session, message: Exclude<FromRecorder, { type: 'ended' }>): Promise<void> {
    if (message.type === 'segment-started') {
      const id = orderedUuid()
      session.segments.set(message.file, id)
      const file = relative(dataDir, message.file)
      return store.insertSegment({
        id,
        recordingId: session.recording.id,
        file,
        startedAt: message.startedAtMs,
        durationMs: null,
        sizeBytes: 0,
      })
    }
    const id = session.segments.get(message.file)
    if (!id) return
    if (message.type === 'segment-grown') return store.growSegment(id, message.sizeBytes)
    session.segments.delete(message.file)
    await store.updateSegment(id, message)
  }

  async function endSession(path: string, session: Session): Promise<void> {
    session.isEnding = true
    await session.child.stop()
    await session.writes
    internalTokens.revoke(session.token)
    sessions.delete(path)
    await finish(session.recording.id)
  }

  /** Whatever is still open of a recording is measured and closed; one that holds nothing is dropped. */
  async function finish(recordingId: string): Promise<void> {
    const found = (await store.listOpen()).find(({ id }) => id === recordingId)
    if (!found) return
    let endedAt = found.startedAt
    let kept = 0
    for (const segment of found.segments) {
      const durationMs = segment.durationMs ?? (await closeSegment(segment.id, segment.file))
      if (durationMs === 0) {
        await rm(join(dataDir, segment.file), { force: true })
        await store.removeSegment(segment)
        continue
      }
      kept += 1
      endedAt = Math.max(endedAt, segment.startedAt + durationMs)
    }
    if (kept > 0) await store.end(recordingId, endedAt)
    else await store.remove(recordingId)
  }

  /** Cuts off the fragment that a crash left half-written, so that the file decodes to its end. */
  async function closeSegment(id: string, file: string): Promise<number> {
    const path = join(dataDir, file)
    try {
      const { durationMs, wholeBytes } = await measureFragmentedMp4(path)
      if (wholeBytes < (await stat(path)).size) await truncate(path, wholeBytes)
      await store.updateSegment(id, { durationMs, sizeBytes: wholeBytes })
      return durationMs
    } catch (error) {
      log.warn({ err: error, file }, 'a recording’s file cannot be read')
      return 0
    }
  }

  async function endAll(): Promise<void> {
    await Promise.all([...sessions].map(([path, session]) => endSession(path, session)))
  }

  return {
    async recover() {
      for (const { id } of await store.listOpen()) await finish(id)
    },
    refresh,
    async pause() {
      isPaused = true
      await endAll()
    },
    async resume() {
      isPaused = false
      for (const { path } of livePaths.list()) await refresh(path)
    },
    get isPaused() {
      return isPaused
    },
    isRecording: (path) => sessions.has(path),
    async close() {
      isClosed = true
      await Promise.all(turns.values())
      await endAll()
    },
  }
}
