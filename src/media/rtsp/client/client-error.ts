/**
 * Why there is no stream. `unreachable`: nobody took the connection; `no-answer`: somebody did, but does not speak as a
 * server should; `refused`: the server said no, with `status`; `unusable`: what it says can't be used or followed.
 */
export type RtspFailureKind = 'unreachable' | 'no-answer' | 'refused' | 'unusable'

/** The server said no, or went away while it was asked. The message is a sentence. */
export class RtspClientError extends Error {
  override readonly name: string = 'RtspClientError'
  readonly kind: RtspFailureKind
  /** 0 when there was no answer at all. */
  readonly status: number

  constructor(kind: RtspFailureKind, sentence: string, status = 0) {
    super(sentence)
    this.kind = kind
    this.status = status
  }
}

/** The server sends us elsewhere (RFC 2326 §11.3): to be followed only by whoever asks anew whether that may be dialled. */
export class RtspRedirect extends RtspClientError {
  override readonly name = 'RtspRedirect'
  readonly location: string

  constructor(status: number, location: string) {
    super('refused', 'It redirects to another address.', status)
    this.location = location
  }
}

/** Longer reasons are cut: they are the server's own text, which users see. */
const MAX_REASON_LENGTH = 80

export function refusalOf(method: string, status: number, reason: string): RtspClientError {
  const text = reason.replace(/[^ -~]+/g, ' ').slice(0, MAX_REASON_LENGTH)
  return new RtspClientError('refused', `The server answers ${method} with ${status} ${text}`.trimEnd() + '.', status)
}

/** The failure in words that make sense to whoever set the camera up. */
export function cameraSentence({ kind, message }: RtspClientError): string {
  if (kind === 'no-answer') return 'It takes the connection, but sends no video; is that address a camera?'
  return message
}
