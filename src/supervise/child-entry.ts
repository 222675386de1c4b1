/** The child's side of `child.ts`. */
export interface ParentChannel<Out> {
  send(message: Out): void
  /** Resolves when the message, and all before it, have left; for a last word before going. */
  flush(message: Out): Promise<void>
}

/** What a child says to `child-run.ts`: first when all that it needs is loaded, and then again and again, since one that hangs does not. */
export const ALIVE = 'child-alive'
const ALIVE_EVERY_MS = 5_000

/** How long a child may take to put its things in order when its parent is gone. */
const CLOSE_TIMEOUT_MS = 5_000

/**
 * Listens to the parent. When the parent asks us to go, or is gone (`kill -9` included), `close` runs and the
 * process ends; it never outlives its parent.
 */
export function serveParent<In, Out extends object>(
  onMessage: (message: In) => void,
  close: () => Promise<void> | void,
): ParentChannel<Out> {
  process.on('message', (message) => onMessage(message as In))
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), CLOSE_TIMEOUT_MS).unref()
    void Promise.resolve(close()).finally(() => process.exit(0))
  })
  // Ctrl-C in a terminal reaches the whole group; the parent decides what happens then.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => {})
  const send = (message: Out | typeof ALIVE) => void (process.connected && process.send?.(message, () => {}))
  send(ALIVE)
  setInterval(send, ALIVE_EVERY_MS, ALIVE).unref()
  return {
    send,
    flush: (message) =>
      new Promise((resolve) => {
        if (!process.connected || !process.send) return resolve()
        process.send(message, () => resolve())
      }),
  }
}
