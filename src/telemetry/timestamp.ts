/** Seconds up to here are before the year 5138; milliseconds from here on are after March 1973. */
const MIN_MILLISECONDS = 1e11
/** ISO 8601 with a date and a time; without a zone it is UTC. */
const iso = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)\s?(Z|[+-]\d\d:?\d\d)?$/i

/**
 * A message's time in milliseconds since 1970, from seconds (with a fraction), milliseconds, microseconds or ISO 8601, distinguished
 * by their size and type; undefined when it is none of them. Zero is a clock that was never set.
 */
export function parseTimestamp(value: unknown): number | undefined {
  if (typeof value === 'string') return parseIso(value.trim())
  if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) return undefined
  if (value < MIN_MILLISECONDS) return value * 1000
  if (value < MIN_MILLISECONDS * 1000) return value
  return value < MIN_MILLISECONDS * 1e6 ? value / 1000 : undefined
}

function parseIso(text: string): number | undefined {
  const [, day, time, zone = 'Z'] = iso.exec(text) ?? []
  if (!day || !time) return undefined
  const withColon = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase()
  const ms = Date.parse(`${day}T${time.replace(',', '.')}${withColon}`)
  return Number.isNaN(ms) ? undefined : ms
}
