import { type LastSeen } from './last-seen.ts'

/** Something that uses sources. */
export interface SourceUser {
  /** The processes that read it now. */
  processesOf(sourceId: string): readonly string[]
  /** Those of them that still work with telemetry that it had before. */
  withOldTelemetry(sourceId: string): readonly string[]
  /** One of them is there for its video, and does not merely wait for it to begin. */
  isVideoNeeded(sourceId: string): boolean
  /** The newest that one of them has got. */
  lastTelemetryOf(sourceId: string): LastSeen | null
  /** What is wrong now with the telemetry that one of them waits for; null when nothing is. */
  telemetryErrorOf(sourceId: string): string | null
  /** It is read from another address from now on. */
  onAddressChange(sourceId: string, inputUrl: string): void
}
