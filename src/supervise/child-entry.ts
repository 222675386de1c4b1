import { measureLoopDelay } from '../observe/loop-delay.ts'

/** The child's side of `child.ts`. */
export interface ParentChannel<Out> {
  send(message: Out): void
  /** Resolves when the message, and all before it, have left; for a last word before going. */
  flush(message: Out): Promise<void>
}

/** What a child sends to `child-run.ts`: first when all that it needs is loaded, and then every second, since one that hangs does not. */
export interface Heartbeat {
  readonly type: 'heartbeat'
  /** How late its event loop was at the worst since the last one. */
  readonly loopDelayMs: number
}
const HEARTBEAT_EVERY_MS = 1_000

export function isHeartbeat(message: unknown): message is Heartbeat {
  return (message as Partial<Heartbeat> | null)?.type === 'heartbeat'
}

/** How long a child may take to put its things in order when its parent is gone. */
const CLOSE_TIMEOUT_MS = 5_000

/**
 * Listens to the parent. When the parent asks us to go, or is gone (`kill -9` included), `close` runs and the
 * process ends.
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
  const send = (message: Out | Heartbeat) => void (process.connected && process.send?.(message, () => {}))
  const loopDelay = measureLoopDelay()
  const beat = () => send({ type: 'heartbeat', loopDelayMs: loopDelay.readMs() })
  beat()
  setInterval(beat, HEARTBEAT_EVERY_MS).unref()
  return {
    send,
    flush: (message) =>
      new Promise((resolve) => {
        if (!process.connected || !process.send) return resolve()
        process.send(message, () => resolve())
      }),
  }
}
