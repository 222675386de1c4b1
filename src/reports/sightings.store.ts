import { setImmediate as nextRound } from 'node:timers/promises'
import { type Db } from '../storage/database.ts'
import { type TrackChunkRow, type TrackRow } from '../storage/schema.ts'
import { type FrameBox, type PlaceNumbers } from './report.ts'
import { fromList, indexesWithin } from './stored-track.ts'

/** What was seen of one track in a window, in the order in which it was seen; lists that were not asked for are empty. */
export interface Sightings {
  readonly times: readonly number[]
  readonly confidences: readonly number[]
  readonly boxes: readonly FrameBox[]
  readonly places: readonly (PlaceNumbers | null)[]
}

export interface SightingsRequest {
  readonly since: number
  readonly until: number
  readonly wantsBoxes: boolean
  readonly wantsPlaces: boolean
}

/** Pieces of history that are read and parsed at once: a track that is seen for days has hundreds of thousands of sightings. */
const CHUNKS_AT_ONCE = 1_000

/** Of each of these tracks, by their ids. */
export async function readSightings(
  db: Db,
  processId: string,
  { since, until, wantsBoxes, wantsPlaces }: SightingsRequest,
  tracks: readonly Pick<TrackRow, 'track_id' | 'first_seen_at'>[],
): Promise<ReadonlyMap<number, Sightings>> {
  const read = new Map(
    tracks.map(({ track_id, first_seen_at }) => [track_id, { firstSeenAt: first_seen_at, pieces: [] as Sightings[] }]),
  )
  const chunks = db
    .selectFrom('track_chunk')
    .select(['track_id', 'chunk', 'times', 'confidences'])
    .$if(wantsBoxes, (query) => query.select('boxes'))
    .$if(wantsPlaces, (query) => query.select('places'))
    .where('process_id', '=', processId)
    .where('track_id', 'in', [...read.keys()])
    // A sum, so that these few are not looked for by the index of times: that would sort the whole window for each page.
    .where((eb) => eb(eb('last_at', '+', 0), '>=', since))
    .where('first_at', '<', until)
    .orderBy('track_id')
    .orderBy('chunk')
    .limit(CHUNKS_AT_ONCE)
  for (let last: { track_id: number; chunk: number } | undefined; ;) {
    const some = await chunks
      .$if(last !== undefined, (query) =>
        query.where((eb) => eb(eb.refTuple('track_id', 'chunk'), '>', eb.tuple(last!.track_id, last!.chunk))),
      )
      .execute()
    for (const chunk of some) {
      const { firstSeenAt, pieces } = read.get(chunk.track_id)!
      pieces.push(readChunk(chunk, firstSeenAt, since, until))
    }
    last = some.at(-1)
    if (some.length < CHUNKS_AT_ONCE) return new Map([...read].map(([id, { pieces }]) => [id, joined(pieces)]))
    await nextRound()
  }
}

type ReadChunk = Pick<TrackChunkRow, 'times' | 'confidences'> & Partial<Pick<TrackChunkRow, 'boxes' | 'places'>>

function readChunk(chunk: ReadChunk, firstSeenAt: number, since: number, until: number): Sightings {
  const times = fromList<number>(chunk.times).map((offset) => firstSeenAt + offset)
  const within = indexesWithin(times, since, until)
  const pick = <T>(values: T[]) => (within === 'all' ? values : within.map((index) => values[index]!))
  return {
    times: pick(times),
    confidences: pick(fromList<number>(chunk.confidences)),
    boxes: chunk.boxes === undefined ? [] : pick(fromList<FrameBox>(chunk.boxes)),
    places: chunk.places === undefined ? [] : pick(fromList<PlaceNumbers | null>(chunk.places)),
  }
}

/** Most tracks have one piece, whose lists need no copy. */
function joined(pieces: readonly Sightings[]): Sightings {
  const [first] = pieces
  if (first && pieces.length === 1) return first
  return {
    times: pieces.flatMap(({ times }) => times),
    confidences: pieces.flatMap(({ confidences }) => confidences),
    boxes: pieces.flatMap(({ boxes }) => boxes),
    places: pieces.flatMap(({ places }) => places),
  }
}
