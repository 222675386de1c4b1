import { type Account } from '../core/account.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { lockAccount, type Queryable } from '../storage/database.ts'
import { findOutputAt, hasSourceAt } from '../storage/path-holders.ts'
import { chooseCameraPath } from './camera-path.ts'
import { type Source } from './source.ts'

/**
 * Where the stream of a source is published, within the transaction that keeps it: a camera that has no path of its own
 * gets one that nobody else has, and that is not live by somebody who has registered nothing.
 */
export async function placeSource(
  tx: Queryable,
  { username }: Account,
  source: Source,
  isLive: (path: string) => boolean,
): Promise<Source | 'path-in-use'> {
  const hasOwnPath = source.mediaPath !== null && !(await isOfAnotherCamera(tx, source.mediaPath, source))
  if (hasOwnPath) return (await hasOutput(tx, source.mediaPath)) ? 'path-in-use' : source
  if (!source.isPulled) return source
  const isTaken = async (path: string) => isLive(path) || (await hasSourceAt(tx, path)) || hasOutput(tx, path)
  const mediaPath = (await sharedPath(tx, source)) ?? (await chooseCameraPath(username, source.alias, isTaken))
  return { ...source, mediaPath }
}

/** The path of another source of this account with the same camera: one connection serves both. */
async function sharedPath(tx: Queryable, { accountId, inputUrl, id }: Source): Promise<string | undefined> {
  const row = await tx
    .selectFrom('source')
    .select('media_path')
    .where('account_id', '=', accountId)
    .where('is_pulled', '=', 1)
    .where('input_url', '=', inputUrl)
    .where('id', '!=', id)
    .where('media_path', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return row?.media_path ?? undefined
}

/** One that was shared until this source got another address: a path has one camera, and the others keep theirs. */
async function isOfAnotherCamera(
  tx: Queryable,
  mediaPath: string,
  { id, isPulled, inputUrl }: Source,
): Promise<boolean> {
  if (!isPulled) return false
  const others = tx.selectFrom('source').select('id').where('media_path', '=', mediaPath).where('id', '!=', id)
  const row = await others.where('is_pulled', '=', 1).where('input_url', '!=', inputUrl).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Locks the account that owns the path, and so its outputs: a master may register a path of its child. */
async function hasOutput(tx: Queryable, mediaPath: string): Promise<boolean> {
  const owner = ownerOfPath(mediaPath)
  const account = await tx.selectFrom('account').select('id').where('username', '=', owner).executeTakeFirst()
  if (account) await lockAccount(tx, account.id)
  return (await findOutputAt(tx, mediaPath)) !== undefined
}
