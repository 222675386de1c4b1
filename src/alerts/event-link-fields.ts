import { z } from 'zod'
import { type EventLinks } from '../core/event-links.ts'

/** By what alert events name themselves, in notifications and in lists. */

const link = z.url().nullable()

export const eventLinkFields = {
  picture_url: link.describe(
    'A link to a JPEG of what was seen, which works without a key for as long as AERIE_NOTIFICATION_LINK_HOURS says and ends with the key; 202 with `Retry-After` until the picture is there.',
  ),
  clip_url: link.describe(
    'A link to an MP4 of it, likewise, made when it is opened: 202 with `Retry-After` until it is there. null where nothing is recorded, as of files.',
  ),
}

export interface LinkedEvent {
  /** Null of what is no event of its own. */
  readonly eventId: string | null
  readonly mayHavePicture: boolean
  readonly isOfStream: boolean
}

export function toEventLinks(links: Pick<EventLinks, 'urlOf'>, { eventId, mayHavePicture, isOfStream }: LinkedEvent) {
  return {
    picture_url: eventId !== null && mayHavePicture ? links.urlOf({ kind: 'event-picture', eventId }) : null,
    clip_url: eventId !== null && isOfStream ? links.urlOf({ kind: 'event-clip', eventId }) : null,
  }
}
