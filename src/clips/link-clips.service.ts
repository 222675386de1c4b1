import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type EventLinks } from '../core/event-links.ts'
import { type SourceRight, type SourceRights } from '../core/source-rights.ts'
import { stillCounts } from '../core/standing-rights.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type Clip, clipFile } from './clip.ts'
import { type ClipKeeper } from './clip-keeper.ts'
import { type ClipRequests, type LinkedClip } from './clip-requests.ts'
import { type ClipService } from './clips.service.ts'
import { type ClipStore, type ListedClip } from './clips.store.ts'

/** What a link in a notification leads to. */
export type ClipTarget =
  | { readonly kind: 'event-clip'; readonly eventId: string }
  | { readonly kind: 'track-clip'; readonly processId: string; readonly trackId: number }

export interface LinkClipDeps {
  readonly store: Pick<ClipStore, 'find' | 'findByKey' | 'touch'>
  readonly requests: Pick<ClipRequests, 'ofTrack' | 'ofEvent'>
  readonly clips: Pick<ClipService, 'make'>
  readonly keeper: Pick<ClipKeeper, 'remove'>
  readonly places: Pick<FilePlaces, 'kept'>
  readonly links: Pick<EventLinks, 'isValid'>
  readonly rights: Pick<SourceRights, 'ownerFor'>
  /** Rejects when the key is revoked or has expired. */
  readonly findAccount: (accountId: string) => Promise<Account>
  readonly clock: Clock
}

export type LinkClipService = ReturnType<typeof createLinkClipService>

/** A clip of a few seconds is cut by then, so that one call is enough. */
const WAIT_MS = 8_000
const LOOK_EVERY_MS = 400
/** One that failed is tried again when it is opened later than that. */
const FAILED_FOR_MS = 60_000

/** Clips that are made when somebody opens a link to them, and go when nobody does any more. */
export function createLinkClipService(deps: LinkClipDeps) {
  const { store, requests, clips, keeper, places, links, rights, findAccount, clock } = deps

  const wantedOf = (target: ClipTarget) =>
    target.kind === 'event-clip' ? requests.ofEvent(target.eventId) : requests.ofTrack(target.processId, target.trackId)

  /** What is there and is still all of it; what failed a while ago, or what goes on since then, is cut anew. */
  async function findUsable(uniqueKey: string, wanted: LinkedClip): Promise<Clip | undefined> {
    const clip = await store.findByKey(uniqueKey)
    if (!clip || clip.state === 'waiting' || clip.state === 'working') return clip
    const isOld = clip.state === 'failed' && clock.now() - clip.finishedAt! >= FAILED_FOR_MS
    if (!isOld && clip.to >= wanted.to) return clip
    await keeper.remove(clip)
    return undefined
  }

  /** Of each clip that somebody waits for: they look together, however many wait. */
  const waitedFor = new Map<string, Promise<ListedClip | undefined>>()

  function cutSoon(id: string): Promise<ListedClip | undefined> {
    const known = waitedFor.get(id)
    if (known) return known
    const looking = lookUntilCut(id).finally(() => waitedFor.delete(id))
    waitedFor.set(id, looking)
    return looking
  }

  async function lookUntilCut(id: string): Promise<ListedClip | undefined> {
    const until = clock.steady() + WAIT_MS
    for (;;) {
      const clip = await store.find(id)
      if (!clip || clip.state === 'ready' || clip.state === 'failed' || clock.steady() >= until) return clip
      await clock.sleep(LOOK_EVERY_MS)
    }
  }

  async function open(target: ClipTarget, wanted: LinkedClip): Promise<ListedClip> {
    const uniqueKey = keyOf(target)
    const { ownerId, ...order } = wanted
    const owner = await findAccount(ownerId)
    const clip = (await findUsable(uniqueKey, wanted)) ?? (await clips.make(owner, order, { kind: 'link', uniqueKey }))
    await store.touch(clip.id, clock.now())
    const cut = await cutSoon(clip.id)
    if (!cut) throw new AppError('clip-not-found', { clip_uuid: clip.id })
    if (cut.state === 'failed') throw new AppError('clip-failed', { reason: cut.error })
    return cut
  }

  return {
    /** Ready, or else to be asked for again. */
    async byLink(target: ClipTarget, token: string): Promise<ListedClip> {
      if (!links.isValid(target, token)) throw new AppError('link-expired')
      const wanted = await wantedOf(target)
      // A link ends with the key whose video it is.
      if (!(await stillCounts(findAccount(wanted.ownerId)))) throw new AppError('link-expired')
      return open(target, wanted)
    },

    async forCaller(caller: Account, username: string | undefined, target: ClipTarget): Promise<ListedClip> {
      const wanted = await wantedOf(target)
      for (const right of ['watch', 'events'] satisfies SourceRight[]) {
        const owner = await rights.ownerFor(caller, wanted.sourceId, right, username)
        if (owner.id !== wanted.ownerId) throw notFound(target)
      }
      return open(target, wanted)
    },

    /** The node that alone has it, for whoever may see it by this link, or has shown a key; what a stranger made up is looked for nowhere. */
    async nodeOf(target: ClipTarget, token: string | undefined, isCaller: boolean): Promise<string | undefined> {
      if (token === undefined ? !isCaller : !links.isValid(target, token)) return undefined
      const clip = await store.findByKey(keyOf(target))
      if (clip?.state !== 'ready' || !clip.nodeId || (await places.kept(clipFile(clip, 1)).inStore())) return undefined
      return clip.nodeId
    },

    fileOf: (clip: ListedClip) => places.kept(clipFile(clip, 1)),
  }
}

const keyOf = (target: ClipTarget) =>
  target.kind === 'event-clip' ? `event:${target.eventId}` : `track:${target.processId}:${target.trackId}`

const notFound = (target: ClipTarget) =>
  target.kind === 'event-clip'
    ? new AppError('alert-event-not-found', { event_uuid: target.eventId })
    : new AppError('track-not-found', { process_uuid: target.processId, track_id: target.trackId })
