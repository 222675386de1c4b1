export interface Minutes {
  readonly lasts_minutes: number | null
  readonly minutes_low: boolean
}

/** What to say of minutes that run out soon; nothing when they do not. */
export function minutesWarning({ minutes_low, lasts_minutes }: Minutes): string {
  if (!minutes_low || lasts_minutes === null) return ''
  if (lasts_minutes === 0) return 'This key has no minutes left: nothing starts until more are given to it.'
  return `The minutes of this key last ${durationOf(lasts_minutes)} at what runs now; then its processes stop. Have more given to it, or stop what need not run.`
}

function durationOf(minutes: number): string {
  if (minutes < 1) return 'less than a minute'
  const [count, unit] = minutes < 120 ? [Math.floor(minutes), 'minute'] : [Math.floor(minutes / 60), 'hour']
  return `about ${count} ${unit}${count === 1 ? '' : 's'}`
}
