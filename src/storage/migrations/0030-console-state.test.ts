import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anAlertEventRow } from '../../../test/builders/recorded-rows.ts'
import { createTestDatabase, dialects, type TestDatabase } from '../../../test/support/databases.ts'
import { createDatabaseBefore } from '../../../test/support/older-database.ts'
import { readBackup, writeBackup } from '../backup.ts'
import { type Db } from '../database.ts'
import { migrate } from '../migrate.ts'
import { tableNames } from '../schema.ts'

const VERSION = '0030-console-state'

const red = { name: 'red', confidence: 0.9 }
const blue = { name: 'blue', confidence: 0.8 }
const nothing = { color: null, plate: null, upper_color: null, lower_color: null }

/** What enhancements of before found, and what tracks are to be found by now. */
const enhanced: readonly [data: object | null, color: string | null, plate: string | null][] = [
  [null, null, null],
  [nothing, null, null],
  [{ ...nothing, color: red, plate: { text: 'MA17', confidence: 0.9 } }, ' red ', 'MA17'],
  [{ ...nothing, upper_color: blue, lower_color: red }, ' blue red ', null],
  [{ ...nothing, lower_color: blue, plate: { text: 'ma1' } }, ' blue ', 'MA1'],
  // An older version found out less.
  [{ color: red }, ' red ', null],
]

async function addRows(db: Db): Promise<void> {
  for (const [index, [data]] of enhanced.entries())
    await sql`insert into track (process_id, track_id, class_id, class_name, sightings, first_seen_at, last_seen_at, box,
      account_id, source_id, enhanced_data)
      values ('p', ${index}, 0, 'car', 1, 5, 6, '[]', 'bob', 'cam', ${data && JSON.stringify(data)})`.execute(db)
}

async function addNewRows(db: Db): Promise<void> {
  await db.insertInto('preference').values({ account_id: 'bob', name: 'zoom', value: '{"a":[1]}' }).execute()
  const mark = { account_id: 'bob', subject_id: 'event', at: 1_500 }
  await db
    .insertInto('seen_mark')
    .values([
      { ...mark, track_id: -1 },
      { ...mark, subject_id: 'p', track_id: 7 },
    ])
    .execute()
  await db.insertInto('seen_until').values({ account_id: 'bob', at: 1_000 }).execute()
  await db.insertInto('usage_hour').values({ account_id: 'bob', hour: 3_600_000, milliseconds: 12_345 }).execute()
  await db
    .insertInto('alert_event')
    .values(anAlertEventRow({ classes: '["person"]' }))
    .execute()
}

describe.each(dialects)('console state on %s', (dialect) => {
  let database: TestDatabase
  let db: Db
  beforeEach(async () => {
    database = await createDatabaseBefore(VERSION, dialect)
    db = database.db
    await addRows(db)
  })
  afterEach(() => database.remove())

  test('tracks that were enhanced before are found by colour and plate', async () => {
    await migrate(db)
    const rows = await db.selectFrom('track').select(['color', 'plate']).orderBy('track_id').execute()
    expect(rows).toEqual(enhanced.map(([, color, plate]) => ({ color, plate })))
  })

  test('alert events of before name no classes', async () => {
    const { classes: _classes, ...before } = anAlertEventRow()
    await db.insertInto('alert_event').values(before).execute()
    await migrate(db)
    expect(await db.selectFrom('alert_event').select('classes').execute()).toEqual([{ classes: null }])
  })

  test.each(dialects)('a backup of before is restored in %s, and one of all that is new too', async (to) => {
    const file = join(tmpdir(), `aerie-console-${process.pid}-${dialect}-${to}`)
    const target = await createTestDatabase(to)
    try {
      await writeBackup(database, {}, file)
      await readBackup(target, file)
      expect(await target.db.selectFrom('track').select('color').where('track_id', '=', 2).execute()).toEqual([
        { color: ' red ' },
      ])

      await migrate(db)
      await addNewRows(db)
      await writeBackup(database, {}, file)
      await readBackup(target, file)
      for (const table of tableNames)
        expect([table, await target.db.selectFrom(table).selectAll().execute()]).toEqual([
          table,
          await db.selectFrom(table).selectAll().execute(),
        ])
    } finally {
      rmSync(file, { force: true })
      await target.remove()
    }
  })

  test('there is one preference of a name, one mark of a thing and one sum of an hour', async () => {
    await migrate(db)
    await addNewRows(db)
    await expect(addNewRows(db)).rejects.toThrow(/unique/i)
    await expect(
      db.insertInto('usage_hour').values({ account_id: 'bob', hour: 3_600_000, milliseconds: 1 }).execute(),
    ).rejects.toThrow(/unique/i)
  })
})
