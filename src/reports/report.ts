import { type EnhancedData } from '../enhance/messages.ts'

/** What a process saw, track by track; it is there from the process's start on. */
export interface Report {
  /** The process's. */
  readonly id: string
  readonly accountId: string
  readonly sourceId: string
  /** Null once the source is removed. */
  readonly alias: string | null
  readonly state: string
  readonly isLive: boolean
  readonly createdAt: number
  readonly startedAt: number | null
  readonly stoppedAt: number | null
  readonly trackCount: number
  /** Null before the first frame. */
  readonly lastFrame: LastFrame | null
  readonly enhancement: Enhancement | null
}

/** A frame's time by the stream's clock, and by ours when it came. */
export interface LastFrame {
  readonly takenAt: number
  readonly heardAt: number
}

export type EnhancementStatus = 'RUNNING' | 'FINISHED' | 'FAILED'

export interface Enhancement {
  readonly status: EnhancementStatus
  /** Why it failed. */
  readonly reason: string | null
  /** Names the run. */
  readonly startedAt: number
  readonly endedAt: number | null
}

/** As it is stored and shown. */
export interface SeenLocation {
  readonly latitude: number
  readonly longitude: number
  /** Metres above mean sea level. */
  readonly altitude: number
  /** POSIX seconds. */
  readonly timestamp: number
}

/** `[x, y, width, height]` in pixels of the input. */
export type BoxNumbers = readonly [number, number, number, number]
/** `[latitude, longitude, altitude]` */
export type PlaceNumbers = readonly [number, number, number]
/** `[frame, x, y, width, height]`; frames are counted from 1. */
export type FrameBox = readonly [number, number, number, number, number]
/** `[width in degrees, height in degrees, measured distance in metres, distance by whatever way]` */
export type SizeNumbers = readonly [number, number, number | null, (number | null)?]

/** One track as a report has it: its life, and what was seen of it in the window. */
export interface ReportTrack {
  readonly trackId: number
  readonly classId: number
  readonly className: string
  /** The last one. */
  readonly box: BoxNumbers
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly firstLocation: SeenLocation | null
  readonly lastLocation: SeenLocation | null
  readonly isLive: boolean
  /** Of the window, in the order of time; both have a sighting at the same place. */
  readonly times: readonly number[]
  readonly confidences: readonly number[]
  /** Only where they were asked for; as long as `times`. */
  readonly boxes?: readonly FrameBox[]
  readonly places?: readonly (PlaceNumbers | null)[]
  readonly patch?: Patch
  /** Undefined before the enhancement came to it. */
  readonly enhanced?: EnhancedData
}

export interface Patch {
  readonly jpeg: Buffer
  /** Percent. */
  readonly confidence: number
  readonly takenAt: number
}
