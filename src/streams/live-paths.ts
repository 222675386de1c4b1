import { type FromMediaServer, type LiveVideo, type Protocol } from '../media/messages.ts'

/** A stream that arrives at the media server now. */
export interface LivePath {
  readonly path: string
  readonly protocol: Protocol
  readonly video: LiveVideo | undefined
  readonly since: number
}

/** What the media server has reported so far, for all who look it up or subscribe. */
export interface LivePaths {
  find(path: string): LivePath | undefined
  isLive(path: string): boolean
  list(): readonly LivePath[]
  onLive(handler: (live: LivePath) => void): void
  onGone(handler: (path: string) => void): void
}

/** The side of the media server's process, whose reports they are. */
export interface LivePathReports {
  handle(event: Extract<FromMediaServer, { type: 'live' | 'gone' }>, now: number): void
  /** The media server died: nothing is live any more. */
  clear(): void
}

export function createLivePaths(): { readonly livePaths: LivePaths; readonly reports: LivePathReports } {
  const paths = new Map<string, LivePath>()
  const liveHandlers: ((live: LivePath) => void)[] = []
  const goneHandlers: ((path: string) => void)[] = []

  function remove(path: string): void {
    if (paths.delete(path)) for (const handler of goneHandlers) handler(path)
  }

  return {
    livePaths: {
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
        const live = { path: event.path, protocol: event.protocol, video: event.video, since: now }
        paths.set(event.path, live)
        for (const handler of liveHandlers) handler(live)
      },
      clear: () => [...paths.keys()].forEach(remove),
    },
  }
}
