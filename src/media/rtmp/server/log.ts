/** What the RTMP server writes to its log. Never holds keys, tokens or passwords. */
export interface Log {
  info(fields: Readonly<Record<string, unknown>>, text: string): void
  warn(fields: Readonly<Record<string, unknown>>, text: string): void
}
