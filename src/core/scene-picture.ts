/** The whole picture of one frame, small, with the box of one track: where something was when it was found. */
export interface ScenePicture {
  readonly trackId: number
  /** Of the frame that was asked for; the picture is of that one or of the nearest that was still held. */
  readonly takenAtMs: number
  readonly jpeg: Uint8Array
}
