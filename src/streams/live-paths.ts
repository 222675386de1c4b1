import { type FromMediaServer, type LiveVideo, type Protocol } from '../media/messages.ts'

/** A stream that arrives now, at our media server or at another node's. */
export interface LivePath {
  readonly path: string
  readonly protocol: Protocol
  readonly video: LiveVideo | undefined
  readonly since: number
}

/** One that arrives at our own. */
export interface LocalPath extends LivePath {
  /** As whom it is published. */
  readonly principal: string
}

/** What is live, for all who look it up or subscribe. */
export interface LivePaths<Live extends LivePath = LivePath> {
  find(path: string): Live | undefined
  isLive(path: string): boolean
  list(): readonly Live[]
  onLive(handler: (live: Live) => void): void
  onGone(handler: (path: string) => void): void
}

/** The side of the media server's process, whose reports they are. */
export interface LivePathReports {
  handle(event: Extract<FromMediaServer, { type: 'live' | 'gone' }>, now: number): void
  /** The media server died: nothing is live any more. */
  clear(): void
}

/** What our media server has reported so far. */
export function createLivePaths(): { readonly localPaths: LivePaths<LocalPath>; readonly reports: LivePathReports } {
  const paths = new Map<string, LocalPath>()
  const liveHandlers: ((live: LocalPath) => void)[] = []
  const goneHandlers: ((path: string) => void)[] = []

  function remove(path: string): void {
    if (paths.delete(path)) for (const handler of goneHandlers) handler(path)
  }

  return {
    localPaths: {
      find: (path) => paths.get(path),
      isLive: (path) => paths.has(path),
      list: () => [...paths.values()],
      onLive: (handler) => void liveHandlers.push(handler),
      onGone: (handler) => void goneHandlers.push(handler),
    },
    reports: {
      handle(event, now) {
        remove(event.path)
        if (event.type === 'gone') return
        const { path, protocol, principal, video } = event
        const live = { path, protocol, principal, video, since: now }
        paths.set(path, live)
        for (const handler of liveHandlers) handler(live)
      },
      clear: () => [...paths.keys()].forEach(remove),
    },
  }
}
