import { toZulu } from '../../core/clock.ts'
import { pictureCharsOf } from '../event-pictures.ts'
import { type AlertEvent } from './analysis.ts'
import { type FoundTrack } from './picture-wait.ts'

/** Tracks that were found and wait to be sent together. */
export interface FoundTracks {
  readonly list: readonly FoundTrack[]
  /** More would be too much to hold: they go before their time. */
  readonly isFull: boolean
  add(found: FoundTrack): void
  clear(): void
}

/** In one notification: 64 kB of tracks, without their pictures. */
const MAX_AT_ONCE = 100
/** Characters of pictures in one notification: with more it would be too large to be sent. */
const MAX_PICTURES_AT_ONCE = 700_000
const MAX_WAITING = 200
/** Characters of pictures that wait. */
const MAX_PICTURES_WAITING = 3_000_000

export function createFoundTracks(): FoundTracks {
  let waiting: FoundTrack[] = []
  let pictureChars = 0

  return {
    get list() {
      return waiting
    },
    get isFull() {
      return waiting.length >= MAX_WAITING || pictureChars >= MAX_PICTURES_WAITING
    },
    add(found) {
      waiting.push(found)
      pictureChars += charsOf(found)
    },
    clear() {
      waiting = []
      pictureChars = 0
    },
  }
}

/** As events, fewer in each where pictures are large. */
export function toFoundEvents(tracks: readonly FoundTrack[]): AlertEvent[] {
  const events: AlertEvent[] = []
  let left = tracks
  while (left.length > 0) {
    const count = fittingAtOnce(left)
    events.push(toFound(left.slice(0, count)))
    left = left.slice(count)
  }
  return events
}

const charsOf = ({ track }: FoundTrack) => pictureCharsOf([track])

/** At the time of the newest, which it shows. */
function toFound(found: readonly FoundTrack[]): AlertEvent {
  const newest = found.at(-1)!
  const tracks = found.map(({ track, seenAt }) => ({ ...track, timestamp: toZulu(seenAt.takenAtMs) }))
  return { event: 'found', data: { tracks, more: 0 }, seenAt: newest.seenAt, trackId: newest.track.track_id }
}

/** How many of these go into one notification. */
function fittingAtOnce(found: readonly FoundTrack[]): number {
  let chars = 0
  const overfull = found.findIndex((one, index) => {
    chars += charsOf(one)
    return index > 0 && (index >= MAX_AT_ONCE || chars > MAX_PICTURES_AT_ONCE)
  })
  return overfull === -1 ? found.length : overfull
}
