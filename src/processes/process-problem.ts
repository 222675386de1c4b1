import { ageInWords } from '../core/sentences.ts'
import { type TelemetryStatus } from '../core/telemetry-status.ts'
import { type Process } from './process.ts'

/** What is wrong with a process now. */
export interface ProcessProblem {
  /** Stays the same while the sentence only counts the seconds. */
  readonly cause: string
  readonly sentence: string
}

export interface ProblemFacts {
  readonly process: Pick<Process, 'state' | 'error' | 'sourceType'>
  /** What is wrong with the stream that it waits for; null when nothing is, and where it does not wait. */
  readonly streamProblem: string | null
  /** Since its last picture; null before the first. */
  readonly lastFrameAgeMs: number | null
  /** Of its last pictures, before how many something was lost on the way. */
  readonly lossShare: number
  /** Its source was given other telemetry since it began. */
  readonly hasOldTelemetry: boolean
  readonly telemetry: Pick<TelemetryStatus, 'error' | 'isSilent'> | null
  /** What is wrong with one of its outputs. */
  readonly outputError: string | null
}

/** Longer than it takes to notice that a stream is silent: packets come, and give no picture. */
const NO_PICTURE_MS = 15_000

/** Less than this is seen by nobody for long. */
const MAX_LOSS_SHARE = 0.05

const OLD_TELEMETRY =
  'Telemetry: The source was given other telemetry since this process started; stop and start it to use that.'

/** The worst of what is wrong: what has gone wrong with itself, then its pictures, its telemetry, its outputs. */
export function problemOf(facts: ProblemFacts): ProcessProblem | null {
  const { process, streamProblem, lastFrameAgeMs, lossShare, hasOldTelemetry, telemetry, outputError } = facts
  const { state, error, sourceType } = process
  if (error !== null) return { cause: error, sentence: error }
  // Another sentence is another cause, but for the seconds in it.
  if (streamProblem !== null) return { cause: streamProblem.replace(/\d+/g, ''), sentence: streamProblem }
  // Before its first picture, and while it is paused, nothing is missed.
  const isRunning = state === 'running'
  if (isRunning && sourceType === 'stream' && lastFrameAgeMs !== null && lastFrameAgeMs > NO_PICTURE_MS)
    return { cause: 'no-picture', sentence: `No picture for ${ageInWords(lastFrameAgeMs)}, though the stream goes on.` }
  if (isRunning && lossShare > MAX_LOSS_SHARE) return { cause: 'loss', sentence: lossSentence(lossShare) }
  if (hasOldTelemetry) return { cause: OLD_TELEMETRY, sentence: OLD_TELEMETRY }
  if (!isRunning) return null
  if (telemetry && telemetry.error !== null) {
    const sentence = `Telemetry: ${telemetry.error}`
    return { cause: telemetry.isSilent ? 'telemetry-silent' : sentence, sentence }
  }
  if (outputError !== null) {
    const sentence = `An output cannot be sent: ${outputError}`
    return { cause: sentence, sentence }
  }
  return null
}

function lossSentence(share: number): string {
  const percent = Math.round(100 * share)
  return `Parts of ${percent} % of the pictures are lost on the way: send them by TCP, or with a lower bitrate.`
}
