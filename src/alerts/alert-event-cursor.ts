/** Alert events are listed by the stream's clock, and those of one moment by their ids. */
export interface EventKey {
  readonly at: number
  readonly id: string
}

export const EVENT_CURSOR = /^(-?\d{1,15})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

export const toEventCursor = ({ at, id }: EventKey) => `${at}.${id}`

export function fromEventCursor(cursor: string): EventKey {
  const [, at, id] = EVENT_CURSOR.exec(cursor)!
  return { at: Number(at), id: id! }
}

/** For `sort`: the order of the list, as databases have it too. */
export function newestFirst(one: EventKey, other: EventKey): number {
  if (one.at !== other.at) return other.at - one.at
  return one.id < other.id ? 1 : -1
}
