import { type QuietHours } from './contact.ts'
import { dropOldest } from './drop-oldest.ts'

const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
/** They are large, and one zone can be written in many ways. */
const MAX_FORMATS = 500
const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Whether nobody is to be disturbed now. What counts is the clock on the wall of the zone: where that is put forward or back within quiet
 * hours they are an hour shorter or longer.
 */
export function isQuiet(quiet: QuietHours | null, nowMs: number): boolean {
  if (!quiet) return false
  const { time, day } = wallClock(quiet.timeZone, nowMs)
  const isOn = (one: number) => !quiet.days?.length || quiet.days.includes(one)
  const { from, to } = quiet
  if (from < to) return from <= time && time < to && isOn(day)
  // After midnight they belong to the day before.
  return (time >= from && isOn(day)) || (time < to && isOn(day === 1 ? 7 : day - 1))
}

/** `HH:MM` and the day of the week, 1 (Monday) … 7. */
function wallClock(timeZone: string, nowMs: number): { time: string; day: number } {
  const parts = formatOf(timeZone).formatToParts(nowMs)
  const part = (type: string) => parts.find((one) => one.type === type)!.value
  return { time: `${part('hour')}:${part('minute')}`, day: DAYS.indexOf(part('weekday')) + 1 }
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short', hour: '2-digit', minute: '2-digit' })
  formats.set(timeZone, made)
  dropOldest(formats, MAX_FORMATS)
  return made
}

/** The time of day there, as `HH:MM`. */
export const timeOfDay = (timeZone: string, atMs: number): string => wallClock(timeZone, atMs).time

/** Whether there is such a zone; names of zones are the only ones that have summer time. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name)
    return !/^[+-]/.test(name)
  } catch {
    return false
  }
}
