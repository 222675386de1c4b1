import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { createGunzip } from 'node:zlib'

/** What a backup may unpack to. A gzip of a few kilobytes can hold gigabytes: without limits it would end the process. */
export interface BackupLimits {
  readonly maxLineBytes: number
  /** Whatever the size of the file. */
  readonly minTotalBytes: number
  readonly maxExpansion: number
}

/** Rows have up to a few megabytes (pictures that an alert has yet to send). Each has ids of its own, so none compress a hundredfold. */
export const DEFAULT_BACKUP_LIMITS: BackupLimits = { maxLineBytes: 16 << 20, minTotalBytes: 1 << 30, maxExpansion: 200 }

/** Says which line is too much, in a sentence that can be shown as it is. */
export class BackupTooLarge extends Error {}

/** The lines of a gzipped file, one at a time: memory holds one line, whatever the file. */
export async function* readBackupLines(file: string, limits: BackupLimits): AsyncGenerator<string, undefined> {
  const { size } = await stat(file)
  const maxTotalBytes = Math.max(limits.minTotalBytes, size * limits.maxExpansion)
  const unzip = createGunzip()
  const packed = createReadStream(file).on('error', (error) => unzip.destroy(error))
  let pieces: Buffer[] = []
  let lineBytes = 0
  let totalBytes = 0
  let lineNumber = 1
  try {
    for await (const chunk of packed.pipe(unzip) as AsyncIterable<Buffer>) {
      totalBytes += chunk.length
      if (totalBytes > maxTotalBytes)
        throw new BackupTooLarge(
          `${file} unpacks to more than ${maxTotalBytes} bytes, far more than a backup of its size can, in line ${lineNumber}; nothing was restored.`,
        )
      let start = 0
      for (;;) {
        const end = chunk.indexOf(0x0a, start)
        const piece = chunk.subarray(start, end < 0 ? undefined : end)
        lineBytes += piece.length
        if (lineBytes > limits.maxLineBytes)
          throw new BackupTooLarge(
            `${file} is damaged: its line ${lineNumber} has more than ${limits.maxLineBytes} bytes, as no row has; nothing was restored.`,
          )
        pieces.push(piece)
        if (end < 0) break
        yield Buffer.concat(pieces).toString()
        pieces = []
        lineBytes = 0
        lineNumber += 1
        start = end + 1
      }
    }
    if (lineBytes > 0) yield Buffer.concat(pieces).toString()
    return undefined
  } finally {
    packed.destroy()
    unzip.destroy()
  }
}
