import { type Hub } from '../hub.ts'
import { type ProtocolLog } from '../protocol-server.ts'
import { MediaRefusal } from '../refusal.ts'
import { pushStream } from './push-stream.ts'

/** Streams of ours that other nodes have asked for because they cannot reach us. */
export interface Pushes {
  /** Resolves when it flows; rejects with an error whose message is a sentence. */
  start(id: string, path: string, url: string): Promise<void>
  end(id: string): void
  close(): void
}

/** More than there are streams on a node; beyond it the node that asks is told. */
const MAX_PUSHES = 1_000
/** The other node does not wait for longer. */
const MAX_CONNECT_MS = 24_000

export function createPushes(hub: Pick<Hub, 'readForRelay'>, log: ProtocolLog): Pushes {
  const pushes = new Map<string, AbortController>()

  return {
    async start(id, path, url) {
      if (pushes.size >= MAX_PUSHES)
        throw new MediaRefusal('limit-reached', `This node sends ${MAX_PUSHES} streams to others already.`)
      const leaving = new AbortController()
      const timer = setTimeout(() => leaving.abort(), MAX_CONNECT_MS)
      pushes.set(id, leaving)
      try {
        const { ended } = await pushStream({ hub, path, url, signal: leaving.signal })
        log.info({ path }, 'A stream is pushed to another node.')
        void ended.then((why) => {
          pushes.delete(id)
          log.info({ path, why }, 'A stream is no longer pushed to another node.')
        })
      } catch (error) {
        pushes.delete(id)
        throw error
      } finally {
        clearTimeout(timer)
      }
    },
    end: (id) => pushes.get(id)?.abort(),
    close: () => pushes.forEach((leaving) => leaving.abort()),
  }
}
