import { createHash, randomBytes } from 'node:crypto'
import { type Clock } from '../core/clock.ts'
import { isSettledWithin } from '../core/deadline.ts'
import { AppError } from '../core/errors.ts'
import { ownerOfPath } from '../core/media-path.ts'
import { type LinkSigner } from '../core/signed-token.ts'
import { RECHECK_MS } from '../core/standing-rights.ts'
import { isRefusal, type WatchAccess } from './watch-access.ts'
import { type ShownCredentials, type WatchCredentials } from './watch-credentials.ts'

export interface HlsViewersDeps {
  readonly access: WatchAccess
  readonly signer: LinkSigner
  readonly clock: Clock
}

export interface WatchRequest extends ShownCredentials {
  readonly path: string
  /** The request begins a viewing; every other belongs to one. */
  readonly isFirst: boolean
  readonly address: string
}

/**
 * The viewers. A player that shows a key or a read token in the address gets a viewer token for the addresses inside
 * playlists, so that the key is in none of them. A viewer token is good for two minutes after it was given or last used;
 * what stands behind it is checked again every few seconds.
 */
export interface HlsViewers {
  admit(request: WatchRequest): Promise<AdmittedViewer>
}

export interface AdmittedViewer {
  /** What addresses in a playlist must carry. */
  readonly uriQuery: string
  /** By the last check; false for a token that was given before the service was restarted. */
  readonly isOwner: boolean
}

interface Viewer {
  readonly path: string
  readonly credentials: WatchCredentials | undefined
  readonly address: string
  refusal?: AppError | undefined
  isOwner: boolean
  /** By the steady clock, as `watchedAt`: a clock that is set back must not put the next check off. */
  checkedAt: number
  /** -Infinity until a playlist or a piece was asked for. */
  watchedAt: number
}

const PREFIX = 'hv_'
const TOKEN_MS = 120_000
/** A database that hangs says nothing for ten seconds: who was let in before waits no longer, and what it says then counts. */
const ANSWER_TIMEOUT_MS = 1_000
/** Beyond this the one of the same owner's streams that asked longest ago is forgotten: its token's own time still counts. */
const MAX_VIEWERS_PER_OWNER = 5_000
/** Of all owners: beyond this the one whose streams were asked for longest ago gives one of theirs. */
const MAX_VIEWERS = 50_000

export interface ViewerLimits {
  readonly perOwner: number
  readonly all: number
}

export function createHlsViewers(
  { access, signer, clock }: HlsViewersDeps,
  limits: ViewerLimits = { perOwner: MAX_VIEWERS_PER_OWNER, all: MAX_VIEWERS },
): HlsViewers {
  /** Of the streams of each owner; owners and their viewers are in the order of their last request. */
  const viewersOf = new Map<string, Map<string, Viewer>>()
  let remembered = 0

  const find = (id: string, path: string) => viewersOf.get(ownerOfPath(path))?.get(id)

  function remember(id: string, viewer: Viewer): void {
    const owner = ownerOfPath(viewer.path)
    const viewers = viewersOf.get(owner) ?? new Map<string, Viewer>()
    viewersOf.delete(owner)
    viewersOf.set(owner, viewers)
    if (!viewers.delete(id)) remembered++
    viewers.set(id, viewer)
    sweep(owner, viewers, () => viewers.size > limits.perOwner)
    // The owner whose last request is longest ago has viewers that are over, if any has.
    for (const [oldest, others] of viewersOf) {
      sweep(oldest, others, () => remembered > limits.all)
      if (others.size > 0) break
    }
  }

  /** Forgets those that are over, and the oldest for as long as there are too many. */
  function sweep(owner: string, viewers: Map<string, Viewer>, areTooMany: () => boolean): void {
    for (const [oldest, viewer] of viewers) {
      if (!isOver(viewer) && !areTooMany()) break
      viewers.delete(oldest)
      remembered--
    }
    if (viewers.size === 0) viewersOf.delete(owner)
  }

  function isOver({ watchedAt, checkedAt }: Viewer): boolean {
    return clock.steady() - Math.max(watchedAt, checkedAt) > TOKEN_MS
  }

  /** A viewer that is refused is kept: were it forgotten, its token's signature alone would let it in again. */
  async function check(viewer: Viewer): Promise<void> {
    const { path, credentials, address } = viewer
    if (credentials === undefined) return
    if (clock.steady() - viewer.checkedAt >= RECHECK_MS) {
      const isAgain = viewer.checkedAt > -Infinity
      const checked = access({ action: 'read', path, credentials, address, isAgain }).then(
        ({ isOwner = false }) => Object.assign(viewer, { isOwner, refusal: undefined }),
        (error: unknown) => {
          if (isRefusal(error)) viewer.refusal = error
          // A viewer whose right could not be checked again keeps it.
          else if (!isAgain) throw error
        },
      )
      await (isAgain ? isSettledWithin(checked, ANSWER_TIMEOUT_MS, clock) : checked)
      viewer.checkedAt = clock.steady()
    }
    if (viewer.refusal) throw viewer.refusal
  }

  /** By the token that we gave. */
  async function admitViewer(token: string, path: string, address: string): Promise<Viewer> {
    const known = find(token, path)
    if (known && (known.path !== path || isOver(known))) throw new AppError('viewing-expired')
    // Given before the service was started anew: there is nothing to check again, so the token's own time counts.
    if (!known?.credentials && !isSigned(token, path)) throw new AppError('viewing-expired')
    const viewer = known ?? newViewer({ path, credentials: undefined, address }, clock.steady())
    await check(viewer)
    viewer.watchedAt = clock.steady()
    remember(token, viewer)
    return viewer
  }

  function isSigned(token: string, path: string): boolean {
    const [nonce = '', ...signed] = token.slice(PREFIX.length).split('.')
    return signer.isValid(subjectOf(path, nonce), signed.join('.'), clock.now())
  }

  function issue(viewer: Viewer): string {
    const nonce = randomBytes(9).toString('base64url')
    const token = `${PREFIX}${nonce}.${signer.sign(subjectOf(viewer.path, nonce), clock.now() + TOKEN_MS)}`
    remember(token, { ...viewer, watchedAt: -Infinity })
    return token
  }

  return {
    async admit({ path, credentials, isInQuery, isFirst, address }) {
      if (credentials.token?.startsWith(PREFIX)) {
        const { isOwner } = await admitViewer(credentials.token, path, address)
        return { uriQuery: `token=${credentials.token}`, isOwner }
      }
      const id = identityOf(path, credentials, address)
      const viewer = find(id, path) ?? newViewer({ path, credentials, address })
      await check(viewer)
      // A key in the address is watched with by the tokens that come of it.
      if (!isFirst && !isInQuery) viewer.watchedAt = clock.steady()
      remember(id, viewer)
      return { uriQuery: isInQuery ? `token=${issue(viewer)}` : '', isOwner: viewer.isOwner }
    },
  }
}

function subjectOf(path: string, nonce: string): string {
  return `hls\n${path}\n${nonce}`
}

function identityOf(path: string, { key = '', token = '' }: WatchCredentials, address: string): string {
  return createHash('sha256').update([path, key, token, address].join('\n')).digest('base64url')
}

function newViewer(seen: Pick<Viewer, 'path' | 'credentials' | 'address'>, checkedAt = -Infinity): Viewer {
  return { ...seen, isOwner: false, checkedAt, watchedAt: -Infinity }
}
