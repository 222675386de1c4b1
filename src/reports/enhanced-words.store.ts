import { type RawBuilder, sql, SqliteAdapter } from 'kysely'
import { type Queryable } from '../storage/database.ts'

/** What tracks are searched by, out of the data of an enhancement in a column of JSON. */
export interface EnhancedWords {
  /** All colours, of the paint or of clothes, each between spaces; null where there is none. */
  readonly color: RawBuilder<string | null>
  readonly plate: RawBuilder<string | null>
}

/** Worked out by the database, since a report may have a hundred thousand tracks. */
export function enhancedWordsIn(db: Queryable, column: string): EnhancedWords {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const textIn = (object: string, name: string) =>
    isSqlite
      ? sql`json_extract(${sql.ref(column)}, ${sql.lit(`$.${object}.${name}`)})`
      : sql`(${sql.ref(column)}::json -> ${sql.lit(object)} ->> ${sql.lit(name)})`
  const word = (object: string) => sql`coalesce(' ' || ${textIn(object, 'name')}, '')`
  return {
    color: sql`nullif(${word('color')} || ${word('upper_color')} || ${word('lower_color')} || ' ', ' ')`,
    plate: sql`upper(${textIn('plate', 'text')})`,
  }
}
