import { once } from 'node:events'

/** Standard output for much text: waits while the reader is slow, and learns when it has gone. */
export interface Output {
  /** False once nobody reads any more, as after `| head`. */
  write(text: string): Promise<boolean>
}

export function standardOutput(stream: NodeJS.WriteStream = process.stdout): Output {
  let isOpen = true
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    isOpen = false
  })
  return {
    async write(text) {
      if (isOpen && text !== '' && !stream.write(text)) await once(stream, 'drain').catch(() => undefined)
      return isOpen
    },
  }
}

/** Why a file that the user named cannot be read, in a sentence. */
export function unreadableFile(file: string, error: unknown): Error {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
  return new Error(isMissing ? `There is no file ${file}.` : `${file} cannot be read: ${(error as Error).message}.`, {
    cause: error,
  })
}
