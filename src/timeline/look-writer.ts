import { join } from 'node:path'
import { type ProcessRef } from '../core/process-facts.ts'
import { type RecordedLook } from '../core/recorded-look.ts'
import { type Log } from '../observe/log.ts'
import { appendAt, inBlocks, toBlock } from './look-files.ts'
import { hourOf } from './minute-counts.ts'
import { type OpenFile, type OpenFiles } from './open-files.ts'

/** Writes looks into the files of their process and hour. */
export interface LookWriter {
  /** Answers what is to be tried again: what has no row yet. What the disk does not take is lost. */
  write(process: ProcessRef, looks: readonly RecordedLook[]): Promise<readonly RecordedLook[]>
  /** What was written last of all. */
  writeRows(): Promise<void>
}

export interface LookWriterDeps {
  readonly dataDir: string
  readonly files: OpenFiles
  readonly failures: FailureNotes
  readonly log: Log
}

/** Logs that something fails once, until it does not any more. */
export interface FailureNotes {
  fails(what: 'files' | 'rows', error: unknown): void
  works(what: 'files' | 'rows'): void
}

const sentences = {
  files: 'what is seen cannot be written to the disk: processes go on without',
  rows: 'files of what is seen could not be listed; trying again',
}

export function createFailureNotes(log: Log): FailureNotes {
  const failing = new Set<string>()
  return {
    fails(what, error) {
      if (!failing.has(what)) log.error({ err: error }, sentences[what])
      failing.add(what)
    },
    works: (what) => void failing.delete(what),
  }
}

export function createLookWriter({ dataDir, files, failures, log }: LookWriterDeps): LookWriter {
  async function blockOf(looks: readonly RecordedLook[], { processId }: ProcessRef): Promise<Buffer | undefined> {
    try {
      return await toBlock(looks)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      log.error({ err: error, process_uuid: processId }, 'what was seen cannot be written')
      return undefined
    }
  }

  async function append(file: OpenFile, looks: readonly RecordedLook[]): Promise<void> {
    for (const some of inBlocks(looks)) {
      const block = await blockOf(some, file.process)
      if (!block) continue
      // One that somebody has removed is begun anew.
      if (!(await appendAt(join(dataDir, file.file), block, file.sizeBytes))) return files.close(file)
      files.grow(file, some, block.length)
    }
  }

  return {
    async write(process, looks) {
      for (let start = 0, end = 0; start < looks.length; start = end) {
        end = endOfHour(looks, start)
        let file: OpenFile | undefined
        try {
          file = await files.openFor(process, looks[start]!)
        } catch (error) {
          failures.fails('rows', error)
          return looks.slice(start)
        }
        if (!file) continue
        try {
          await append(file, looks.slice(start, end))
          failures.works('files')
        } catch (error) {
          failures.fails('files', error)
        }
      }
      return []
    },
    async writeRows() {
      try {
        await files.writeRows()
        failures.works('rows')
      } catch (error) {
        failures.fails('rows', error)
      }
    },
  }
}

/** The first one that belongs into another file. */
function endOfHour(looks: readonly RecordedLook[], start: number): number {
  const hour = hourOf(looks[start]!.takenAtMs)
  const end = looks.findIndex(({ takenAtMs }, index) => index > start && hourOf(takenAtMs) !== hour)
  return end < 0 ? looks.length : end
}
