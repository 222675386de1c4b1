/** Why the media server says no. Each protocol has its own words and numbers for these. */
export type RefusalReason =
  /** Nothing was sent that says who asks; asking again with credentials makes sense. */
  | 'credentials-needed'
  | 'credentials-wrong'
  /** Known, but not for this path or this action. */
  | 'forbidden'
  | 'path-invalid'
  /** Somebody else publishes there, or the path is set aside. */
  | 'path-in-use'
  /** Nobody publishes there. */
  | 'not-live'
  | 'too-many-readers'
  /** The key allows no more of this at a time. */
  | 'limit-reached'
  /** Who may do what could not be found out just now. */
  | 'unavailable'

export class MediaRefusal extends Error {
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, sentence: string) {
    super(sentence)
    this.name = 'MediaRefusal'
    this.reason = reason
  }
}

/** Whether who was let in before has lost that right. Who could not be asked, for whatever reason, has taken nobody's. */
export function isLoss(error: unknown): error is MediaRefusal {
  return error instanceof MediaRefusal && error.reason !== 'unavailable'
}
