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
