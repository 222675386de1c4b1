import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHttpReceiver, type HttpReceiver } from '../test/support/http-receiver.ts'
import { sourcesOnPath } from './sources-on-path.js'

const PER_PAGE = 2

let service: HttpReceiver
/** Paths of the sources of each owner; `''` is the caller. */
let owned: Record<string, readonly string[]>
beforeEach(async () => {
  owned = {}
  service = await createHttpReceiver(({ path }, response) => {
    const { searchParams } = new URL(path, 'http://test')
    const owner = searchParams.get('username') ?? ''
    const paths = owned[owner]
    if (!paths) {
      response.writeHead(403, { 'content-type': 'application/problem+json' }).end(`{"detail":"${owner} is not yours."}`)
      return
    }
    const first = Number(searchParams.get('cursor') ?? 0)
    const sources = paths.map((name, index) => ({
      source_uuid: `${owner}#${index}`,
      vod_url: name === 'file' ? null : `https://video.example/aerie/hls/${name}/vod.m3u8`,
    }))
    const next = first + PER_PAGE
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(next < sources.length && { link: `</sources?limit=1000&cursor=${next}>; rel="next"` }),
    })
    response.end(JSON.stringify(sources.slice(first, next)))
  })
})
afterEach(() => service.close())

const find = (path: string) =>
  sourcesOnPath(`http://127.0.0.1:${service.port}/`, path, { authorization: 'Bearer ak_x' })

test('all pages are looked through, and files are on no path', async () => {
  owned = { '': ['file', 'ann/gate', 'ann/yard', 'ann/gate/east', 'ann/gate'] }
  expect(await find('ann/gate')).toEqual(['#1', '#4'])
  expect(service.calls).toHaveLength(3)
  expect(service.calls[0]!.headers.authorization).toBe('Bearer ak_x')
})

test('a master finds those of its child', async () => {
  owned = { '': ['ann/gate'], bob: ['bob/gate'] }
  expect(await find('bob/gate')).toEqual(['bob#0'])
})

test('a path of somebody else is refused with the sentence of the service, and one without sources has none', async () => {
  owned = { '': [], ann: [] }
  await expect(find('carl/gate')).rejects.toThrow('carl is not yours.')
  expect(await find('ann/nothing')).toEqual([])
})
