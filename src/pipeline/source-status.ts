import { type FromWorker } from './messages.ts'
import { type OpenedVideo, type Picture } from './picture.ts'

/** The state of a pipeline's source, and what is sent to main of it. */
export interface SourceStatus {
  /** No picture comes any more; it is being opened again. */
  readonly isLost: boolean
  /** Pictures come, and main knows it. */
  readonly isRunning: boolean
  onOpened(video: OpenedVideo): void
  onLost(sentence: string): void
  /** From now on pictures are looked at. */
  onModelLoaded(): void
  /** The first one after each opening is reported. */
  onPicture(picture: Picture): void
  /** The source is there again. */
  retry(): void
  /** Resolves when it is worth trying again at once. */
  retryRequested(): Promise<void>
}

export interface SourceStatusOptions {
  readonly isFile: boolean
  readonly send: (message: FromWorker) => void
  /** It was lost, or is there again. */
  readonly onChange: () => void
}

export function createSourceStatus({ isFile, send, onChange }: SourceStatusOptions): SourceStatus {
  let opened: OpenedVideo | undefined
  let isLost = false
  let isRunning = false
  let isModelLoaded = false
  let isRetryRequested = false
  let onRetry = () => {}

  return {
    get isLost() {
      return isLost
    },
    get isRunning() {
      return isRunning
    },
    onOpened(video) {
      opened = video
      isRunning = false
    },
    onLost(sentence) {
      isLost = true
      onChange()
      send({ type: 'reconnecting', sentence })
    },
    onModelLoaded: () => void (isModelLoaded = true),
    onPicture({ takenAtMs, ptsSeconds, decoded: { width, height } }) {
      if (isLost) {
        isLost = false
        onChange()
      }
      if (isRunning || !opened || !isModelLoaded) return
      isRunning = true
      const video = { codec: opened.codec, width, height, fps: opened.fps ?? null }
      const startedAtMs = isFile ? takenAtMs - ptsSeconds * 1000 : Date.now()
      send({ type: 'running', video, startedAtMs: Math.round(startedAtMs) })
    },
    retry() {
      isRetryRequested = true
      onRetry()
    },
    retryRequested: () =>
      new Promise((resolve) => {
        onRetry = resolve
        // It came back while the last attempt was under way.
        if (isRetryRequested) resolve()
        isRetryRequested = false
      }),
  }
}
