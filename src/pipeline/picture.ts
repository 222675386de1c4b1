import { type CodecParameters, type IRational, type Packet } from 'node-av'
import { type DecodedFrame } from './decode/frame-pool.ts'
import { type Detection } from '../core/detection.ts'
import { type SceneCamera, type SceneTrack } from '../core/scene.ts'

/** What comes from a source: a stream, which may be another one after a loss, and its packets. */
export type SourcePart = OpenedPart | PacketPart

export interface OpenedPart {
  readonly kind: 'opened'
  readonly video: OpenedVideo
  /** Of a file: the moment that its beginning stands for. Null for a live stream, whose packets are dated one by one. */
  readonly startedAtMs: number | null
}

export interface PacketPart {
  readonly kind: 'packet'
  /** Valid until the next part is asked for. */
  readonly packet: Packet
  /** No picture from it on refers to one before it. */
  readonly isKeyframe: boolean
  /** Null in a file, and of what came before: that is decoded for what follows it, and nobody gets to see it. */
  readonly times: LiveTimes | null
}

/** What a decoder needs to know, and what users see. */
export interface OpenedVideo {
  readonly codecpar: CodecParameters
  readonly timeBase: IRational
  /** As FFmpeg names it, or as RTP does. */
  readonly codec: string
  /** Frames a second, where the source says it. */
  readonly fps?: number
}

export interface LiveTimes {
  /** When the picture was taken; see `Scene.takenAtMs`. */
  readonly takenAtMs: number
  /** When it came to us, on the steady clock. */
  readonly arrivedMs: number
  /** Its place on a time line that goes on evenly across losses of the source: for durations. */
  readonly timeMs: number
  /** As it was in the RTP packets, where that is known. */
  readonly rtpTimestamp: number | null
  /** How often, up to it, nothing had come for so long that nobody knows what happened meanwhile. */
  readonly breaks: number
}

/** A decoded picture on its way through the pipeline. The stage that takes it out of the way releases it. */
export interface Picture extends LiveTimes {
  readonly decoded: DecodedFrame
  /** Its place on the stream's own time line. */
  readonly ptsSeconds: number
}

/** A picture, and what a model saw in it. */
export interface SeenPicture extends Picture {
  /** `unchanged` where it shows nothing that the one before did not show: then no model has looked. */
  readonly detections: readonly Detection[] | 'unchanged'
  /** When that was known, by this machine's wall clock. */
  readonly detectedAtMs: number
}

/** A picture with the objects that are reported of it. */
export interface TrackedPicture extends Omit<SeenPicture, 'detections'> {
  readonly tracks: readonly SceneTrack[]
  /** Ids of all tracks that may be seen again, those among them that are hidden now. */
  readonly known: readonly number[]
}

/** A picture whose tracks have their places on the Earth, as far as telemetry allows. */
export interface LocatedPicture extends TrackedPicture {
  readonly camera?: SceneCamera
}

/** One picture of H.264. */
export interface EncodedPicture {
  /** Annex B; a keyframe begins with its parameter sets. */
  readonly data: Buffer
  readonly ptsMs: number
  readonly isKeyframe: boolean
}
