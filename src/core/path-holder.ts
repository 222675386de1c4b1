import { type Account } from './account.ts'
import { AppError } from './errors.ts'

/** What a path of the media server is taken by. */
export type PathHolder =
  | { readonly kind: 'live-stream' }
  | { readonly kind: 'preview' }
  | { readonly kind: 'source' | 'output'; readonly accountId: string; readonly alias: string }

/** What somebody else has there is not named. */
export function pathInUse(account: Pick<Account, 'id'>, path: string, holder: PathHolder | undefined): AppError {
  return new AppError('path-in-use', { path, holder: nameOf(account.id, holder) })
}

function nameOf(accountId: string, holder: PathHolder | undefined): string {
  if (holder?.kind === 'live-stream') return 'a live stream'
  if (holder?.kind === 'preview') return 'the preview of another stream'
  const isOwn = holder !== undefined && holder.accountId === accountId
  return isOwn ? `the ${holder.kind} ${holder.alias}` : 'a stream, a source or an output'
}
