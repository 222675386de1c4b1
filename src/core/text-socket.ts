import { createClientQueue } from './client-queue.ts'

/** What is needed of a websocket. */
export interface RawSocket {
  send(text: string, done: (error?: Error | null) => void): void
  ping(): void
  close(code: number, reason: string): void
  terminate(): void
  on(event: 'pong' | 'close', handler: () => void): unknown
}

/** A websocket that tells texts to a client at the client's own speed, and notices when it is gone. */
export interface TextSocket {
  push(text: string): void
  /** Closes it once everything has left. */
  end(reason: string): void
  onClose(handler: () => void): void
}

/** A client that has not answered for this long is gone: its place is free again. */
const HEARTBEAT_MS = 15_000

export function serveTexts(socket: RawSocket): TextSocket {
  const queue = createClientQueue({
    send: (text) => new Promise((resolve, reject) => socket.send(text, (error) => (error ? reject(error) : resolve()))),
  })
  let isAlive = true
  const heartbeat = setInterval(() => {
    if (!isAlive) return socket.terminate()
    isAlive = false
    socket.ping()
  }, HEARTBEAT_MS)
  socket.on('pong', () => (isAlive = true))
  socket.on('close', () => {
    clearInterval(heartbeat)
    void queue.finish()
  })
  return {
    push: (text) => queue.push(text),
    end: (reason) => void queue.finish().then(() => socket.close(1000, reason)),
    onClose: (handler) => void socket.on('close', handler),
  }
}
