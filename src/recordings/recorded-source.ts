import { isRecorded, type RecordingMode } from '../core/recording-mode.ts'

/** What a recording has to know of the source that it is of. */
export interface RecordedSource {
  readonly id: string
  readonly accountId: string
  readonly alias: string
  readonly recordingMode: RecordingMode
}

/**
 * The source that a path is recorded for, and how: of all that are to be recorded the first that was registered, by event only where
 * none of its account's is to be kept always.
 */
export function chooseRecordedSource(onPath: readonly RecordedSource[]): RecordedSource | undefined {
  const recorded = onPath.filter(isRecorded)
  const [first] = recorded
  if (!first) return undefined
  const ofAccount = recorded.filter(({ accountId }) => accountId === first.accountId)
  return {
    ...first,
    recordingMode: ofAccount.some(({ recordingMode }) => recordingMode === 'always') ? 'always' : 'events',
  }
}
