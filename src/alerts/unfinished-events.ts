import { sha256Of } from '../core/digest.ts'
import { type AlertEvent, type EarlierEvent } from './analyses/analysis.ts'
import { type TrackWithPictures } from './event-pictures.ts'

/**
 * Names of all that is unfinished: of what goes on, of what waits for the end of a cooldown, of tracks that were found. By them it is known
 * what another node that goes on from the same events has sent.
 */
export function partsOf(events: readonly AlertEvent[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.endOf !== undefined) return nameOfEnd(event)
    return tracksOf(event)?.map((track) => nameOfTrack(event, track)) ?? listWaiting(event).map(nameOfWaiting)
  })
}

/** The events with what they have beside these parts; those that have nothing else are left out. */
export function withoutParts(events: readonly AlertEvent[], parts: ReadonlySet<string>): readonly AlertEvent[] {
  return events.flatMap((event) => {
    if (event.endOf !== undefined) return parts.has(nameOfEnd(event)) ? [] : event
    const tracks = tracksOf(event)?.filter((track) => !parts.has(nameOfTrack(event, track)))
    if (tracks) return tracks.length === 0 ? [] : { ...event, data: { ...event.data, tracks } }
    const waiting = listWaiting(event).filter((one) => !parts.has(nameOfWaiting(one)))
    const earlier = waiting.slice(0, -1) as EarlierEvent[]
    return waiting.slice(-1).map((newest) => ({ ...newest, ...(earlier.length > 0 && { earlier }) }))
  })
}

function listWaiting({ earlier = [], ...newest }: AlertEvent): readonly AlertEvent[] {
  return [...earlier, newest]
}

const tracksOf = ({ data }: AlertEvent) =>
  Array.isArray(data['tracks']) ? (data['tracks'] as TrackWithPictures[]) : undefined

/** Short: they stand beside each progress that waits in the spool. */
const nameOf = (...content: readonly unknown[]) => sha256Of(JSON.stringify(content)).slice(0, 16)

const nameOfEnd = ({ event, endOf }: AlertEvent) => nameOf(event, endOf)
const nameOfTrack = ({ event }: AlertEvent, track: TrackWithPictures) =>
  nameOf(event, { ...track, image: undefined, scene_image: undefined })
const nameOfWaiting = ({ event, seenAt, data }: AlertEvent) => nameOf(event, seenAt?.takenAtMs, data)
