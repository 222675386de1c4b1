/**
 * Resolves when the video has a picture of what it was given last. Not by its frames: those are counted only while the page is
 * looked at.
 * @param {HTMLVideoElement} video
 * @param {number} maxMs
 * @param {AbortSignal} [signal]
 * @returns {Promise<void>}
 */
export function firstPicture(video, maxMs, signal) {
  return new Promise((resolve, reject) => {
    const settled = new AbortController()
    const fail = () => {
      settled.abort()
      reject(new Error('No picture came through.'))
    }
    const timer = setTimeout(fail, maxMs)
    settled.signal.addEventListener('abort', () => clearTimeout(timer))
    video.addEventListener('loadeddata', () => (settled.abort(), resolve()), { signal: settled.signal })
    signal?.addEventListener('abort', fail, { signal: settled.signal })
    if (signal?.aborted) fail()
  })
}
