import { type Box } from './detection.ts'

/** What was seen in one frame of a process: the record that leaves the pipeline. */
export interface Scene {
  /** When the frame was taken: the sender's wall clock if it is told, else the arrival; for files, the process's start plus the position. */
  readonly takenAtMs: number
  readonly frame: SceneFrame
  readonly tracks: readonly SceneTrack[]
}

export interface SceneFrame {
  readonly width: number
  readonly height: number
  /** The frame's place on the stream's own time line. */
  readonly ptsSeconds: number
  /** As it was in the RTP packets, where that is known. */
  readonly rtpTimestamp: number | null
}

/** One object in one frame. */
export interface SceneTrack {
  /** 0 when tracking is off. */
  readonly id: number
  readonly classId: number
  readonly className: string
  readonly box: Box
  /** 0…1 */
  readonly confidence: number
}
