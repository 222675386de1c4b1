/** The rows of what people leave behind at the console: each is of one key, and nobody else sees it. */

export interface PreferenceRow {
  account_id: string
  name: string
  /** JSON. */
  value: string
}

/** Somebody has looked at an alert event, or at a track. */
export interface SeenMarkRow {
  account_id: string
  /** The alert event, or the process of the track. */
  subject_id: string
  /** -1 of an alert event. */
  track_id: number
  /** When that happened which was seen: at or before `SeenUntilRow.at` it needs no mark. */
  at: number
}

/** Whatever happened until then was seen. */
export interface SeenUntilRow {
  account_id: string
  at: number
}

/** What a key used in one hour. */
export interface UsageHourRow {
  account_id: string
  /** When it begins. */
  hour: number
  milliseconds: number
}
