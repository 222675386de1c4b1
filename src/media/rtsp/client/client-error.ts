import { maskSecrets } from '../../../core/mask-secrets.ts'
import { asSentence } from '../../../core/sentences.ts'

/**
 * Why there is no stream. `unreachable`: the connection was not accepted; `no-answer`: it was, but not by anything that answers as a
 * server should; `refused`: the server refused, with `status`; `unusable`: its answer can't be used or followed.
 */
export type RtspFailureKind = 'unreachable' | 'no-answer' | 'refused' | 'unusable'

/** The server refused, or closed the connection without an answer. The message is a sentence. */
export class RtspClientError extends Error {
  override readonly name: string = 'RtspClientError'
  readonly kind: RtspFailureKind
  /** 0 when there was no answer at all. */
  readonly status: number
  /** What the server said beside its status. */
  readonly phrase: string

  constructor(kind: RtspFailureKind, sentence: string, status = 0, phrase = '') {
    super(sentence)
    this.kind = kind
    this.status = status
    this.phrase = phrase
  }
}

/** The server redirects us (RFC 2326 §11.3): to be followed only after a new check of whether that may be dialled. */
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

/** `password`: what we authenticate with. A server may repeat it, and the address with all that is secret in it. */
export function refusalOf(method: string, status: number, reason: string, password = ''): RtspClientError {
  const said = password ? reason.replaceAll(password, '***') : reason
  const phrase = maskSecrets(said.replace(/[^ -~]+/g, ' '))
  const sentence = `The server answers ${method} with ${status} ${phrase.slice(0, MAX_REASON_LENGTH)}`.trimEnd()
  return new RtspClientError('refused', asSentence(sentence), status, phrase)
}

export const NO_VIDEO = 'It takes the connection, but sends no video; is that address a camera?'

/** The failure in words that make sense to the person who set the camera up. */
export function cameraSentence({ kind, message }: RtspClientError): string {
  if (kind === 'no-answer') return NO_VIDEO
  return message
}
