import { type Writable } from 'node:stream'

/** What was written to a socket and waits there, counted as the memory holds it. */
export interface WriteQueue {
  write(data: Buffer, onSent?: () => void): void
  readonly heldBytes: number
}

/**
 * The objects around the bytes of one write, measured (Node 20: 160 to 270): they count too, or a million writes of a few bytes
 * would be next to nothing.
 */
export const WRITE_OVERHEAD_BYTES = 256

export function createWriteQueue(socket: Writable): WriteQueue {
  let writes = 0
  // One for all: a function of its own would be most of what a small write takes.
  const forget = () => void writes--

  return {
    write(data, onSent) {
      writes++
      if (!onSent) return void socket.write(data, forget)
      socket.write(data, () => {
        forget()
        onSent()
      })
    },
    get heldBytes() {
      const { writableLength } = socket
      // A write that went out at once is called back a moment later, and holds nothing.
      return writableLength === 0 || socket.destroyed ? 0 : writableLength + writes * WRITE_OVERHEAD_BYTES
    },
  }
}
