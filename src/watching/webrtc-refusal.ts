import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type FromWebrtc } from '../media/messages.ts'

export interface RefusedOffer {
  readonly path: string
  /** Of the path. */
  readonly owner: Account
  /** Where the same stream can be watched without WebRTC. */
  readonly hlsUrl: string
  /** Why the camera of the path is not connected, where it has one, as far as the viewer may know it. */
  readonly cameraFault: string | undefined
}

/** The gateway's refusal, as the API reports it. */
export function toWebrtcError(
  { reason, sentence }: Extract<FromWebrtc, { type: 'refused' }>,
  { path, owner, hlsUrl, cameraFault }: RefusedOffer,
): AppError {
  switch (reason) {
    case 'offer-invalid':
      return new AppError('offer-invalid', { reason: sentence })
    case 'cannot-carry':
      return new AppError('webrtc-cannot-carry', { reason: sentence, hls_url: hlsUrl })
    case 'not-live':
      return cameraFault === undefined
        ? new AppError('stream-not-live', { path })
        : new AppError('stream-not-watchable', { path, reason: cameraFault }, { retryAfterSeconds: 1 })
    case 'path-in-use':
      return new AppError('stream-path-in-use', { path })
    case 'limit-reached':
      return new AppError('published-stream-limit-reached', {
        username: owner.username,
        limit: owner.limits.maxSources,
      })
    case 'full':
      return new AppError('webrtc-full', {}, { retryAfterSeconds: 10 })
    case 'not-listening':
      return new AppError('webrtc-not-listening', { reason: sentence }, { retryAfterSeconds: 10 })
    case 'unavailable':
      return webrtcUnavailable()
  }
}

export function webrtcUnavailable(): AppError {
  return new AppError('webrtc-unavailable', {}, { retryAfterSeconds: 1 })
}
