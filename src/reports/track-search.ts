import { type EnhancedData } from '../enhance/messages.ts'
import { type TimeRange } from '../core/request-fields.ts'
import { type TrackPictureRow } from '../storage/schema.ts'
import { type Circle } from './circle.ts'
import { type Patch, type SeenLocation } from './report.ts'

/** What is searched for among the tracks of an account; what is left out does not matter. */
export interface TrackSearch {
  /** Seen in it, by the clock of its stream. */
  readonly range: TimeRange
  readonly sourceId?: string | undefined
  readonly processId?: string | undefined
  readonly className?: string | undefined
  /** Any of these. */
  readonly classNames?: readonly string[] | undefined
  /** Of its paint, or of either piece of clothing. */
  readonly color?: string | undefined
  /** How its plate begins, in capitals. */
  readonly plate?: string | undefined
  /** Percent. */
  readonly minConfidence?: number | undefined
  readonly minSeconds?: number | undefined
  /** Where it was first or last located. */
  readonly near?: Circle | undefined
}

/** Tracks are listed by when they were first seen, which never changes: one that goes on does not move between pages. */
export interface TrackKey {
  readonly firstSeenAt: number
  readonly processId: string
  readonly trackId: number
}

/** A track as a search finds it: its whole life, in short. */
export interface FoundTrack extends TrackKey {
  /** Its key as text, which is also a cursor. */
  readonly id: string
  readonly sourceId: string
  /** Null once the source is removed. */
  readonly alias: string | null
  readonly classId: number
  readonly className: string
  /** Percent; null for what was last seen before it was kept. */
  readonly maxConfidence: number | null
  readonly lastSeenAt: number
  readonly firstLocation: SeenLocation | null
  readonly lastLocation: SeenLocation | null
  /** Null before any enhancement. */
  readonly enhanced: EnhancedData | null
  readonly patchRow: PatchRow | null
  /** Only where it was asked for. */
  readonly patch?: Patch | undefined
}

export type PatchRow = Pick<TrackPictureRow, 'file' | 'confidence' | 'taken_at'>

/** For `sort`: the order of the list, as databases have it too. */
export function newestFirst(a: TrackKey, b: TrackKey): number {
  if (a.firstSeenAt !== b.firstSeenAt) return b.firstSeenAt - a.firstSeenAt
  if (a.processId !== b.processId) return a.processId < b.processId ? 1 : -1
  return b.trackId - a.trackId
}

export function toCursor({ firstSeenAt, processId, trackId }: TrackKey): string {
  return `${firstSeenAt}.${processId}.${trackId}`
}

/** Before all that were first seen at this time or earlier: no track has these ids. */
export function keyBefore(firstSeenAt: number): TrackKey {
  return { firstSeenAt, processId: 'ffffffff-ffff-ffff-ffff-ffffffffffff', trackId: 999_999_999_999_999 }
}

export const CURSOR = /^(\d{1,15})\.([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(\d{1,15})$/

export function fromCursor(cursor: string): TrackKey {
  const [, firstSeenAt, processId, trackId] = CURSOR.exec(cursor)!
  return { firstSeenAt: Number(firstSeenAt), processId: processId!, trackId: Number(trackId) }
}
