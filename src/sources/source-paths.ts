import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { inputInvalid } from '../core/refusals.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type MediaAddresses } from '../streams/media-addresses.ts'
import { type DialCheck } from './dial-check.ts'
import { type Source } from './source.ts'
import { type SourceRegistry } from './source-registry.ts'
import { type SourceStore } from './sources.store.ts'

export interface SourcePathDeps {
  readonly store: Pick<SourceStore, 'findById'>
  readonly registry: Pick<SourceRegistry, 'change'>
  readonly streams: { readonly addresses: Pick<MediaAddresses, 'pathOf'> }
  /** The sources on these paths have changed. */
  readonly refresh: (...paths: readonly (string | null)[]) => Promise<void>
  readonly owners: { mayUse(account: Account, username: string): Promise<boolean> }
  readonly dials: Pick<DialCheck, 'checkStream'>
  /** Throws when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
}

/** Which addresses of streams lead to paths on our own media server, and whether an account may use those paths. */
export interface SourcePaths {
  /** The path on our own media server, null for an address elsewhere; throws when the account may not use it. */
  mediaPathOf(account: Account, inputUrl: string): Promise<string | null>
  /**
   * The path of our own media server from which a stream is to be read; null for a file. Asked at every start: a name may lead
   * here now that did not when it was registered, and rights may be others.
   */
  pathToRead(sourceId: string): Promise<string | null>
}

const BAD_PATH = {
  path: 'body.input_url',
  message: 'Name a path <username>/<name> on this media server, of letters, digits and ._~- only.',
}

export function createSourcePaths(deps: SourcePathDeps): SourcePaths {
  const { store, registry, streams, refresh, owners, dials, findAccount } = deps

  async function checkOwned(account: Account, path: string): Promise<void> {
    if (await owners.mayUse(account, ownerOfPath(path))) return
    throw new AppError('stream-not-found', { path, username: account.username })
  }

  async function mediaPathOf(account: Account, inputUrl: string): Promise<string | null> {
    const path = await streams.addresses.pathOf(inputUrl, account.id)
    if (path === undefined) {
      await dials.checkStream(account, inputUrl)
      return null
    }
    if (path === null) throw inputInvalid([BAD_PATH])
    await checkOwned(account, path)
    return path
  }

  /** Keeps that a source which was registered as one elsewhere is published here. */
  async function moveHere(account: Account, source: Source, mediaPath: string): Promise<void> {
    const { before } = await registry.change(account, source.id, (known) => ({ ...known, mediaPath, isPulled: false }))
    await refresh(before.mediaPath, mediaPath)
  }

  return {
    mediaPathOf,
    async pathToRead(sourceId) {
      const source = await store.findById(sourceId)
      if (!source || source.type === 'file') return null
      const account = await findAccount(source.accountId)
      if (!source.isPulled) {
        await checkOwned(account, source.mediaPath!)
        return source.mediaPath
      }
      const mediaPath = await mediaPathOf(account, source.inputUrl)
      if (mediaPath !== null) await moveHere(account, source, mediaPath)
      return mediaPath ?? source.mediaPath
    },
  }
}
