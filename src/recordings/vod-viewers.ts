import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { RECHECK_MS, stillCounts } from '../core/standing-rights.ts'
import { type Streams } from '../streams/streams.module.ts'

export interface VodViewersDeps {
  readonly rights: Pick<SourceRights, 'mayWatch'>
  readonly tokens: { find(id: string): Promise<ViewerToken | undefined> }
  /** Rejects when its key is gone or expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
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
  mayWatch(viewer: string, path: string, address: string): Promise<boolean>
}

const TOKEN_PREFIX = 'token:'
export const ANONYMOUS = 'anonymous'
/** Beyond this the one that was asked about longest ago is asked about again. */
const MAX_REMEMBERED = 10_000

export function createVodViewers({ rights, tokens, findAccount, streams, clock }: VodViewersDeps): VodViewers {
  const remembered = new Map<string, { readonly mayWatch: boolean; readonly askedAt: number }>()

  async function ask(viewer: string, path: string, address: string): Promise<boolean> {
    if (viewer === ANONYMOUS) return stillCounts(streams.admit(anonymousAt(path, address)))
    if (!viewer.startsWith(TOKEN_PREFIX)) return rights.mayWatch(viewer, path)
    const token = await tokens.find(viewer.slice(TOKEN_PREFIX.length))
    if (token?.action !== 'read' || token.path !== path) return false
    const isOver = token.expiresAt !== null && token.expiresAt <= clock.now()
    return !isOver && stillCounts(findAccount(token.accountId))
  }

  function remember(id: string, mayWatch: boolean): void {
    remembered.delete(id)
    remembered.set(id, { mayWatch, askedAt: clock.steady() })
    const [oldest] = remembered.keys()
    if (remembered.size > MAX_REMEMBERED) remembered.delete(oldest!)
  }

  return {
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
