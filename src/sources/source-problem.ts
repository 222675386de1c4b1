import { ageInWords } from '../core/sentences.ts'
import { MAX_STREAM_SILENCE_MS } from '../core/stream-silence.ts'
import { type LastSeen } from '../core/last-seen.ts'
import { type SourceConnection } from './source.ts'

export interface SourceFacts {
  /** Null of files. */
  readonly connection: SourceConnection | null
  /** The last video that came; null where none has. */
  readonly lastFrame: LastSeen | null
  /** A process is there for its video, and does not merely wait for it to begin. */
  readonly isVideoNeeded: boolean
  /** What is wrong with the telemetry that its processes wait for; null when nothing is. */
  readonly telemetryError: string | null
  readonly now: number
}

/** How what is wrong with telemetry begins. */
export const TELEMETRY_PROBLEM = 'Telemetry: '

/** The sentence about what is wrong with a source now; null when all is well. */
export function describeSourceProblem(facts: SourceFacts): string | null {
  const { telemetryError } = facts
  return describeStreamProblem(facts) ?? (telemetryError === null ? null : `${TELEMETRY_PROBLEM}${telemetryError}`)
}

/** The same of its video alone. */
export function describeStreamProblem(facts: Omit<SourceFacts, 'telemetryError'>): string | null {
  const { connection, lastFrame, isVideoNeeded, now } = facts
  if (!connection) return null
  const { kind, state, since, lastError } = connection
  switch (state) {
    case 'connected': {
      const connectedMs = since === null ? Infinity : Math.max(0, now - since)
      const silentMs = Math.min(connectedMs, lastFrame?.ageMs ?? Infinity)
      return silentMs > MAX_STREAM_SILENCE_MS && silentMs < Infinity
        ? `Connected, but no video for ${ageInWords(silentMs)}.`
        : null
    }
    case 'lost':
      return lastError?.sentence ?? 'The camera is lost.'
    case 'connecting':
      // Between two tries it is lost as before; an error from before it last worked says nothing of now.
      return lastError && lastError.at >= (lastFrame?.atMs ?? 0) ? lastError.sentence : null
    case 'offline':
      if (!isVideoNeeded || kind === 'pulled') return null
      return lastFrame ? `Nothing has been sent for ${ageInWords(lastFrame.ageMs)}.` : 'Nothing is being sent.'
    case 'idle':
      return null
  }
}

/** Of a source that is recorded by event while nothing looks for any. */
export const UNWATCHED =
  'Recorded by event, and no process looks at it: nothing is kept for longer than an hour. Start one, or set recording_mode to always.'
