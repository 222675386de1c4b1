import { cameraFaultFor } from '../core/camera-fault.ts'
import { dropOldest } from '../core/drop-oldest.ts'
import { AppError } from '../core/errors.ts'
import { type Access } from '../media/messages.ts'

interface HlsFailureOptions {
  /** The sentence says what is wrong with a camera that we call. */
  readonly isOfCamera?: boolean
  readonly retryAfterSeconds?: number
}

/** Why a path cannot be watched by HLS now, for all its viewers; the message is a sentence. */
export class HlsFailure extends Error {
  override readonly name = 'HlsFailure'
  readonly isOfCamera: boolean
  readonly retryAfterSeconds: number

  constructor(sentence: string, { isOfCamera = false, retryAfterSeconds = 1 }: HlsFailureOptions = {}) {
    super(sentence)
    this.isOfCamera = isOfCamera
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** The same, when another try makes sense only so much later. */
  after(retryAfterSeconds: number): HlsFailure {
    return new HlsFailure(this.message, { isOfCamera: this.isOfCamera, retryAfterSeconds })
  }

  /** As the API reports it to one of them. */
  toRefusal(path: string, viewer: Pick<Access, 'isOwner'>): AppError {
    const { message, isOfCamera, retryAfterSeconds } = this
    const reason = isOfCamera ? cameraFaultFor(viewer, message) : message
    return new AppError('stream-not-watchable', { path, reason }, { retryAfterSeconds })
  }
}

/** Why workers could not start lately: a path that fails is not tried again at every request. */
export interface HlsFailures {
  add(path: string, failure: HlsFailure): void
  /** The last one; `isRecent` while another try would be too soon. */
  find(path: string): { readonly failure: HlsFailure; readonly isRecent: boolean } | undefined
}

const PAUSE_MS = 1_000
/** Beyond it the oldest is forgotten. */
const MAX_FAILURES = 1_000

export function createHlsFailures(now: () => number, maxFailures = MAX_FAILURES): HlsFailures {
  const failures = new Map<string, { readonly at: number; readonly failure: HlsFailure }>()
  return {
    add(path, failure) {
      failures.set(path, { at: now(), failure })
      dropOldest(failures, maxFailures)
    },
    find(path) {
      const last = failures.get(path)
      return last && { failure: last.failure, isRecent: now() - last.at < PAUSE_MS }
    },
  }
}
