export type SourceRight = 'watch' | 'events' | 'control'

/** A source as far as it says what its reader may do with it. */
export interface SeenSource {
  readonly source_uuid: string
  readonly owner?: string
  /** What was given on it; null of one's own, with which everything may be done. */
  readonly rights?: readonly SourceRight[] | null
}

/** Whether it belongs to somebody else, who has given some right on it. */
export const isOfOthers = (source: SeenSource | undefined): boolean => !!source?.rights

/** Of one's own, and of a source that is removed: what may not be done is refused in words anyway. */
export const may = (source: SeenSource | undefined, right: SourceRight): boolean =>
  source?.rights?.includes(right) ?? true

export const NOT_WATCHED = 'This key may read what is seen here, and not watch it.'
