import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../../test/support/app.ts'

let app: TestApp
let guard: string
beforeEach(async () => {
  app = await createTestApp()
  guard = await addChild('guard')
})
afterEach(() => app.remove())

const addChild = async (username: string) =>
  (await app.call('POST', '/keys', { body: { username } })).body.key as string

async function addSource(username: string, name: string, key?: string): Promise<string> {
  const input_url = `rtsp://localhost:8554/${username}/${name}`
  const body = { alias: name, input_url, stream_type: 'rtsp' }
  return (await app.call('POST', '/stream', { key, body })).body.source_uuid as string
}

const give = (sourceId: string, rights: unknown, key?: string) =>
  app.call('PUT', `/keys/guard/sources/${sourceId}`, { key, body: { rights } })
const take = (sourceId: string) => app.call('DELETE', `/keys/guard/sources/${sourceId}`)
const asGuard = (path: string) => app.call('GET', path, { key: guard })

test('rights are given, replaced, listed and taken', async () => {
  const [gate, yard] = [await addSource('admin', 'gate'), await addSource('admin', 'yard')]
  const given = await give(gate, ['events', 'watch'])
  expect([given.status, given.body]).toEqual([
    201,
    { username: 'guard', source_uuid: gate, rights: ['watch', 'events'], created_at: expect.any(String) as string },
  ])
  const replaced = await give(gate, ['control'])
  expect([replaced.status, replaced.body]).toEqual([200, { ...given.body, rights: ['control'] }])
  await give(yard, ['watch'])
  const first = await app.call('GET', '/keys/guard/sources?limit=1')
  expect(first.body).toMatchObject([{ source_uuid: yard }])
  const [, next] = /<(.*)>/.exec(String(first.headers['link']))!
  expect((await app.call('GET', next!)).body).toEqual([replaced.body])
  expect((await take(gate)).body).toEqual({ username: 'guard', source_uuid: gate, deleted: true })
  expect((await take(gate)).body).toMatchObject({ status: 404, code: 'source-right-not-found' })
})

test.each([
  ['none', [], 'body.rights'],
  ['one that there is not', ['see'], 'body.rights.0'],
  ['no list', 'watch', 'body.rights'],
])('%s is refused in a sentence', async (_name, rights, path) => {
  const { status, body } = await give(await addSource('admin', 'gate'), rights)
  expect([status, body.errors]).toMatchObject([422, [{ path }]])
})

test('only a master gives, to its own child, what is its own or its children’s', async () => {
  const bob = await addChild('bob')
  const [gate, bobs] = [await addSource('admin', 'gate'), await addSource('bob', 'gate', bob)]
  expect((await give(bobs, ['watch'])).status).toBe(201)
  expect((await give(bobs, ['watch'], bob)).body).toMatchObject({ status: 403, code: 'master-key-required' })
  expect((await asGuard('/keys/guard/sources')).body).toMatchObject({ status: 403, code: 'master-key-required' })
  expect((await give(randomUUID(), ['watch'])).body).toMatchObject({ status: 404, code: 'source-not-found' })
  const toNobody = await app.call('PUT', `/keys/nobody/sources/${gate}`, { body: { rights: ['watch'] } })
  expect(toNobody.body).toMatchObject({ status: 404, code: 'key-not-found' })
})

test('a given source stands in the list with its owner, and without where its camera is', async () => {
  const gate = await addSource('admin', 'gate')
  expect((await asGuard('/sources')).body).toEqual([])
  expect((await asGuard(`/source/${gate}`)).status).toBe(404)
  await give(gate, ['watch'])
  const [seen] = (await asGuard('/sources')).body
  expect(seen).toMatchObject({
    source_uuid: gate,
    owner: 'admin',
    rights: ['watch'],
    input_url: null,
    telemetry_cfg: null,
    vod_url: expect.stringContaining('/hls/admin/gate/vod.m3u8') as string,
  })
  expect((await asGuard(`/source/${gate}`)).body).toEqual(seen)
  await give(gate, ['events'])
  expect((await asGuard(`/source/${gate}`)).body).toMatchObject({
    rights: ['events'],
    hls_url: null,
    vod_url: null,
    webrtc_url: null,
  })
  expect((await app.call('GET', `/source/${gate}`)).body).toMatchObject({
    owner: 'admin',
    rights: null,
    input_url: 'rtsp://localhost:8554/admin/gate',
  })
  expect((await app.call('GET', '/sources?username=guard')).body).toEqual([])
  await take(gate)
  expect((await asGuard('/sources')).body).toEqual([])
})

test('one’s own and given sources are one list, page by page', async () => {
  const ids: string[] = []
  for (const name of ['a', 'b', 'c', 'd', 'e']) {
    const isOwn = ids.length % 2 === 0
    ids.push(await addSource(isOwn ? 'guard' : 'admin', name, isOwn ? guard : undefined))
    if (!isOwn) await give(ids.at(-1)!, ['watch'])
  }
  for (const limit of [1, 2, 3, 5]) {
    const seen: string[] = []
    for (let next: string | undefined = `/sources?limit=${limit}`; next !== undefined;) {
      const { body, headers } = await asGuard(next)
      seen.push(...(body as { source_uuid: string }[]).map(({ source_uuid }) => source_uuid))
      next = /<(.*)>/.exec(String(headers['link'] ?? ''))?.[1]
    }
    expect(seen).toEqual([...ids].reverse())
  }
})

test('who may not see the events of a source may not name its processes, and who may only look starts none', async () => {
  const gate = await addSource('admin', 'gate')
  await give(gate, ['watch'])
  const start = await app.call('POST', `/start?when=live&source_uuid=${gate}`, { key: guard })
  expect(start.body).toMatchObject({ status: 403, code: 'right-missing' })
  expect(start.body.detail).toContain('the right control')
  expect((await asGuard('/processes')).body).toEqual([])
  await take(gate)
  expect((await app.call('POST', `/start?when=live&source_uuid=${gate}`, { key: guard })).body).toMatchObject({
    status: 404,
    code: 'source-not-found',
  })
})
