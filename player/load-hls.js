/**
 * hls.js; undefined without Media Source Extensions, and where it can't be had.
 * @param {string} root
 * @returns {Promise<typeof import('hls.js').default | undefined>}
 */
export async function loadHls(root) {
  const page = /** @type {{ Hls?: typeof import('hls.js').default, MediaSource?: unknown }} */ (globalThis)
  if (page.Hls || !page.MediaSource) return page.Hls
  return new Promise((resolve) => {
    const script = document.createElement('script')
    script.src = `${root}hls.js`
    script.onload = () => resolve(page.Hls)
    script.onerror = () => resolve(undefined)
    document.head.append(script)
  })
}
