import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RecordedLook } from '../core/recorded-look.ts'
import { type Log } from '../observe/log.ts'
import { type DetectionFileRow } from '../storage/schema.ts'
import { type DetectionFileChange, type DetectionFileStore } from './detection-files.store.ts'
import { blocksWithin, looksOf, mendFile } from './look-files.ts'
import { createMinuteCounts, parseMinutes } from './minute-counts.ts'

export interface MendFilesDeps {
  readonly dataDir: string
  readonly store: Pick<DetectionFileStore, 'update' | 'remove'>
  readonly log: Log
}

const ALL = { from: -Infinity, to: Infinity }

/**
 * Closes files that a crash has left open: what is torn is cut off, and what their rows did not know yet is counted. Nobody writes to
 * them any more, and they can be read meanwhile.
 */
export async function mendFiles(
  files: readonly DetectionFileRow[],
  { dataDir, store, log }: MendFilesDeps,
  signal: AbortSignal,
): Promise<void> {
  for (const file of files) {
    if (signal.aborted) return
    try {
      const change = await recount(file, dataDir)
      if (change) await store.update([change])
      else {
        await rm(join(dataDir, file.file), { force: true })
        await store.remove([file], async () => {})
      }
    } catch (error) {
      log.error(
        { err: error, file: file.file },
        'a file of what was seen could not be mended; the next start tries again',
      )
    }
  }
}

/** Undefined where nothing is left of it. */
async function recount(row: DetectionFileRow, dataDir: string): Promise<DetectionFileChange | undefined> {
  const whole = await mendFile(join(dataDir, row.file))
  const blocks = whole ? blocksWithin(whole, ALL) : []
  if (!whole || blocks.length === 0) return undefined
  const counts = createMinuteCounts(parseMinutes(row.minutes).after)
  let looks = 0
  for (const block of blocks) {
    for (const look of await looksOrNone(block)) counts.add(look)
    looks += block.looks
    await nextTurn()
  }
  return {
    id: row.id,
    started_at: Math.min(...blocks.map(({ firstAtMs }) => firstAtMs)),
    ended_at: Math.max(...blocks.map(({ lastAtMs }) => lastAtMs)),
    is_open: 0,
    looks,
    size_bytes: whole.length,
    minutes: counts.toJson(),
  }
}

/** One whose checksum is right, and that cannot be read all the same, keeps none of the others. */
const looksOrNone = (block: Parameters<typeof looksOf>[0]): Promise<readonly RecordedLook[]> =>
  looksOf(block).catch(() => [])
