/** hls.js makes up for two seconds at least, by playing faster; whoever is further behind is left there, like one who looks back on purpose. */
const MAX_BEHIND_SECONDS = 2
/** Time enough to play again where the last look has brought it. */
const LOOK_EVERY_MS = 2000

/**
 * Brings a viewer who has fallen far behind, as on a machine that was busy for a while, back to what is new; until abort. Whoever wants to look
 * back has the recordings, or pauses.
 * @param {Pick<import('hls.js').default, 'latency' | 'targetLatency' | 'liveSyncPosition'>} hls
 * @param {HTMLVideoElement} video
 * @param {AbortSignal} signal
 */
export function stayLive(hls, video, signal) {
  const timer = setInterval(() => {
    const { latency, targetLatency, liveSyncPosition } = hls
    if (targetLatency === null || liveSyncPosition === null || video.paused || video.seeking) return
    if (latency > targetLatency + MAX_BEHIND_SECONDS) video.currentTime = liveSyncPosition
  }, LOOK_EVERY_MS)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
