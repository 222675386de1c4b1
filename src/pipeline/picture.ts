import { type Packet, type Stream } from 'node-av'
import { type DecodedFrame } from './decode/frame-pool.ts'
import { type Detection } from '../core/detection.ts'

/** What comes from a source: a stream, which may be another one after a loss, and its packets. */
export type SourcePart =
  | {
      readonly kind: 'opened'
      readonly stream: Stream
      /** Of a file: the moment that its beginning stands for. Null for a live stream, whose packets are dated one by one. */
      readonly startedAtMs: number | null
    }
  | {
      readonly kind: 'packet'
      /** Valid until the next part is asked for. */
      readonly packet: Packet
      /** Null in a file. */
      readonly times: LiveTimes | null
    }

export interface LiveTimes {
  /** When the picture was taken; see `Scene.takenAtMs`. */
  readonly takenAtMs: number
  /** When it came to us, on the steady clock. */
  readonly arrivedMs: number
  /** Its place on a time line that goes on evenly across losses of the source: for durations. */
  readonly timeMs: number
}

/** A decoded picture on its way through the pipeline. Whoever takes it out of the way releases it. */
export interface Picture extends LiveTimes {
  readonly decoded: DecodedFrame
  /** Its place on the stream's own time line. */
  readonly ptsSeconds: number
}

/** A picture, and what a model saw in it. */
export interface SeenPicture extends Picture {
  readonly detections: readonly Detection[]
}
