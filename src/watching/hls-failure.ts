import { cameraFaultFor } from '../core/camera-fault.ts'
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
