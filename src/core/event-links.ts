import { type Clock } from './clock.ts'
import { type LinkSigner } from './signed-token.ts'

/** What a link in a notification leads to. */
export type EventLinkTarget =
  | { readonly kind: 'event-picture' | 'event-clip'; readonly eventId: string }
  | { readonly kind: 'track-picture' | 'track-clip'; readonly processId: string; readonly trackId: number }

/**
 * Links in notifications to what they are about, which work without a key, for as long as `AERIE_NOTIFICATION_LINK_HOURS` says. Whoever
 * answers one asks for the key of its owner too: a link ends with it.
 */
export interface EventLinks {
  urlOf(target: EventLinkTarget): string
  /** Whether the token is of a link to this, and not expired. */
  isValid(target: EventLinkTarget, token: string): boolean
}

export interface EventLinksDeps {
  readonly signer: LinkSigner
  /** How others reach this service. */
  readonly serviceUrl: () => string
  readonly validMs: number
  readonly clock: Pick<Clock, 'now'>
}

const FILES = {
  'event-picture': 'picture.jpg',
  'event-clip': 'clip.mp4',
  'track-picture': 'picture.jpg',
  'track-clip': 'clip.mp4',
} as const

export function createEventLinks({ signer, serviceUrl, validMs, clock }: EventLinksDeps): EventLinks {
  return {
    urlOf(target) {
      const token = signer.sign(subjectOf(target), clock.now() + validMs)
      return `${serviceUrl()}${pathOf(target)}/${FILES[target.kind]}?token=${token}`
    },
    isValid: (target, token) => signer.isValid(subjectOf(target), token, clock.now()),
  }
}

function pathOf(target: EventLinkTarget): string {
  if ('eventId' in target) return `/alert_event/${target.eventId}`
  return `/process/${target.processId}/tracks/${target.trackId}`
}

const subjectOf = (target: EventLinkTarget) => `${target.kind} ${pathOf(target)}`
