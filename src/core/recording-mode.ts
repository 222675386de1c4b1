/** What is kept of a stream: all of it, for long only what shows something with a little before and after it, or nothing. */
export const recordingModes = ['always', 'events', 'off'] as const
export type RecordingMode = (typeof recordingModes)[number]

/** What is kept of a stream, as its owner has chosen it. */
export interface RecordingChoice {
  readonly recordingMode: RecordingMode
  /** Of mode `events` the classes that count, none where alerts alone do; null for all. */
  readonly recordingClasses: readonly string[] | null
}

/** Its stream is written while it sends. */
export const isRecorded = ({ recordingMode }: Pick<RecordingChoice, 'recordingMode'>): boolean =>
  recordingMode !== 'off'
