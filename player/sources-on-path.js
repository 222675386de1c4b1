import { refusalOf } from './refused.js'

/**
 * The sources of a path among those that the caller may see: its own, and otherwise those of the path's owner.
 * @param {string} root of the service
 * @param {string} path `<username>/<stream path>`
 * @param {Record<string, string>} headers with the credentials, where no cookie goes along
 * @returns {Promise<string[]>}
 */
export async function sourcesOnPath(root, path, headers) {
  const [owner = ''] = path.split('/')
  const own = await idsOn(root, path, headers, {})
  return own.length > 0 ? own : idsOn(root, path, headers, { username: owner })
}

/**
 * @param {string} root
 * @param {string} path
 * @param {Record<string, string>} headers
 * @param {Record<string, string>} question
 */
async function idsOn(root, path, headers, question) {
  const ids = []
  let cursor
  do {
    const query = new URLSearchParams({ ...question, limit: '1000', ...(cursor && { cursor }) })
    const response = await fetch(`${root}sources?${query}`, { headers })
    if (!response.ok) throw await refusalOf(response)
    /** @type {{ source_uuid: string, vod_url: string | null }[]} */
    const sources = await response.json()
    for (const { source_uuid, vod_url } of sources)
      if (vod_url?.endsWith(`/hls/${path}/vod.m3u8`)) ids.push(source_uuid)
    cursor = /[?&]cursor=([\w-]+)/.exec(response.headers.get('link') ?? '')?.[1]
  } while (cursor)
  return ids
}
