import { type Expression, type ExpressionBuilder, type SqlBool } from 'kysely'
import { type Db } from '../storage/database.ts'
import { type Tables, type TrackRow } from '../storage/schema.ts'
import { boxAround, type Circle, type DegreeBox, isWithin } from './circle.ts'
import { newestFirst, toCursor, type TrackKey } from './track-search.ts'

export const placeColumns = ['first_latitude', 'first_longitude', 'last_latitude', 'last_longitude'] as const
export type PlacedRow = Pick<TrackRow, (typeof placeColumns)[number]>

/** More are found sooner in the order of time, where they lie close to each other. */
const MAX_IN_BAND = 1_000

/**
 * The tracks of an account that were first or last located in a circle, newest first; undefined where many were as far north as it.
 * The index goes by latitude: all of that band is looked at, however few lie in the circle.
 */
export async function listNear(db: Db, accountId: string, circle: Circle): Promise<TrackKey[] | undefined> {
  const box = boxAround(circle)
  const found = new Map<string, TrackKey>()
  for (const which of ['first', 'last'] as const) {
    const ofAccount = db.selectFrom('track').where('account_id', '=', accountId)
    const inBand = ofAccount
      .where(`${which}_latitude`, '>=', box.south)
      .where(`${which}_latitude`, '<=', box.north)
      .select(`${which}_latitude`)
      .limit(MAX_IN_BAND + 1)
    // By the index alone.
    const { count } = await db
      .selectFrom(inBand.as('some'))
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    if (count > MAX_IN_BAND) return undefined
    const rows = await ofAccount
      .where((eb) => isInBox(eb, which, box))
      .select(['process_id', 'track_id', 'first_seen_at', ...placeColumns])
      .execute()
    for (const row of rows) {
      const key = { firstSeenAt: row.first_seen_at, processId: row.process_id, trackId: row.track_id }
      if (isRowWithin(circle, row)) found.set(toCursor(key), key)
    }
  }
  return [...found.values()].sort(newestFirst)
}

/** As a sum a column has no index: what is read in the order of time is not to be looked for by its place. */
function isInBox(
  eb: ExpressionBuilder<Tables, 'track'>,
  which: 'first' | 'last',
  { south, north, longitudes }: DegreeBox,
  isByIndex = true,
): Expression<SqlBool> {
  const valueOf = (name: 'latitude' | 'longitude') =>
    isByIndex ? eb.ref(`${which}_${name}`) : eb(`${which}_${name}`, '+', 0)
  return eb.and([
    eb.between(valueOf('latitude'), south, north),
    eb.or(longitudes.map(([west, east]) => eb.between(valueOf('longitude'), west, east))),
  ])
}

/** Where it was first located, or last. */
export function isRowWithin(circle: Circle, row: PlacedRow): boolean {
  const places = [
    [row.first_latitude, row.first_longitude],
    [row.last_latitude, row.last_longitude],
  ]
  return places.some(
    ([latitude, longitude]) =>
      typeof latitude === 'number' && typeof longitude === 'number' && isWithin(circle, { latitude, longitude }),
  )
}

/** The same, of those that are read in the order of time: what the database can decide. */
export function isNearby(eb: ExpressionBuilder<Tables, 'track'>, circle: Circle): Expression<SqlBool> {
  const box = boxAround(circle)
  return eb.or([isInBox(eb, 'first', box, false), isInBox(eb, 'last', box, false)])
}
