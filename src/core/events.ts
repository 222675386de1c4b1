import { type MinutesLow } from './minutes.ts'
import { type ProcessRef } from './process-facts.ts'
import { type Scene } from './scene.ts'
import { type ScenePicture, type TrackPicture } from './track-picture.ts'

/** Which process something comes from. */
export interface ProcessBrief extends ProcessRef {
  /** With its password; masked wherever it is shown. */
  readonly sourceUrl: string
  /** It keeps a track report. */
  readonly isReported: boolean
}

export interface ProcessStateChange extends ProcessRef {
  readonly state: string
  readonly previousState: string
  /** Whether the process goes on. */
  readonly isLive: boolean
  /** Why it ended, or what is wrong. */
  readonly reason: string | null
  /** How often its pipeline crashed and was launched again. */
  readonly restarts: number
}

/** Something that an alert notifies of. Those that only go on (`update`) are none. */
export interface NotifiedEvent extends ProcessRef {
  readonly alertId: string
  /** The alert's, at that time. */
  readonly alias: string
  readonly type: string
  readonly eventId: string
  /** As in the notification: `started`, `found`, … */
  readonly event: string
  /** By the stream's clock. */
  readonly atMs: number
  /** When that began which has ended; of all others the same as `atMs`. */
  readonly startedAtMs: number
  /** Whom it is about; none where that is nobody alone, or nobody is tracked. */
  readonly trackIds: readonly number[]
}

/** What features emit to each other over the bus. */
export interface AppEvents {
  /** A key lost its rights: whatever runs for it must stop; with `purge`, what it stored must go too. */
  'key-revoked': { readonly accountId: string; readonly username: string; readonly purge: boolean }
  /** All that a revoked key had stored is gone, as far as it was in the database and on this machine. */
  'key-purged': { readonly accountId: string; readonly username: string }
  /** The minutes of an account run out within a day. It comes again and again while that is so; whoever passes it on warns once. */
  'minutes-low': MinutesLow
  /** A process came into another state. */
  'process-state': ProcessStateChange
  /** What a process saw in one frame. It comes often: a handler must be quick, and never wait. */
  scene: { readonly process: ProcessBrief; readonly scene: Scene }
  'alert-event': NotifiedEvent
  /** A picture of a whole scene that was asked for. */
  'scene-picture': { readonly processId: string; readonly picture: ScenePicture }
  /** A picture for the viewers of the feed of a process. */
  'feed-picture': { readonly processId: string; readonly jpeg: Uint8Array }
  /** The best pictures so far of some tracks; later ones of the same track and role take their place. */
  'track-pictures': { readonly process: ProcessBrief; readonly pictures: readonly TrackPicture[] }
}
