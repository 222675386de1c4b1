/** What is known of a publisher that has not begun yet. */
export interface KnownSoFar {
  readonly hasVideo: boolean
  readonly hasAudio: boolean
  /** What the metadata says; undefined while none came. */
  readonly promises: { readonly video: boolean; readonly audio: boolean } | undefined
  /** Since the first frame. */
  readonly waitedMs: number
}

/** Real drones promise audio that never comes. */
const MAX_WAIT_FOR_AUDIO_MS = 1000
/** Audio alone is of little use here, so video is given more time. */
const MAX_WAIT_FOR_VIDEO_MS = 10_000

/** Whether to begin with the tracks that are there. Asked with every frame; a stream can't get more tracks later. */
export function isTimeToStart({ hasVideo, hasAudio, promises, waitedMs }: KnownSoFar): boolean {
  if (hasVideo && hasAudio) return true
  if (hasVideo) return promises?.audio === false || waitedMs >= MAX_WAIT_FOR_AUDIO_MS
  if (hasAudio) return waitedMs >= (promises?.video === false ? MAX_WAIT_FOR_AUDIO_MS : MAX_WAIT_FOR_VIDEO_MS)
  return false
}
