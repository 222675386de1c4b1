import { open, readdir, rm, rmdir } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type FragmentIndex } from '../core/recorded-time.ts'
import { toFragmentIndex } from '../media/mp4/fragment-index.ts'
import { walkFragments } from '../media/mp4/fragment-walk.ts'
import { type Log } from '../observe/log.ts'
import { type Recording, type RecordingStore } from './recordings.store.ts'
import { type Segment, type SegmentStore } from './segments.store.ts'

/** Their folder below the data folder. */
export const RECORDINGS = 'recordings'

/** Puts recordings in order after their writer is gone: whatever was lost, what is on the disk is listed and plays. */
export interface RecordingCloser {
  /**
   * Measures a file and cuts off the fragment that a crash left half-written, so that it decodes to its end. It is noted
   * as no longer than `maxDurationMs`. Answers how long that is; undefined of a file that cannot be read, which stays open.
   */
  readonly closeSegment: (segmentId: string, file: string, maxDurationMs?: number) => Promise<number | undefined>
  /**
   * Closes what is open of a recording and ends it; one that holds nothing is dropped. Rejects only when the database is
   * away: a file that cannot be read or removed must hold up neither the next recording nor the start of the service.
   */
  finish(recording: Recording): Promise<void>
}

export function createRecordingCloser(
  dataDir: string,
  store: Pick<RecordingStore, 'find' | 'end' | 'remove'>,
  segments: Pick<SegmentStore, 'insert' | 'end' | 'remove'>,
  log: Log,
): RecordingCloser {
  async function closeSegment(segmentId: string, file: string, maxDurationMs = Infinity): Promise<number | undefined> {
    const measured = await measure(join(dataDir, file)).catch((error: unknown) => {
      const fields = { err: error, segment: segmentId, file }
      log.warn(
        fields,
        'a file of a recording cannot be read; trying again when the recording ends, and at the next start',
      )
    })
    if (!measured) return undefined
    const durationMs = Math.min(measured.durationMs, maxDurationMs)
    await segments.end(segmentId, { ...measured, durationMs })
    return durationMs
  }

  /** False when the file cannot be removed: its row stays too, and both go with what is past its retention. */
  async function dropEmpty(segment: Segment): Promise<boolean> {
    try {
      await removeSegmentFile(dataDir, segment)
    } catch (error) {
      log.warn(
        { err: error, segment: segment.id, file: segment.file },
        'an empty file of a recording cannot be removed',
      )
      return false
    }
    await segments.remove(segment)
    return true
  }

  /** A file whose row was lost with the worker's message gets one. Answers these. */
  async function adoptStrays(recording: Recording, known: readonly Segment[]): Promise<Segment[]> {
    const folder = recordingFolder(dataDir, recording)
    const files = new Set(known.map(({ file }) => file))
    const adopted: Segment[] = []
    for (const name of await readdir(folder).catch(() => [])) {
      const file = relative(dataDir, join(folder, name))
      const startedAt = Number(/^(\d+)-/.exec(name)?.[1])
      if (files.has(file) || !startedAt) continue
      const { id: recordingId, accountId } = recording
      const unknown = { durationMs: null, sizeBytes: 0, gapMs: null }
      const stray = { id: orderedUuid(), recordingId, accountId, file, startedAt, ...unknown }
      await segments.insert(stray)
      adopted.push(stray)
    }
    return adopted
  }

  return {
    closeSegment,
    async finish(recording) {
      const known = (await store.find(recording.accountId, recording.id))?.segments ?? []
      const written = [...known, ...(await adoptStrays(recording, known))]
      let endedAt = recording.startedAt
      let kept = 0
      for (const segment of written) {
        const durationMs = segment.durationMs ?? (await closeSegment(segment.id, segment.file))
        if (durationMs === 0 && (await dropEmpty(segment))) continue
        kept += 1
        endedAt = Math.max(endedAt, segment.startedAt + (durationMs ?? 0))
      }
      if (kept > 0) return store.end(recording.id, endedAt)
      await store.remove(recording.id)
      await rmdir(recordingFolder(dataDir, recording)).catch(() => {})
    },
  }
}

export function recordingFolder(dataDir: string, { sourceId, id }: Pick<Recording, 'sourceId' | 'id'>): string {
  return join(dataDir, RECORDINGS, sourceId, id)
}

/** The file, and its folder when that was the last one in it. */
export async function removeSegmentFile(dataDir: string, { file }: Pick<Segment, 'file'>): Promise<void> {
  const path = join(dataDir, file)
  await rm(path, { force: true })
  const folder = dirname(path)
  if (basename(dirname(dirname(folder))) === RECORDINGS) await rmdir(folder).catch(() => {})
}

interface Measured {
  readonly durationMs: number
  readonly sizeBytes: number
  readonly index: FragmentIndex | null
}

async function measure(path: string): Promise<Measured> {
  try {
    const handle = await open(path, 'r+')
    try {
      const { size } = await handle.stat()
      const walk = await walkFragments(handle, size)
      const { durationMs, wholeBytes } = walk
      if (wholeBytes < size) await handle.truncate(wholeBytes)
      return { durationMs, sizeBytes: wholeBytes, index: toFragmentIndex(walk) }
    } finally {
      await handle.close()
    }
  } catch (error) {
    // Only a file that is not there holds nothing; whatever else went wrong may pass, and must not cost a recording.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { durationMs: 0, sizeBytes: 0, index: null }
    throw error
  }
}
