import { type Duplex } from 'node:stream'
import { createWriteQueue } from '../../write-queue.ts'
import { type ChunkSocket } from './player.ts'

/** What is sent to one client: answers to commands, and the stream that it plays. Each has a bound of its own. */
export interface Outgoing {
  readonly answers: Pick<ChunkSocket, 'write'>
  /** Its `queuedBytes` count answers, too: all that waits in the socket. */
  readonly media: ChunkSocket
  /** Answers that the client has not taken yet. */
  readonly queuedAnswerBytes: number
  /** What is written from now on is dropped. */
  stop(): void
}

export function createOutgoing(socket: Duplex): Outgoing {
  const queue = createWriteQueue(socket)
  let queuedAnswerBytes = 0
  let isStopped = false

  function send(buffers: readonly Buffer[], onSent?: () => void): void {
    if (isStopped || buffers.length === 0) return onSent?.()
    socket.cork()
    for (const [index, buffer] of buffers.entries())
      queue.write(buffer, index === buffers.length - 1 ? onSent : undefined)
    socket.uncork()
  }

  return {
    answers: {
      write(...buffers) {
        const bytes = buffers.reduce((sum, { length }) => sum + length, 0)
        queuedAnswerBytes += bytes
        send(buffers, () => (queuedAnswerBytes -= bytes))
      },
    },
    media: {
      write: (...buffers) => send(buffers),
      get queuedBytes() {
        return queue.heldBytes
      },
    },
    get queuedAnswerBytes() {
      return queuedAnswerBytes
    },
    stop: () => void (isStopped = true),
  }
}
