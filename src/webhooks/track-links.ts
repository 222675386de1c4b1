import { type EventLinks } from '../core/event-links.ts'
import { type ProcessFacts } from '../core/process-facts.ts'
import { type Notification } from './webhooks.messages.ts'

/** To what of its tracks a process has links: to their pictures where it keeps a report, to clips where its source can be recorded. */
export type LinkedTracks = 'none' | 'pictures' | 'pictures-and-clips'

/** Puts links to the tracks that a notification is about into it. */
export interface TrackLinks {
  /** Undefined of a process that does not go on here. */
  of(processId: string): LinkedTracks | undefined
  /** They begin to expire when they are made: right before it is sent. */
  addTo(notification: Notification, linked: LinkedTracks): Notification
}

export interface TrackLinkDeps {
  readonly links: Pick<EventLinks, 'urlOf'>
  readonly factsOf: (processId: string) => Pick<ProcessFacts, 'keepsPictures' | 'sourceType'> | undefined
}

export function createTrackLinks({ links, factsOf }: TrackLinkDeps): TrackLinks {
  function linksOf(processId: string, trackId: number, linked: LinkedTracks) {
    // Without tracking all have the id 0.
    const isLinked = trackId !== 0 && linked !== 'none'
    const target = { processId, trackId }
    return {
      picture_url: isLinked ? links.urlOf({ kind: 'track-picture', ...target }) : null,
      clip_url: isLinked && linked === 'pictures-and-clips' ? links.urlOf({ kind: 'track-clip', ...target }) : null,
    }
  }

  return {
    of(processId) {
      const facts = factsOf(processId)
      if (!facts) return undefined
      if (!facts.keepsPictures) return 'none'
      return facts.sourceType === 'stream' ? 'pictures-and-clips' : 'pictures'
    },
    addTo(notification, linked) {
      if (!('detections' in notification)) return notification
      const { process_uuid: processId } = notification
      const detections = notification.detections.map((one) => ({ ...one, ...linksOf(processId, one.track_id, linked) }))
      return { ...notification, detections }
    },
  }
}
