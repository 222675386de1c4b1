/** Callers that wait until something has become of a channel, such as that it has nothing left. */
export interface ChannelClearings {
  /** Resolves by the next `resolve` of the channel, or when the signal aborts. */
  wait(channel: string, signal: AbortSignal): Promise<void>
  resolve(channel: string): void
}

export function createChannelClearings(): ChannelClearings {
  const waiting = new Map<string, Set<() => void>>()

  return {
    wait: (channel, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve()
        const own = waiting.get(channel) ?? new Set()
        waiting.set(channel, own)
        const done = () => {
          signal.removeEventListener('abort', done)
          own.delete(done)
          if (own.size === 0) waiting.delete(channel)
          resolve()
        }
        own.add(done)
        signal.addEventListener('abort', done, { once: true })
      }),
    resolve(channel) {
      for (const done of waiting.get(channel) ?? []) done()
    },
  }
}
