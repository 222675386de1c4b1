import { type OutputType } from './kinds/kinds.ts'

/** Where the results of a process go, registered by an account and attached to one process at a time. */
export interface Output {
  readonly id: string
  readonly accountId: string
  readonly alias: string
  readonly type: OutputType
  /** With its password; null for the websockets, which need none. */
  readonly url: string | null
  /** Of an RTSP output: its path on our media server. */
  readonly mediaPath: string | null
  readonly settings: Resolution | null
  readonly processId: string | null
  readonly createdAt: number
}

export const resolutions = ['360p', '720p', '1080p'] as const
export type Resolution = (typeof resolutions)[number]

export function linesOf(settings: Resolution | null): number | null {
  return settings === null ? null : parseInt(settings, 10)
}
