import { type LivePath, type LivePaths } from './live-paths.ts'
import { type RelayOrders, type RemotePaths } from './remote-paths.ts'

/**
 * What is live, here or on another node, for those who only ask whether it is: it can be read here in any case. What arrives here
 * counts first; a path that goes from one node to another is gone, and live again.
 */
export function createKnownPaths(
  localPaths: LivePaths,
  remotePaths: Pick<RemotePaths, 'find' | 'list'>,
  { onChange }: Pick<RelayOrders, 'onChange'>,
): LivePaths {
  const known = new Map<string, LivePath>()
  /** By what the other node says of them: a path is the same object as long as it is the same publication. */
  const elsewhere = new WeakMap<object, LivePath>()
  const liveHandlers: ((live: LivePath) => void)[] = []
  const goneHandlers: ((path: string) => void)[] = []

  function remoteLive(path: string): LivePath | undefined {
    const live = remotePaths.find(path)?.live
    if (!live) return undefined
    const same = elsewhere.get(live) ?? { path, ...live }
    elsewhere.set(live, same)
    return same
  }

  function refresh(path: string): void {
    const [before, now] = [known.get(path), localPaths.find(path) ?? remoteLive(path)]
    if (before === now) return
    known.delete(path)
    if (before) for (const handler of goneHandlers) handler(path)
    if (!now) return
    known.set(path, now)
    for (const handler of liveHandlers) handler(now)
  }

  localPaths.onLive(({ path }) => refresh(path))
  localPaths.onGone(refresh)
  onChange(refresh)

  return {
    find: (path) => known.get(path),
    isLive: (path) => known.has(path),
    list: () => [...known.values()],
    onLive: (handler) => void liveHandlers.push(handler),
    onGone: (handler) => void goneHandlers.push(handler),
  }
}
