import { createDeferred, type Deferred } from '../../src/core/deferred.ts'
import { type VideoTarget } from '../../src/core/video-output.ts'
import { type OpenSink } from '../../src/pipeline/send/open-sink.ts'
import { type CodedPicture, type OnSinkState } from '../../src/pipeline/send/sink.ts'

/** Where coded pictures go in a test: they stay. */
export interface FakeSink {
  readonly target: VideoTarget
  readonly written: readonly CodedPicture[]
  readonly isClosed: boolean
  readonly setState: OnSinkState
  /** Resolves when so many pictures have been written. */
  until(count: number): Promise<void>
}

export function createFakeSinks(): { readonly openSink: OpenSink; readonly sinks: readonly FakeSink[] } {
  const sinks: FakeSink[] = []
  const openSink: OpenSink = (target, _hubPackets, onState) => {
    const written: CodedPicture[] = []
    const waiting: { readonly count: number; readonly reached: Deferred<void> }[] = []
    let isClosed = false
    sinks.push({
      target,
      written,
      get isClosed() {
        return isClosed
      },
      setState: onState,
      async until(count) {
        const reached = createDeferred()
        if (written.length >= count) return
        waiting.push({ count, reached })
        await reached.promise
      },
    })
    return {
      write(picture) {
        written.push(picture)
        for (const { count, reached } of waiting) if (written.length >= count) reached.resolve()
      },
      close: async () => void (isClosed = true),
    }
  }
  return { openSink, sinks }
}
