/** How long a receiver asks to be left alone: seconds or a date (RFC 9110 §10.2.3). */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - nowMs
  return ms > 0 ? ms : undefined
}
