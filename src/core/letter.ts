import { type HeldSum } from './contact.ts'
import { timeOfDay } from './quiet-hours.ts'
import { shortened } from './sentences.ts'

/** A notification as a person reads it. */
export interface Letter {
  /** One line. */
  readonly title: string
  readonly text: string
  /** The alert event whose picture goes along. */
  readonly eventId: string | null
  readonly pictureUrl: string | null
  readonly clipUrl: string | null
}

/** What goes to contacts beside notifications: a sum of those that were held back. */
export interface SumBody {
  readonly contact_sum: HeldSum
}

const MAX_TITLE_LENGTH = 200
const MAX_TEXT_LENGTH = 1_000
const MAX_WORD_LENGTH = 100
const MAX_CLASSES = 8

type Fields = Readonly<Record<string, unknown>>

/** Under what a notification is counted where it is held back: `<alert> (<camera>)`. */
export function labelOf(body: string): string {
  const { alias, source_alias: camera } = JSON.parse(body) as Fields
  return camera ? `${word(alias)} (${word(camera)})` : word(alias)
}

/** Where a track is from moment to moment is nothing for people. */
export const isForPeople = (body: string): boolean => (JSON.parse(body) as Fields)['event'] !== 'update'

/** What a contact reads of a message of the outbox, with times of its zone. */
export function toLetter(body: string, timeZone: string): Letter {
  const message = JSON.parse(body) as Fields & Partial<SumBody>
  return message.contact_sum ? toSumLetter(message.contact_sum, timeZone) : toEventLetter(message, timeZone)
}

export function toTestLetter(alias: string): Letter {
  const text = 'This is a test of the contact. Alerts that name it arrive like this.'
  return { ...plain, title: oneLine(`Test · ${alias}`), text }
}

const plain = { eventId: null, pictureUrl: null, clipUrl: null }

function toSumLetter({ count, fromMs, labels, others }: HeldSum, timeZone: string): Letter {
  const counted = [...Object.entries(labels), ...(others > 0 ? ([['others', others]] as const) : [])]
  return {
    ...plain,
    title: `${count} more since ${timeOfDay(timeZone, fromMs)}`,
    text: shortened(counted.map(([label, times]) => `${times} × ${label}`).join(', '), MAX_TEXT_LENGTH),
  }
}

function toEventLetter(message: Fields, timeZone: string): Letter {
  const { alias, source_alias: camera, timestamp, earlier } = message
  const data = fieldsOf(message['data'])
  const what = [sentenceOf(String(message['event']), data), placeIn(data)].filter(Boolean).join(', ')
  const more = Array.isArray(earlier) && earlier.length > 0 ? `${earlier.length} more before that.` : ''
  const lines = [what, timeIn(timeZone, Date.parse(String(timestamp))), more]
  return {
    title: oneLine(camera ? `${word(alias)} · ${word(camera)}` : word(alias)),
    text: shortened(lines.filter(Boolean).join('\n'), MAX_TEXT_LENGTH),
    eventId: textOrNull(message['event_uuid']),
    pictureUrl: textOrNull(message['picture_url']),
    clipUrl: textOrNull(message['clip_url']),
  }
}

function sentenceOf(event: string, data: Fields): string {
  const { tracks, track, line, total_count: total, direction } = data
  if (Array.isArray(tracks)) return classesOf(tracks)
  const way = typeof direction === 'string' ? `, ${direction.replaceAll('_', ' ')}` : ''
  if (track && line !== undefined) return `${classesOf([track])} across ${word(line)}${way}`
  if (track) return `${classesOf([track])}: ${event}`
  if (total !== undefined) return `${event}: ${Number(total)} there, ${Number(data['highest_count'])} in one place`
  return line === undefined ? event : `${word(line)}: ${event}`
}

/** `2 × person, car` */
function classesOf(tracks: readonly unknown[]): string {
  const counts = new Map<string, number>()
  for (const track of tracks) {
    const name = word(fieldsOf(track)['class_name'])
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const listed = [...counts].slice(0, MAX_CLASSES).map(([name, count]) => (count === 1 ? name : `${count} × ${name}`))
  return counts.size > MAX_CLASSES ? `${listed.join(', ')} …` : listed.join(', ')
}

function placeIn({ tracks, track }: Fields): string | undefined {
  const { latitude, longitude } = fieldsOf(Array.isArray(tracks) ? tracks[0] : track)
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return undefined
  return `at ${latitude.toFixed(6)}, ${longitude.toFixed(6)}`
}

function timeIn(timeZone: string, atMs: number): string {
  if (Number.isNaN(atMs)) return ''
  return (
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' }).format(atMs) +
    ` (${timeZone})`
  )
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)
const word = (value: unknown) => shortened(oneLine(typeof value === 'string' ? value : ''), MAX_WORD_LENGTH)

/** Titles go into headers. */
function oneLine(text: string): string {
  return shortened(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim(), MAX_TITLE_LENGTH)
}
