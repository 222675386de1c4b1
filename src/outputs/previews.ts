import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'

/**
 * `<path>/~preview` of the media server: the stream at 360 lines. A process that reads the stream makes it, as long as
 * somebody watches: it has the pictures already.
 */
export interface Previews {
  /** Resolves when the path is live, with how to let go of it; at once where the path is no preview. */
  hold(path: string): Promise<() => void>
  /** Nothing is waited for any more. */
  close(): void
}

export interface PreviewDeps {
  readonly processes: {
    /** One that reads this path of the media server. */
    findReader(path: string): string | undefined
    isLive(processId: string): boolean
    /** Publishes the preview there, or nowhere any more. */
    setPreview(processId: string, path: string | null): void
  }
  readonly livePaths: { isLive(path: string): boolean }
  readonly clock: Clock
}

interface Preview {
  readonly processId: string
  viewers: number
}

const SUFFIX = '/~preview'
const LIVE_WITHIN_MS = 5_000
const LOOK_EVERY_MS = 20
/** Whoever goes to another page and back need not wait again. */
const LINGER_MS = 5_000

export function createPreviews({ processes, livePaths, clock }: PreviewDeps): Previews {
  const previews = new Map<string, Preview>()
  const closing = new AbortController()

  function begin(path: string): Preview {
    const known = previews.get(path)
    if (known && processes.isLive(known.processId)) return known
    const processId = processes.findReader(path.slice(0, -SUFFIX.length))
    if (processId === undefined) throw new AppError('preview-unavailable', { path })
    const preview = { processId, viewers: 0 }
    previews.set(path, preview)
    processes.setPreview(processId, path)
    return preview
  }

  async function leave(path: string, preview: Preview): Promise<void> {
    preview.viewers--
    if (preview.viewers > 0) return
    await clock.sleep(LINGER_MS, closing.signal)
    if (preview.viewers > 0 || previews.get(path) !== preview) return
    previews.delete(path)
    processes.setPreview(preview.processId, null)
  }

  async function untilLive(path: string): Promise<void> {
    const deadlineMs = clock.steady() + LIVE_WITHIN_MS
    while (!livePaths.isLive(path)) {
      if (closing.signal.aborted || clock.steady() >= deadlineMs) throw new AppError('preview-unavailable', { path })
      await clock.sleep(LOOK_EVERY_MS, closing.signal)
    }
  }

  return {
    async hold(path) {
      if (!path.endsWith(SUFFIX)) return () => {}
      const preview = begin(path)
      preview.viewers++
      let isHeld = true
      const letGo = () => {
        if (isHeld) void leave(path, preview)
        isHeld = false
      }
      try {
        await untilLive(path)
      } catch (error) {
        letGo()
        throw error
      }
      return letGo
    },
    close: () => closing.abort(),
  }
}
