/** What is shown of the telemetry of a live process. */
export interface ProcessTelemetry {
  readonly type: string
  readonly format: string
  readonly lastAtMs: number | null
  readonly ageMs: number | null
  readonly delayMs: number | null
  readonly clock: 'sender' | 'arrival' | null
  readonly clockNote: string | null
  readonly rejected: Readonly<Record<string, number>>
  readonly error: string | null
  /** The error is about silence: its sentence changes as time goes on. */
  readonly isSilent: boolean
}
