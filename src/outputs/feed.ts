/** The processed picture as JPEGs, made once for all viewers, and not at all while there are none. */
export interface Feed {
  /** Returns the function that ends the looking. */
  watch(processId: string, viewer: FeedViewer): () => void
  onPicture(processId: string, jpeg: Uint8Array): void
  /** The process has ended. */
  onEnd(processId: string): void
  countViewers(processId: string): number
}

export interface FeedViewer {
  /** A viewer that is still busy with the last picture leaves this one out. */
  readonly take: (jpeg: Uint8Array) => void
  readonly end: () => void
}

/** `setWanted` switches the making of pictures on and off. */
export function createFeed(setWanted: (processId: string, isWanted: boolean) => void): Feed {
  const viewers = new Map<string, Set<FeedViewer>>()

  function leave(processId: string, viewer: FeedViewer): void {
    const own = viewers.get(processId)
    if (!own?.delete(viewer) || own.size > 0) return
    viewers.delete(processId)
    setWanted(processId, false)
  }

  return {
    watch(processId, viewer) {
      const own = viewers.get(processId) ?? new Set()
      if (own.size === 0) setWanted(processId, true)
      viewers.set(processId, own.add(viewer))
      return () => leave(processId, viewer)
    },
    onPicture(processId, jpeg) {
      for (const viewer of viewers.get(processId) ?? []) viewer.take(jpeg)
    },
    onEnd(processId) {
      const own = viewers.get(processId)
      viewers.delete(processId)
      for (const viewer of own ?? []) viewer.end()
    },
    countViewers: (processId) => viewers.get(processId)?.size ?? 0,
  }
}
