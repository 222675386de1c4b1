import { type Kysely, sql } from 'kysely'

/** The disk budget has one job since, and nobody does this one any more. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`delete from job where kind = 'processed-video-budget'`.execute(db)
}
