import { once } from '../../core/once.ts'
import { type HubStream } from './hub-stream.ts'

/** One reader of the hub for all viewers of a path, closed with the last of them. */
export interface SharedHubStreams {
  use(path: string, url: string): UsedHubStream
  close(): Promise<void>
}

export interface UsedHubStream {
  readonly opened: Promise<HubStream>
  /** May be called more than once. */
  readonly release: () => void
}

/** `onEnd` is called when the stream is over. */
export type OpenHubStream = (url: string, onEnd: () => void) => Promise<HubStream>

interface SharedStream {
  readonly opened: Promise<HubStream>
  users: number
}

export function createSharedHubStreams(open: OpenHubStream): SharedHubStreams {
  const streams = new Map<string, SharedStream>()

  function openFor(path: string, url: string): SharedStream {
    // A stream that is over, or could not be opened, is no longer shared: the next viewer opens another.
    const forget = () => streams.get(path)?.opened === opened && streams.delete(path)
    const opened = open(url, forget)
    opened.catch(forget)
    const stream = { opened, users: 0 }
    streams.set(path, stream)
    return stream
  }

  return {
    use(path, url) {
      const stream = streams.get(path) ?? openFor(path, url)
      stream.users++
      const release = once(() => {
        if (--stream.users > 0) return
        if (streams.get(path) === stream) streams.delete(path)
        stream.opened.then((hubStream) => hubStream.close()).catch(() => {})
      })
      return { opened: stream.opened, release }
    },
    async close() {
      await Promise.allSettled([...streams.values()].map(async ({ opened }) => (await opened).close()))
    },
  }
}
