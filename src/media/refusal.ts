/** Why the media server refuses. Each protocol has its own words and numbers for these. */
export type RefusalReason =
  /** No credentials were sent; another try with some makes sense. */
  | 'credentials-needed'
  | 'credentials-wrong'
  /** Known, but not for this path or this action. */
  | 'forbidden'
  | 'path-invalid'
  /** Another client publishes there, or the path is reserved. */
  | 'path-in-use'
  /** There is no publisher. */
  | 'not-live'
  /** The camera that we call does not answer, or sends nothing. */
  | 'camera-lost'
  /** It sends nothing that we could read, or must not be called: trying again will not help. */
  | 'camera-unreadable'
  | 'too-many-readers'
  /** The key allows no more of this at a time. */
  | 'limit-reached'
  /** Rights could not be checked just now. */
  | 'unavailable'

export class MediaRefusal extends Error {
  readonly reason: RefusalReason
  /** It was one of our own workers that asked, which copes, and has its own words for it. */
  readonly isInternal: boolean

  constructor(reason: RefusalReason, sentence: string, { isInternal = false } = {}) {
    super(sentence)
    this.name = 'MediaRefusal'
    this.reason = reason
    this.isInternal = isInternal
  }
}

/** Whether a client that was admitted before has lost that right. A check that could not be made takes no right away. */
export function isLoss(error: unknown): error is MediaRefusal {
  return error instanceof MediaRefusal && error.reason !== 'unavailable'
}
