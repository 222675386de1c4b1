/** A moment for people: of today its time alone. */
export function timeWords(moment: string, now = new Date()): string {
  const date = new Date(moment)
  const time = { hour: 'numeric', minute: '2-digit' } as const
  if (date.toDateString() === now.toDateString()) return date.toLocaleTimeString([], time)
  return date.toLocaleString([], { day: 'numeric', month: 'short', ...time })
}

/** How long ago something was, as exactly as it matters. */
export function agoWords(ageMs: number): string {
  const seconds = Math.round(ageMs / 1000)
  if (seconds < 120) return `${seconds} s ago`
  const minutes = Math.floor(seconds / 60)
  return minutes < 120 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}
