import { ageInWords } from '../core/sentences.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'

export interface SilenceFacts {
  /** Since the last good message; null before the first. */
  readonly ageMs: number | null
  /** Since the channel was opened. */
  readonly openForMs: number
  /** Values that are older locate nothing. */
  readonly maxAgeMs: number
  /** Where messages are expected. */
  readonly expected: string
  /** Why the last message was refused, and how long ago that is; null when none was. */
  readonly refused: { readonly sentence: string; readonly ageMs: number } | null
}

/** Links stutter: a shorter gap is no silence, however soon values are too old. */
const MIN_SILENCE_MS = 5_000
/** Senders are often switched on after the process. */
const FIRST_MESSAGE_MS = 10_000

/** The sentence about telemetry from which nothing good comes; null while it does. */
export function describeSilence({ ageMs, openForMs, maxAgeMs, expected, refused }: SilenceFacts): string | null {
  const silentAfterMs = Math.max(MIN_SILENCE_MS, maxAgeMs)
  if (ageMs === null ? openForMs <= FIRST_MESSAGE_MS : ageMs <= silentAfterMs) return null
  const since = ageMs === null ? 'yet' : `for ${ageInWords(ageMs)}`
  if (refused && refused.ageMs <= silentAfterMs) return `No message could be used ${since}: ${refused.sentence}`
  return ageMs === null
    ? `No message has come yet. ${expected}`
    : `No message ${since}: positions are not known. The sender or its link may be off.`
}

/** Where the sender of a process's telemetry is to send it. */
export function expectedAt(cfg: TelemetryCfg, processId: string): string {
  switch (cfg.type) {
    case 'websocket':
      return `Send it by websocket to /process/${processId}/telemetry.`
    case 'mqtt': {
      const { ip, port, topic } = cfg.parameters
      return `It is expected on the topic ${topic} of the broker ${ip}:${port}.`
    }
    case 'static':
      return ''
  }
}
