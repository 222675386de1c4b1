/** A picture cut out of a frame: what one track looks like. */
export interface TrackPicture {
  readonly trackId: number
  /** `patch`: the small one that reports show, one a track; `crop`: a larger one for the enhancement, up to five a vehicle. */
  readonly role: 'patch' | 'crop'
  /** Which of a track's crops it is, 0…4: a better one takes the place of the worst. 0 for patches. */
  readonly slot: number
  readonly takenAtMs: number
  /** 0…1, of the detection. */
  readonly confidence: number
  /** Confidence × size × sharpness: what the best is chosen by. */
  readonly quality: number
  readonly jpeg: Uint8Array
}

/** The whole picture of one frame, small, with the box of one track, or of all of them: where something was when it was found. */
export interface ScenePicture {
  /** Null where it shows all that were seen. */
  readonly trackId: number | null
  /** Of the frame that was asked for; the picture is of that one or of the nearest that was still held. */
  readonly takenAtMs: number
  /** Null where there is none: the frame is gone, or too many are asked for. */
  readonly jpeg: Uint8Array | null
}
