import { type Account } from '../core/account.ts'
import { type Clock, toZulu } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type KeptFile } from '../core/kept-file.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Page, type PageRequest } from '../core/page.ts'
import { type RecordedTime } from '../core/recorded-time.ts'
import { FILE_LINK_MS, type LinkSigner } from '../core/signed-token.ts'
import { stillCounts } from '../core/standing-rights.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type Clip, clipFile, type ClipOrder } from './clip.ts'
import { type ClipKeeper } from './clip-keeper.ts'
import { type ClipRequests, type WantedClip } from './clip-requests.ts'
import { type ClipRoom } from './clip-room.ts'
import { type NewClip } from './clips.schema.ts'
import { type AddJob, type ClipStore, type ListedClip } from './clips.store.ts'
import { estimateBytes, type FileShare, nodeWithMost, sharesOf } from './estimate-clip.ts'

export interface ClipServiceDeps {
  readonly store: Pick<ClipStore, 'insert' | 'find' | 'list' | 'rename'>
  readonly requests: Pick<ClipRequests, 'resolve'>
  readonly recordedTime: Pick<RecordedTime, 'filesOf'>
  readonly room: ClipRoom
  readonly keeper: Pick<ClipKeeper, 'remove'>
  readonly places: Pick<FilePlaces, 'kept'>
  readonly addJob: AddJob
  /** Looks at the jobs now. */
  readonly wakeJobs: () => void
  readonly signer: LinkSigner
  /** Rejects when the key is revoked or has expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  readonly clock: Clock
}

export type ClipService = ReturnType<typeof createClipService>

/** Of a key. */
const LIMITS = { waiting: 200, all: 10_000 }

export function createClipService(deps: ClipServiceDeps) {
  const { store, requests, recordedTime, room, keeper, places, addJob, wakeJobs, signer, findAccount, clock } = deps
  const notFound = (clipId: string) => new AppError('clip-not-found', { clip_uuid: clipId })
  const isLinked = (clipId: string, n: number, token: string) =>
    signer.isValid(subjectOf(clipId, n), token, clock.now())

  async function find(account: Pick<Account, 'id'>, clipId: string): Promise<ListedClip> {
    const clip = await store.find(clipId)
    if (clip?.accountId !== account.id || clip.kind !== 'user') throw notFound(clipId)
    return clip
  }

  /** In the store, what other nodes have can be fetched from anywhere. */
  async function onDisks(shares: readonly FileShare[]): Promise<FileShare[]> {
    const found: FileShare[] = []
    for (const share of shares)
      if (share.file.nodeId !== null && !(await places.kept(share.file.file).inStore())) found.push(share)
    return found
  }

  /** Of the account that is to have it. Rejects where nothing of it was recorded, and where there is no room for it. */
  async function make(
    account: Pick<Account, 'id' | 'masterId'>,
    wanted: WantedClip,
    of: Pick<ClipOrder, 'kind' | 'uniqueKey'>,
  ): Promise<Clip> {
    const { sourceAlias: _, ...order } = wanted
    const now = clock.now()
    const shares = sharesOf(await recordedTime.filesOf(wanted.sourceId, wanted), wanted, now)
    if (shares.length === 0) throw nothingRecorded(wanted)
    const clip: Clip = {
      ...order,
      ...of,
      id: orderedUuid(),
      accountId: account.id,
      state: 'waiting',
      progress: 0,
      error: null,
      note: null,
      parts: [],
      gaps: [],
      sizeBytes: estimateBytes(shares, wanted.withBoxes),
      nodeId: nodeWithMost(await onDisks(shares)),
      attempts: 0,
      createdAt: now,
      startedAt: null,
      finishedAt: null,
      usedAt: of.kind === 'link' ? now : null,
    }
    const made = await room.hold(account, clip.sizeBytes, () => store.insert(clip, LIMITS, addJob))
    wakeJobs()
    return made
  }

  return {
    make,
    find,

    async create(caller: Account, request: NewClip): Promise<ListedClip> {
      const wanted = await requests.resolve(caller, request)
      const clip = await make(caller, wanted, { kind: 'user', uniqueKey: null })
      return { ...clip, sourceAlias: wanted.sourceAlias }
    },

    list: (owner: Account, sourceId: string | undefined, page: PageRequest): Promise<Page<ListedClip>> =>
      store.list(owner.id, sourceId, page),

    async rename(account: Account, clipId: string, alias: string): Promise<ListedClip> {
      if (!(await store.rename(account.id, clipId, alias))) throw notFound(clipId)
      return find(account, clipId)
    },

    /** Also one that is being cut: its job ends then. */
    async remove(account: Account, clipId: string): Promise<void> {
      await keeper.remove(await find(account, clipId))
    },

    /** The path of a link to a part, counted from 1, that works by itself for a day; other nodes are asked by it too. */
    partPath: (clipId: string, n: number): string =>
      `/clip/${clipId}/files/${n}.mp4?token=${signer.sign(subjectOf(clipId, n), clock.now() + FILE_LINK_MS)}`,

    /** The node that alone has a part; whatever a link leads to that is not ours is looked for nowhere. */
    async nodeOf(clipId: string, n: number, token: string): Promise<string | undefined> {
      if (!isLinked(clipId, n, token)) return undefined
      const clip = await store.find(clipId)
      if (!clip?.nodeId || (await places.kept(clipFile(clip, n)).inStore())) return undefined
      return clip.nodeId
    },

    async findPart(clipId: string, n: number, token: string): Promise<{ file: KeptFile; downloadName: string }> {
      if (!isLinked(clipId, n, token)) throw new AppError('link-expired')
      const clip = await store.find(clipId)
      if (!clip || n > clip.parts.length) throw notFound(clipId)
      // A link ends with the key whose clip it is.
      if (!(await stillCounts(findAccount(clip.accountId)))) throw new AppError('link-expired')
      return { file: places.kept(clipFile(clip, n)), downloadName: downloadNameOf(clip, n) }
    },
  }
}

const subjectOf = (clipId: string, n: number) => `clip ${clipId} ${n}`

/** What it says is true of all that stands on what is recorded. */
export function nothingRecorded({
  sourceId,
  sourceAlias,
  from,
  to,
}: Omit<WantedClip, keyof ClipOrder> & Pick<WantedClip, 'sourceId' | 'from' | 'to'>): AppError {
  const what = { alias: sourceAlias, from: toZulu(from), to: toZulu(to), source_uuid: sourceId }
  return new AppError('nothing-recorded', what)
}

/** As a person finds it again among downloads. */
export function downloadNameOf({ alias, parts }: Pick<Clip, 'alias' | 'parts'>, n: number): string {
  const name = alias.replace(/[^\w.-]+/g, '_').slice(0, 100)
  return parts.length > 1 ? `${name}-${n}.mp4` : `${name}.mp4`
}
