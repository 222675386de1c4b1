import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { RECHECK_MS, stillCounts } from '../core/standing-rights.ts'
import { type Streams } from '../streams/streams.module.ts'

export interface VodViewersDeps {
  readonly rights: Pick<SourceRights, 'mayWatch'>
  readonly tokens: { find(id: string): Promise<ViewerToken | undefined> }
  /** Rejects when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  /** Of the key that the account has now. */
  readonly findKeyHash: (accountId: string) => Promise<string | undefined>
  readonly signer: Pick<LinkSigner, 'sign'>
  readonly streams: Pick<Streams, 'admit'>
  readonly clock: Clock
}

/** A token of a source, as it is stored. */
export interface ViewerToken {
  readonly action: 'publish' | 'read'
  readonly path: string
  readonly accountId: string
  readonly expiresAt: number | null
}

/** Whether those who were let in to play a recording still may: by themselves, for hours, and at every node. */
export interface VodViewers {
  /** The name in which somebody plays who was let in as `principal`: of an account it is that of its key too, so that it ends with that. */
  nameOf(principal: string): Promise<string>
  mayWatch(viewer: string, path: string, address: string): Promise<boolean>
}

const TOKEN_PREFIX = 'token:'
const ANONYMOUS = 'anonymous'
/** Beyond this the one that was asked about longest ago is asked about again. */
const MAX_REMEMBERED = 10_000
/** Of 6 bits each. */
const MARK_LENGTH = 16

/** Whose share somebody plays by: the account whose key it is, or all together who play what is the owner's by tokens, or without any. */
export function shareOf(viewer: string, ownerId: string): string {
  if (viewer === ANONYMOUS || viewer.startsWith(TOKEN_PREFIX)) return `guests of ${ownerId}`
  return viewer.split(':')[0]!
}

export function createVodViewers(deps: VodViewersDeps): VodViewers {
  const { rights, tokens, findAccount, findKeyHash, signer, streams, clock } = deps
  const remembered = new Map<string, { readonly mayWatch: boolean; readonly askedAt: number }>()

  async function ask(viewer: string, path: string, address: string): Promise<boolean> {
    if (viewer === ANONYMOUS) return stillCounts(streams.admit(anonymousAt(path, address)))
    if (!viewer.startsWith(TOKEN_PREFIX)) return mayByKey(viewer, path)
    const token = await tokens.find(viewer.slice(TOKEN_PREFIX.length))
    if (token?.action !== 'read' || token.path !== path) return false
    const isOver = token.expiresAt !== null && token.expiresAt <= clock.now()
    return !isOver && stillCounts(findAccount(token.accountId))
  }

  async function mayByKey(viewer: string, path: string): Promise<boolean> {
    const [accountId] = viewer.split(':') as [string]
    return viewer === (await withKey(accountId)) && rights.mayWatch(accountId, path)
  }

  /** Signed, since addresses are seen by many: by its hash alone a key that somebody has thought up could be guessed. */
  async function withKey(accountId: string): Promise<string> {
    const keyHash = await findKeyHash(accountId)
    return `${accountId}:${keyHash === undefined ? '' : signer.sign(`key ${keyHash}`, 0).slice(-MARK_LENGTH)}`
  }

  function remember(id: string, mayWatch: boolean): void {
    remembered.delete(id)
    remembered.set(id, { mayWatch, askedAt: clock.steady() })
    const [oldest] = remembered.keys()
    if (remembered.size > MAX_REMEMBERED) remembered.delete(oldest!)
  }

  return {
    nameOf: async (principal) =>
      principal === ANONYMOUS || principal.startsWith(TOKEN_PREFIX) ? principal : withKey(principal),
    async mayWatch(viewer, path, address) {
      const id = [viewer, path, viewer === ANONYMOUS ? address : ''].join('\n')
      const known = remembered.get(id)
      if (known && clock.steady() - known.askedAt < RECHECK_MS) return known.mayWatch
      try {
        remember(id, await ask(viewer, path, address))
      } catch (error) {
        // Who was let in before keeps the right while nobody can say otherwise.
        if (!known || error instanceof AppError) throw error
      }
      return remembered.get(id)?.mayWatch ?? false
    },
  }
}

function anonymousAt(path: string, remoteAddress: string) {
  const request = { credentials: { kind: 'none' }, remoteAddress, protocol: 'hls' } as const
  return { action: 'read', path, request, isAgain: true } as const
}
