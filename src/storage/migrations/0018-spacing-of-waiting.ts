import { type Kysely, sql } from 'kysely'

/** What an older version left to be sent, or to be sent again, is spaced as its subscription says. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`update delivery set spacing_ms = (select backoff_ms from webhook_subscription
      where webhook_subscription.id = substr(delivery.channel, 9))
    where spacing_ms = 0 and channel like 'webhook:%' and substr(channel, 9) in (select id from webhook_subscription)`.execute(
    db,
  )
}
