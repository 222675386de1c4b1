import { type LastSeen } from './last-seen.ts'

/** How it goes with the telemetry of a live process. */
export interface TelemetryStatus {
  readonly type: 'mqtt' | 'websocket' | 'static'
  readonly format: 'native' | 'vendor_a'
  /** The last good message; null before the first. */
  readonly last: LastSeen | null
  /** How long messages take to arrive, by their own times; null before the first, and while those cannot be believed. */
  readonly delayMs: number | null
  /** By whose clock messages are placed in time; null before the first. */
  readonly clock: 'sender' | 'arrival' | null
  /** Why it is not the sender's. */
  readonly clockNote: string | null
  /** How many messages were not used, by reason. */
  readonly rejected: Readonly<Record<string, number>>
  /** What is wrong now: with the channel, or that nothing good comes by it. */
  readonly error: string | null
  /** The error is about silence: its sentence changes as time goes on. */
  readonly isSilent: boolean
}
