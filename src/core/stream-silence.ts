/** A stream from which nothing has come for longer is lost, for its pipeline and for the call to its camera alike. */
export const MAX_STREAM_SILENCE_MS = 5_000
