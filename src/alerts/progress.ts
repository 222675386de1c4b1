import { type ProcessRef } from '../core/process-facts.ts'
import { type Alert } from './alert.ts'
import { type AlertEvent, type SeenAt } from './analyses/analysis.ts'
import { newEventId } from './event-id.ts'
import { withoutPictures } from './event-pictures.ts'

/** An event that is handed to the delivery, and may not have arrived there: sent again under its number, it is the same notification. */
export interface NumberedEvent {
  readonly alert: Alert
  readonly event: AlertEvent
  readonly seenAt: SeenAt
  readonly sequence: number
  /** As in the notification. */
  readonly eventId: string | null
}

/** The events that are due should the service crash: what goes on is over, and what waits for its time is released. */
export interface Unfinished {
  readonly alert: Alert
  readonly events: readonly AlertEvent[]
  readonly seenAt: SeenAt
}

/** How far an alert at a process has come. Plain data: it is kept in the database, and a restart goes on from it. */
export interface Progress {
  readonly process: ProcessRef
  readonly inFlight: readonly NumberedEvent[]
  readonly unfinished: Unfinished | null
}

/** The JSON in the database. Its names are older than those above, and stay: an upgrade reads what the last version wrote. */
interface StoredProgress {
  readonly process: ProcessRef
  readonly telling: readonly (Omit<NumberedEvent, 'event' | 'eventId'> & {
    readonly happening: AlertEvent
    /** Not in what older versions have kept. */
    readonly eventId?: string | null
  })[]
  readonly unfinished: (Omit<Unfinished, 'events'> & { readonly happenings: readonly AlertEvent[] }) | null
}

export function isWorthKeeping({ inFlight, unfinished }: Progress): boolean {
  return inFlight.length > 0 || (unfinished?.events.length ?? 0) > 0
}

/** Without pictures, which would make it megabytes that are written anew with each event: what is sent after a crash has none. */
export function toStoredProgress({ process, inFlight, unfinished }: Progress): string {
  const stored: StoredProgress = {
    process,
    telling: inFlight.map(({ event, ...rest }) => ({ ...rest, happening: withoutPictures(event) })),
    unfinished: unfinished && {
      alert: unfinished.alert,
      happenings: unfinished.events.map(withoutPictures),
      seenAt: unfinished.seenAt,
    },
  }
  return JSON.stringify(stored)
}

export function readStoredProgress(text: string): Progress {
  const { process, telling, unfinished } = JSON.parse(text) as StoredProgress
  return {
    process,
    inFlight: telling.map(({ happening: event, eventId = newEventId(event), ...rest }) => ({
      ...rest,
      event,
      eventId,
    })),
    unfinished: unfinished && { alert: unfinished.alert, events: unfinished.happenings, seenAt: unfinished.seenAt },
  }
}
