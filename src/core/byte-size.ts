const UNITS: Readonly<Record<string, number>> = { '': 1, B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 }

/** `500MB` → bytes, in powers of 1024 as the interface counts; undefined when it is no size. */
export function parseByteSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([KMGT]?B?)$/i.exec(text.trim())
  if (!match) return undefined
  const unit = match[2]!.toUpperCase()
  return Math.round(Number(match[1]) * UNITS[unit.length === 1 && unit !== 'B' ? `${unit}B` : unit]!)
}
