import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath, streamOfPreview } from '../core/media-path.ts'
import { once } from '../core/once.ts'
import { createSharedPlaces } from '../core/shared-places.ts'
import { type HubPath } from '../core/video-output.ts'

/**
 * `<path>/~preview` of the media server: the stream at 360 lines. A process that reads the stream makes it, as long as
 * somebody watches: it has the pictures already.
 */
export interface Previews {
  /** Resolves when the path is live, with how to release it; at once where the path is no preview. */
  hold(path: string): Promise<() => void>
  /** Nothing is waited for any more. */
  close(): void
}

export interface PreviewDeps {
  readonly processes: {
    /** Those whose workers read this path of the media server now. */
    listReaders(path: string): string[]
    /** To its worker: publish the preview there, or nowhere any more. */
    send(processId: string, command: { readonly type: 'preview'; readonly target: HubPath | null }): void
  }
  readonly livePaths: {
    /** What is published there, another object for each publication; undefined while nothing is. */
    find(path: string): object | undefined
  }
  readonly clock: Clock
}

interface Preview {
  readonly processId: string
  /** What was published there when it was begun: an earlier preview that is about to go. */
  readonly earlier: object | undefined
  viewers: number
  /** How often somebody came or left. */
  turns: number
}

const LIVE_TIMEOUT_MS = 5_000
const LOOK_EVERY_MS = 20
/** Viewers that wait for a preview; an owner of streams has half of them at most. */
const MAX_WAITING = 100
/** A viewer that goes to another page and back need not wait again. */
const LINGER_MS = 5_000

export function createPreviews({ processes, livePaths, clock }: PreviewDeps): Previews {
  const previews = new Map<string, Preview>()
  const closing = new AbortController()
  const places = createSharedPlaces(MAX_WAITING)

  function begin(path: string, streamPath: string): Preview {
    const readers = livePaths.find(streamPath) === undefined ? [] : processes.listReaders(streamPath)
    const known = previews.get(path)
    if (known && readers.includes(known.processId)) return known
    const [processId] = readers
    if (processId === undefined) throw new AppError('preview-unavailable', { path })
    if (known) processes.send(known.processId, { type: 'preview', target: null })
    const preview = { processId, earlier: livePaths.find(path), viewers: 0, turns: 0 }
    previews.set(path, preview)
    processes.send(processId, { type: 'preview', target: { kind: 'hub', path } })
    return preview
  }

  async function leave(path: string, preview: Preview): Promise<void> {
    preview.viewers--
    const turn = ++preview.turns
    if (preview.viewers > 0) return
    await clock.sleep(LINGER_MS, closing.signal)
    if (preview.turns !== turn || previews.get(path) !== preview) return
    previews.delete(path)
    processes.send(preview.processId, { type: 'preview', target: null })
  }

  async function untilLive(path: string, { earlier }: Preview): Promise<void> {
    const deadlineMs = clock.steady() + LIVE_TIMEOUT_MS
    for (let live = livePaths.find(path); !live || live === earlier; live = livePaths.find(path)) {
      if (closing.signal.aborted || clock.steady() >= deadlineMs) throw new AppError('preview-unavailable', { path })
      await clock.sleep(LOOK_EVERY_MS, closing.signal)
    }
  }

  return {
    async hold(path) {
      const streamPath = streamOfPreview(path)
      if (streamPath === undefined) return () => {}
      const leavePlace = places.take(ownerOfPath(path))
      if (!leavePlace) throw new AppError('webrtc-full', {}, { retryAfterSeconds: 1 })
      let preview: Preview
      try {
        preview = begin(path, streamPath)
      } catch (error) {
        leavePlace()
        throw error
      }
      preview.viewers++
      preview.turns++
      const release = once(() => void leave(path, preview))
      try {
        await untilLive(path, preview)
      } catch (error) {
        release()
        throw error
      } finally {
        leavePlace()
      }
      return release
    },
    close: () => closing.abort(),
  }
}
