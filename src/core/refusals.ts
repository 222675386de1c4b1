import { type Account } from './account.ts'
import { AppError, type InputError } from './errors.ts'

/** Nothing is at this address; `instead` ends the sentence, with what was probably meant. */
export function notFound(method: string, path: string, instead = 'see /docs for what there is.'): AppError {
  return new AppError('not-found', { method, path, instead })
}

/** The answer to input of which each of these places is wrong. */
export function inputInvalid(errors: readonly InputError[], cause?: unknown): AppError {
  return new AppError('input-invalid', {}, { errors, cause })
}

/** Why a file is not sent, as a problem of ours: the library that sends files would answer a page of HTML. */
export function fileRefusal(status: number, otherwise: AppError): AppError {
  if (status === 412) return new AppError('precondition-failed')
  if (status === 416) return new AppError('range-not-satisfiable')
  return otherwise
}

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
