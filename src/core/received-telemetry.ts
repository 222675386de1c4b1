/** The last telemetry message that was understood, as it is shown. */
export interface ReceivedTelemetry {
  /** Which one it is, counted from 1: another number is another message. */
  readonly number: number
  /** Since it came. */
  readonly ageMs: number
  /** In the interface's form, as its sender timed it. */
  readonly message: Readonly<Record<string, number>>
}
