/** hls.js may wait for ever for what a worker that died had promised. */
const STANDSTILL_MS = 8000
const LOOK_EVERY_MS = 1000

/**
 * Resolves when no new picture has come for a while, although the page is looked at and the video not paused; or on abort.
 * @param {HTMLVideoElement} video
 * @param {AbortSignal} signal
 * @returns {Promise<void>}
 */
export function standstill(video, signal) {
  return new Promise((resolve) => {
    let seen = { frames: -1, at: 0 }
    const timer = setInterval(() => {
      // Not by the video's time: hls.js moves it on where it can't show anything.
      const frames = video.getVideoPlaybackQuality().totalVideoFrames
      const isMeantToMove = !video.paused && document.visibilityState === 'visible'
      if (frames !== seen.frames || !isMeantToMove) seen = { frames, at: performance.now() }
      else if (performance.now() - seen.at >= STANDSTILL_MS) end()
    }, LOOK_EVERY_MS)
    const end = () => (clearInterval(timer), resolve())
    signal.addEventListener('abort', end, { once: true })
  })
}
