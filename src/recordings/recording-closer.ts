import { readdir, rm, rmdir, stat, truncate } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { measureFragmentedMp4 } from '../media/mp4/fragmented-mp4.ts'
import { type Recording, type RecordingStore } from './recordings.store.ts'
import { type Segment, type SegmentStore } from './segments.store.ts'

/** Puts recordings in order after their writer is gone: whatever was lost, what is on the disk is listed and plays. */
export interface RecordingCloser {
  /**
   * Measures a file and cuts off the fragment that a crash left half-written, so that it decodes to its end. It is noted
   * as no longer than `maxDurationMs`. Answers how long that is.
   */
  readonly closeSegment: (segmentId: string, file: string, maxDurationMs?: number) => Promise<number>
  /** Closes what is open of a recording and ends it; one that holds nothing is dropped. */
  finish(recording: Recording): Promise<void>
}

export function createRecordingCloser(
  dataDir: string,
  store: Pick<RecordingStore, 'find' | 'end' | 'remove'>,
  segments: Pick<SegmentStore, 'insert' | 'end' | 'remove'>,
): RecordingCloser {
  async function closeSegment(segmentId: string, file: string, maxDurationMs = Infinity): Promise<number> {
    const { durationMs: measuredMs, sizeBytes } = await measure(join(dataDir, file))
    const durationMs = Math.min(measuredMs, maxDurationMs)
    await segments.end(segmentId, { durationMs, sizeBytes })
    return durationMs
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
      const stray = { id: orderedUuid(), recordingId, accountId, file, startedAt, durationMs: null, sizeBytes: 0 }
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
        if (durationMs === 0) {
          await removeSegmentFile(dataDir, segment)
          await segments.remove(segment)
          continue
        }
        kept += 1
        endedAt = Math.max(endedAt, segment.startedAt + durationMs)
      }
      if (kept > 0) return store.end(recording.id, endedAt)
      await store.remove(recording.id)
      await rmdir(recordingFolder(dataDir, recording)).catch(() => {})
    },
  }
}

export function recordingFolder(dataDir: string, { sourceId, id }: Pick<Recording, 'sourceId' | 'id'>): string {
  return join(dataDir, 'recordings', sourceId, id)
}

/** The file, and its folder when that was the last one in it. */
export async function removeSegmentFile(dataDir: string, { file }: Pick<Segment, 'file'>): Promise<void> {
  const path = join(dataDir, file)
  await rm(path, { force: true })
  const folder = dirname(path)
  if (basename(dirname(dirname(folder))) === 'recordings') await rmdir(folder).catch(() => {})
}

async function measure(path: string): Promise<{ durationMs: number; sizeBytes: number }> {
  try {
    const { durationMs, wholeBytes } = await measureFragmentedMp4(path)
    if (wholeBytes < (await stat(path)).size) await truncate(path, wholeBytes)
    return { durationMs, sizeBytes: wholeBytes }
  } catch (error) {
    // Only a file that is not there holds nothing; whatever else went wrong may pass, and must not cost a recording.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { durationMs: 0, sizeBytes: 0 }
    throw error
  }
}
