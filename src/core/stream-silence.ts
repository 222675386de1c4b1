/** A stream from which nothing has come for longer is lost: to its pipeline, to who calls the camera, and to who looks at the source. */
export const MAX_STREAM_SILENCE_MS = 5_000
