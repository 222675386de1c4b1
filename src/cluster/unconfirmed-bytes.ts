import { createDeferred, type Deferred } from '../core/deferred.ts'

/** Above this nothing more is published. The client writes to its socket whether or not the server reads from it. */
export const MAX_UNCONFIRMED_BYTES = 8 * 1024 * 1024
/** Above this those wait that can wait, such as tunnels: the rest is for small messages that cannot. */
const BUSY_BYTES = MAX_UNCONFIRMED_BYTES / 2
/** So much is sent before the server has to confirm that it has arrived. */
const CONFIRM_BYTES = 256 * 1024

/** What was published and may still be in our own memory: all that came after the last answered ping. */
export interface UnconfirmedBytes {
  /** False when there is no room for it. */
  add(bytes: number): boolean
  /** Resolves once those that can wait may publish; undefined when they may now. */
  whenRoom(): Promise<void> | undefined
  /** A connection: nothing is under way on it. */
  open(): void
  /** What was under way is lost, and there is no room until the next connection. */
  shut(): void
}

/** `ping` resolves when the server has read all that was sent before it. */
export function createUnconfirmedBytes(ping: () => Promise<void>): UnconfirmedBytes {
  let bytes = 0
  let isOpen = false
  let connections = 0
  let isConfirming = false
  let room: Deferred<void> | undefined

  function confirm(): void {
    if (isConfirming || bytes < CONFIRM_BYTES) return
    isConfirming = true
    const [sent, connection] = [bytes, connections]
    const answer = (isRead: boolean) => {
      if (connection !== connections) return
      isConfirming = false
      if (!isRead) return
      bytes -= sent
      releaseWaiting()
      confirm()
    }
    ping().then(
      () => answer(true),
      () => answer(false),
    )
  }

  function releaseWaiting(): void {
    if (!isOpen || bytes > BUSY_BYTES) return
    room?.resolve()
    room = undefined
  }

  return {
    add(more) {
      if (!isOpen || bytes + more > MAX_UNCONFIRMED_BYTES) return false
      bytes += more
      confirm()
      return true
    },
    whenRoom() {
      if (isOpen && bytes <= BUSY_BYTES) return undefined
      room ??= createDeferred()
      return room.promise
    },
    open() {
      connections += 1
      isOpen = true
      isConfirming = false
      bytes = 0
      releaseWaiting()
    },
    shut: () => void (isOpen = false),
  }
}
