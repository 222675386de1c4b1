import { z } from 'zod'
import { type Scene } from '../../core/scene.ts'
import { type LastNotification } from './last-notification.ts'

const endReasons = [
  'process-ended',
  'alert-changed',
  'alert-deactivated',
  'source-interrupted',
  'service-stopping',
  'service-restart',
] as const

/** Why something that went on is over although nobody saw it end. */
export type EndReason = (typeof endReasons)[number]

/** The `reason` of an event that ends something: the analysis's own one, or one of those above. */
export const EndReasonOr = (own: string) =>
  z.enum([own, ...endReasons]).describe(`\`${own}\`, or why it is over although nobody saw it end.`)

/** The moments of the frame in which something happened. */
export interface SeenAt {
  readonly takenAtMs: number
  /** Not where nothing was seen to happen. */
  readonly detectedAtMs?: number | undefined
}

/** Something that an analysis found; a notification is sent of it. */
export interface AlertEvent {
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
  /** Where it waited for the end of a cooldown; others happen in the frame at hand. */
  readonly seenAt?: SeenAt
  /** Whom its picture is to show; of what is about nobody alone, all are in it. */
  readonly trackId?: number
  /** Of what has ended: when it began, as the frame was taken. */
  readonly startedAtMs?: number
  /**
   * Of what is over although nobody saw it end: what that is, by a name that nothing else has of this analysis. Not sent; by it what was
   * known to be over is known again.
   */
  readonly endOf?: string
  /** What happened since the notification before, oldest first. */
  readonly earlier?: readonly EarlierEvent[]
}

/** An event that comes with a later one. */
export interface EarlierEvent extends Omit<AlertEvent, 'seenAt' | 'earlier'> {
  readonly seenAt: SeenAt
}

/** What an alert does with every scene of a process. Its time is that of the scenes; it knows neither clock nor network. */
export interface Analysis {
  update(scene: Scene): readonly AlertEvent[]
  /** How many events have started and not ended, or wait to be sent. */
  readonly unfinished: number
  /** The events that are due should nothing more be seen: what goes on is over, what waits is released. Changes nothing. */
  end(reason: EndReason): readonly AlertEvent[]
  /** Nothing has been seen for longer than tracks live; more may come. */
  interrupt?(): readonly AlertEvent[]
}

/** What an analysis may ask for beside the scenes. */
export interface AnalysisDeps {
  /** Whether the process makes pictures of its tracks. */
  readonly keepsPictures: () => boolean
  /** What a track looks like, as a JPEG in base64; null when there is no picture yet. */
  readonly pictureOf: (trackId: number) => string | null
  /** The whole picture of the frame that was taken then, with the track's box, or with null all boxes; null until it is there, if ever. */
  readonly sceneOf: (trackId: number | null, takenAtMs: number) => string | null
  /** Of this alert, about this source. */
  readonly lastNotification: LastNotification
}

/** For the many scenes in which nothing happens. */
export const nothing: readonly AlertEvent[] = []

/**
 * The event `update` says where something is now, which is all that the one before said: it is frequent, a newer one
 * replaces it while it waits, and it costs no write of progress.
 */
export function isUpdate({ event }: AlertEvent): boolean {
  return event === 'update'
}
