import { type Account } from '../core/account.ts'
import { type Clock } from '../core/clock.ts'
import { AppError } from '../core/errors.ts'
import { type EventLinks } from '../core/event-links.ts'
import { uuidTimeMs } from '../core/ordered-uuid.ts'
import { type Page } from '../core/page.ts'
import { type SourceRights } from '../core/source-rights.ts'
import { stillCounts } from '../core/standing-rights.ts'
import { type FilePlaces } from '../storage/object-store/file-places.ts'
import { type AlertEventRow } from '../storage/schema.ts'
import { type AlertEventKeeper } from './alert-event-keeper.ts'
import {
  type AlertEventPage,
  type AlertEventSearch,
  type AlertEventStore,
  type ListedAlertEvent,
} from './alert-events.store.ts'
import { eventPictureFile } from './event-picture-files.ts'
import { type EventRecord } from './event-record.ts'

export interface AlertEventServiceDeps {
  readonly store: Pick<AlertEventStore, 'find' | 'list'>
  readonly record: Pick<EventRecord, 'findWaiting'>
  readonly keeper: Pick<AlertEventKeeper, 'remove'>
  readonly places: Pick<FilePlaces, 'read' | 'nodeOf'>
  readonly links: EventLinks
  readonly rights: Pick<SourceRights, 'ownerFor'>
  /** Rejects when the key is revoked or has expired. */
  readonly findAccount: (accountId: string) => Promise<unknown>
  readonly clock: Clock
}

/** Who asks by a key, and whose things it asks for. */
export interface Asking {
  readonly caller: Account
  readonly username: string | undefined
}

/** A JPEG; `soon` where it may still come. */
export type EventPicture = Buffer | 'soon'

export type AlertEventService = ReturnType<typeof createAlertEventService>

/** So long after an event its picture may still come. */
export const PICTURE_WITHIN_MS = 15_000

export function createAlertEventService(deps: AlertEventServiceDeps) {
  const { store, record, keeper, places, links, rights, findAccount, clock } = deps
  const notFound = (eventId: string) => new AppError('alert-event-not-found', { event_uuid: eventId })
  const isNew = (eventId: string) => clock.now() - uuidTimeMs(eventId) < PICTURE_WITHIN_MS
  const isLinked = (eventId: string, token: string) => links.isValid({ kind: 'event-picture', eventId }, token)

  /** What the database did not take yet is known here all the same. */
  const find = async (eventId: string) => (await store.find(eventId)) ?? record.findWaiting(eventId)

  async function pictureOf(event: AlertEventRow): Promise<EventPicture> {
    const jpeg = await places.read(eventPictureFile(event))
    if (jpeg) return jpeg
    if (isNew(event.id)) return 'soon'
    throw new AppError('picture-not-found')
  }

  return {
    list: (owner: Account, search: AlertEventSearch, page: AlertEventPage): Promise<Page<ListedAlertEvent>> =>
      store.list(owner.id, search, page),

    mayHavePicture: ({ id, file }: Pick<AlertEventRow, 'id' | 'file'>): boolean => file !== null || isNew(id),

    async pictureByLink(eventId: string, token: string): Promise<EventPicture> {
      if (!isLinked(eventId, token)) throw new AppError('link-expired')
      const event = await find(eventId)
      if (!event) throw notFound(eventId)
      // A link ends with the key whose event it is.
      if (!(await stillCounts(findAccount(event.account_id)))) throw new AppError('link-expired')
      return pictureOf(event)
    },

    async pictureFor({ caller, username }: Asking, eventId: string): Promise<EventPicture> {
      const event = await find(eventId)
      const owner = event && (await rights.ownerFor(caller, event.source_id, 'events', username))
      if (!event || owner?.id !== event.account_id) throw notFound(eventId)
      return pictureOf(event)
    },

    /** The node that alone has its picture, for whoever may see it by this link; what a stranger made up is looked for nowhere. */
    async nodeOf(eventId: string, token: string): Promise<string | undefined> {
      if (!isLinked(eventId, token)) return undefined
      const event = await store.find(eventId)
      return event && places.nodeOf(eventPictureFile(event))
    },

    /** Its process, whose node has what is not noted yet. */
    async processOf(eventId: string, token: string): Promise<string | undefined> {
      return isLinked(eventId, token) && isNew(eventId) ? (await store.find(eventId))?.process_id : undefined
    },

    async remove(account: Account, eventId: string): Promise<void> {
      const event = await store.find(eventId)
      if (event?.account_id !== account.id) throw notFound(eventId)
      await keeper.remove([event])
    },
  }
}
