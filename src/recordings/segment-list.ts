import { relative } from 'node:path'
import { type Clock } from '../core/clock.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type FromRecorder } from '../media/messages.ts'
import { type Log } from '../observe/log.ts'
import { createOrderedWrites } from './ordered-writes.ts'
import { type Recording } from './recordings.store.ts'
import { type SegmentEnd, type SegmentStore } from './segments.store.ts'

type SegmentMessage = Extract<FromRecorder, { readonly file: string }>

/** The rows of what a recording's worker writes, complete and in order however long the database was away. */
export interface SegmentList {
  note(message: SegmentMessage): void
  /** What the worker left open when it died is closed at once, so that the gap shows while the recording goes on. */
  onWorkerExit(): void
  /** Something else to be written in its turn. */
  add(write: () => Promise<void>): void
  /** Resolves when all is in the database; rejects when that cannot be just now, and can be called again. */
  flush(): Promise<void>
}

export interface SegmentListOptions {
  readonly recording: Recording
  readonly dataDir: string
  readonly segments: Pick<SegmentStore, 'insert' | 'grow' | 'end'>
  /** For how long a file stays in which nothing has happened; null, as by default, where that makes no difference. */
  readonly restMs?: number | null | undefined
  /** Measures and closes a file whose writer died. Answers how long it is; undefined of one that cannot be read. */
  readonly closeSegment: (segmentId: string, file: string, maxDurationMs: number) => Promise<number | undefined>
  /** How long the stream is there by now. */
  readonly liveForMs: () => number
  /** The clock that we share with the worker. */
  readonly steadyMs: () => number
  readonly clock: Clock
  readonly log: Log
}

export function createSegmentList(options: SegmentListOptions): SegmentList {
  const { recording, dataDir, segments, restMs = null, closeSegment, liveForMs, steadyMs, clock, log } = options
  /** Segments that are being written, by file. */
  const open = new Map<string, { readonly id: string; readonly liveMs: number }>()
  /** How long the stream was there when the last segment ended. */
  let endedAtLiveMs: number | undefined
  /** Of all segments of this session that have ended. */
  let recordedMs = 0
  const writes = createOrderedWrites({
    clock,
    onFailure: (error) =>
      log.warn({ err: error, recording: recording.id }, 'segments of a recording could not be listed; trying again'),
  })

  function add(write: () => Promise<void>, key?: string): void {
    if (writes.add(write, key)) return
    const fields = { recording: recording.id }
    log.error(fields, 'too many segments wait for the database: some are listed when the recording ends')
  }

  /** Whatever a stream says of its time, and however often a worker begins anew, no more was recorded than passed: in whole milliseconds. */
  const leftOf = (liveMs: number) => Math.max(0, Math.floor(liveMs - recordedMs))

  async function insert(id: string, file: string, startedAt: number, liveMs: number): Promise<void> {
    const { id: recordingId, accountId } = recording
    const gapMs = endedAtLiveMs === undefined ? null : Math.max(0, Math.round(liveMs - endedAtLiveMs))
    const restUntil = restMs === null ? null : startedAt + restMs
    await segments.insert({
      id,
      recordingId,
      accountId,
      file,
      startedAt,
      durationMs: null,
      sizeBytes: 0,
      gapMs,
      restUntil,
    })
    open.set(file, { id, liveMs })
  }

  function onEnded(file: string, durationMs: number): void {
    endedAtLiveMs = open.get(file)!.liveMs + durationMs
    open.delete(file)
    recordedMs += durationMs
  }

  async function end(file: string, change: SegmentEnd): Promise<void> {
    const segment = open.get(file)
    if (!segment) return
    await segments.end(segment.id, change)
    onEnded(file, change.durationMs)
  }

  async function grow(file: string, sizeBytes: number): Promise<void> {
    const segment = open.get(file)
    if (segment) await segments.grow(segment.id, sizeBytes)
  }

  async function closeOpen(liveMs: number): Promise<void> {
    for (const [file, { id }] of open) onEnded(file, (await closeSegment(id, file, leftOf(liveMs))) ?? 0)
  }

  return {
    note(message) {
      const file = relative(dataDir, message.file)
      const liveMs = liveForMs()
      switch (message.type) {
        case 'segment-started': {
          const id = orderedUuid()
          // Were it later than it was, what is missed behind it would seem to be less.
          const startedLiveMs = liveMs - Math.max(0, steadyMs() - message.steadyMs)
          return add(() => insert(id, file, message.startedAtMs, startedLiveMs))
        }
        case 'segment-grown':
          return add(() => grow(file, message.sizeBytes), file)
        case 'segment-ended': {
          const { startedAtMs: startedAt, sizeBytes, index } = message
          return add(() =>
            end(file, { durationMs: Math.min(message.durationMs, leftOf(liveMs)), sizeBytes, index, startedAt }),
          )
        }
      }
    },
    onWorkerExit() {
      const liveMs = liveForMs()
      add(() => closeOpen(liveMs))
    },
    add,
    flush: () => writes.flush(),
  }
}
