import { type Db } from './database.ts'
import { readServiceSecret } from './secret-files.ts'

const LINK_SECRET = 'link.secret'

/**
 * The secret that signs our links, as all nodes of a service know it: the first one brings its own, and every other takes that, so
 * that a link from one is good at all. The file of its own that a node has beside its data is then for nothing.
 */
export async function sharedServiceSecret(db: Db, dataDir: string): Promise<string> {
  await db
    .insertInto('service_secret')
    .values({ name: LINK_SECRET, value: readServiceSecret(dataDir) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const { value } = await db
    .selectFrom('service_secret')
    .select('value')
    .where('name', '=', LINK_SECRET)
    .executeTakeFirstOrThrow()
  return value
}
