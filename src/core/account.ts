export interface Limits {
  /** Registered, and published at the same time. */
  readonly maxSources: number
  readonly maxOutputs: number
  /** Outputs attached to one process at the same time. */
  readonly maxAttachedOutputs: number
  /** Processes at the same time. */
  readonly maxProcesses: number
  /** Streams that are made into HLS at the same time. */
  readonly maxHlsStreams: number
  /** Of its streams, watching and publishing, at the same time. */
  readonly maxWebrtcSessions: number
  /** Of its streams by RTSP and RTMP at the same time. */
  readonly maxReaders: number
  readonly maxVideoUploadSizeBytes: number
  readonly totalStorageSizeBytes: number
}

export interface Features {
  readonly trackLogger: boolean
  readonly enhancement: boolean
  readonly processRecording: boolean
  readonly recordingRetentionDays: number
  /** Of parts in which something was tracked: never less than of all. */
  readonly trackRetentionDays: number
  /** Of parts that an alert is about, and of its events: never less than of those with tracks. */
  readonly alertRetentionDays: number
}

/** Who owns keys, minutes and video. Limits, features and expiry are what counts: never more than the master's. */
export interface Account {
  readonly id: string
  readonly username: string
  /** The master that this account belongs to; null for a master. */
  readonly masterId: string | null
  readonly limits: Limits
  readonly features: Features
  /** `YYYY-MM-DD`, the last day (UTC) on which the key works; null for ever. */
  readonly expirationDate: string | null
  readonly createdAt: number
}

/** The username of the master that the first start makes: the operator's own. */
export const FIRST_MASTER = 'admin'

export function isMaster(account: Pick<Account, 'masterId'>): boolean {
  return account.masterId === null
}
