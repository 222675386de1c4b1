/** Where a file of recorded video can be cut, so that it need not be opened to be listed. */
export interface FragmentIndex {
  /** Bytes of `ftyp` and `moov`, with which each piece must begin. */
  readonly init: number
  /** The first 16 hex digits of their SHA-256: what has another one is of another format. */
  readonly initHash: string
  /** As in an HLS playlist (RFC 6381), the video first. */
  readonly codecs: string
  readonly width: number
  readonly height: number
  /** The video first. The timescale is that of the track's decoding times. */
  readonly tracks: readonly RecordedMediaTrack[]
  /** In order, the first at 0 ms. Each begins with a keyframe. */
  readonly groups: readonly FragmentGroup[]
  /** The byte behind the last `mdat`: what follows, such as `mfra`, is in no piece. */
  readonly end: number
  /** How long its samples take; more than the file's duration where they came faster than time passed. Null of an earlier version. */
  readonly mediaMs: number | null
}

export interface RecordedMediaTrack {
  readonly id: number
  readonly kind: 'video' | 'audio'
  readonly timescale: number
}

/** A group of pictures, of at least two seconds. */
export interface FragmentGroup {
  /** From the beginning of the file. */
  readonly ms: number
  /** Of its first `moof`. */
  readonly byte: number
}

/** A file of a recording. */
export interface RecordedFile {
  readonly id: string
  readonly recordingId: string
  readonly accountId: string
  readonly sourceId: string
  /** Below the data folder. */
  readonly file: string
  /** The node that has it; null in a service of one node. */
  readonly nodeId: string | null
  readonly startedAt: number
  /** Null while it is written; of a recording that has ended, where the file could not be read. */
  readonly durationMs: number | null
  readonly sizeBytes: number
  /** What was missed before it; null where nobody measured it. */
  readonly gapMs: number | null
  /** Null while it is written, where it could not be read, and of an earlier version. */
  readonly index: FragmentIndex | null
}

/** From a moment to another, in milliseconds since the epoch. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/** Recordings as one time line, for features that stand on them. */
export interface RecordedTime {
  /** The files that overlap a stretch, by time. A path is recorded once, for one of the account's sources on it: those count for all of them. */
  filesOf(sourceId: string, stretch: Stretch): Promise<readonly RecordedFile[]>
  /** A path on this disk: where it is, or where it was brought to in `scratch`, from the store or its node. Undefined when it is gone. */
  bring(file: RecordedFile, scratch: string, signal: AbortSignal): Promise<string | undefined>
}
