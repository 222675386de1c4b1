import { type Queryable } from './database.ts'
import { type OutputRow } from './schema.ts'

/** What is registered for a path of the media server. Sources and outputs share its names, and each looks for the other. */

export async function hasSourceAt(tx: Queryable, mediaPath: string): Promise<boolean> {
  const row = await tx.selectFrom('source').select('id').where('media_path', '=', mediaPath).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Of several outputs, the one that is attached. */
export function findOutputAt(tx: Queryable, mediaPath: string): Promise<OutputRow | undefined> {
  return tx
    .selectFrom('output')
    .selectAll()
    .where('media_path', '=', mediaPath)
    .orderBy((eb) => eb.case().when('process_id', 'is', null).then(1).else(0).end())
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}
