/** A sender's clock that is further from ours has not been set: its time means nothing. */
const MAX_SKEW_MS = 600_000

/**
 * What a sender says of when something was taken, where that is known and can be right; undefined otherwise. Scenes, recordings
 * and playlists all ask here, so that they date one picture alike.
 */
export function plausibleSenderTime(sentMs: number | undefined, arrivedMs: number): number | undefined {
  return sentMs !== undefined && Math.abs(arrivedMs - sentMs) <= MAX_SKEW_MS ? sentMs : undefined
}
