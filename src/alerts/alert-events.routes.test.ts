import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { anAlertEventRow } from '../../test/builders/recorded-rows.ts'
import { createTestApp, type TestApp } from '../../test/support/app.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemClock } from '../core/clock.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { type AlertEventRow } from '../storage/schema.ts'
import { eventPictureFile } from './event-picture-files.ts'

const folder = useTemporaryFolder('aerie-alert-events-')
const HOUR_MS = 3_600_000
const jpeg = 'a picture'

let app: TestApp
let database: Database
let aheadMs: number
/** The master. */
let accountId: string
let sourceId: string
beforeEach(async () => {
  aheadMs = 0
  const clock = { ...systemClock, now: () => Date.now() + aheadMs }
  app = await createTestApp({ AERIE_DATA_DIR: folder(), AERIE_NOTIFICATION_LINK_HOURS: '2' }, clock)
  database = openDatabase(`sqlite:${join(folder(), 'aerie.db')}`)
  accountId = (await database.db.selectFrom('account').select('id').executeTakeFirstOrThrow()).id
  sourceId = await addSource()
})
afterEach(async () => {
  await database.close()
  await app.remove()
})

async function addSource(key?: string): Promise<string> {
  const username = key === undefined ? 'admin' : 'bob'
  const body = { alias: 'gate', input_url: `rtsp://localhost:8554/${username}/gate`, stream_type: 'rtsp' }
  return (await app.call('POST', '/stream', { key, body })).body.source_uuid as string
}

async function addChild(username: string): Promise<{ key: string; id: string }> {
  const { body } = await app.call('POST', '/keys', { body: { username, max_sources: 5 } })
  const row = await database.db
    .selectFrom('account')
    .select('id')
    .where('username', '=', username)
    .executeTakeFirstOrThrow()
  return { key: body.key as string, id: row.id }
}

/** With a picture, unless it is said that there is none. */
async function add(change: Partial<AlertEventRow> = {}, isPictured = true): Promise<AlertEventRow> {
  const ids = { id: orderedUuid(), alert_id: orderedUuid(), process_id: orderedUuid(), source_id: sourceId }
  const event = anAlertEventRow({ ...ids, account_id: accountId, at: Date.now(), ...change })
  const file = eventPictureFile(event)
  const row = isPictured ? { ...event, file, size_bytes: jpeg.length } : event
  await database.db.insertInto('alert_event').values(row).execute()
  if (!isPictured) return row
  mkdirSync(dirname(join(folder(), file)), { recursive: true })
  writeFileSync(join(folder(), file), jpeg)
  return row
}

const list = (query = '', key?: string) => app.call('GET', `/alert_events${query}`, { key })
const pictureUrlOf = async ({ id }: AlertEventRow) =>
  ((await list()).body as { event_uuid: string; picture_url: string }[]).find((one) => one.event_uuid === id)!
    .picture_url
/** As somebody who has nothing but the link. */
function open(url: string, change: (url: URL) => void = () => {}) {
  const link = new URL(url)
  change(link)
  return app.call('GET', `${link.pathname}${link.search}`, { key: '' })
}
const refusalOf = ({ status, body }: Awaited<ReturnType<typeof open>>) => [status, body?.code]

describe('the list', () => {
  test('has what a notification had, and links', async () => {
    const event = await add({ data: '{"tracks":[]}', at: Date.UTC(2026, 0, 1) })
    const { status, body } = await list()
    expect(status).toBe(200)
    expect(body).toEqual([
      {
        event_uuid: event.id,
        alert_uuid: event.alert_id,
        alias: 'fence',
        type: 'filter-search',
        event: 'found',
        source_uuid: sourceId,
        source_alias: 'gate',
        process_uuid: event.process_id,
        at: '2026-01-01T00:00:00.000Z',
        data: { tracks: [] },
        picture_url: expect.stringMatching(`^http://.+/alert_event/${event.id}/picture.jpg\\?token=`) as string,
        clip_url: expect.stringMatching(`^http://.+/alert_event/${event.id}/clip.mp4\\?token=`) as string,
      },
    ])
  })

  test('leads from page to page, and is searched by time, source and alert', async () => {
    const events = []
    for (const at of [1_000, 2_000, 3_000]) events.push(await add({ at }))
    const idsOf = ({ body }: Awaited<ReturnType<typeof list>>) =>
      body.map((one: { event_uuid: string }) => one.event_uuid)
    const first = await list('?limit=2')
    expect(idsOf(first)).toEqual([events[2]!.id, events[1]!.id])
    const next = /^<\/alert_events(.*)>; rel="next"$/.exec(String(first.headers['link']))![1]!
    const last = await list(next)
    expect(idsOf(last)).toEqual([events[0]!.id])
    expect(last.headers['link']).toBeUndefined()
    expect(idsOf(await list('?from=1970-01-01T00:00:02Z&to=1970-01-01T00:00:03Z'))).toEqual([events[1]!.id])
    expect(idsOf(await list(`?alert_uuid=${events[0]!.alert_id}`))).toEqual([events[0]!.id])
    expect(idsOf(await list(`?source_uuid=${sourceId}`))).toHaveLength(3)
    expect(idsOf(await list(`?source_uuid=${orderedUuid()}`))).toEqual([])
  })

  test.each([
    ['?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z', 'query.to', /later than/],
    ['?cursor=somewhere', 'query.cursor', /as it is/],
    ['?limit=0', 'query.limit', /./],
    ['?source_uuid=gate', 'query.source_uuid', /./],
  ])('%s is refused with a sentence', async (query, path, message) => {
    const { status, body } = await list(query)
    expect([status, body.errors[0].path]).toEqual([422, path])
    expect(body.errors[0].message).toMatch(message)
  })

  test('has no link to what will never come', async () => {
    const event = await add({}, false)
    expect((await list()).body[0].picture_url).not.toBeNull()
    aheadMs = HOUR_MS
    expect((await list()).body[0].picture_url).toBeNull()
    await app.call('DELETE', `/source/${sourceId}`)
    expect((await list()).body).toMatchObject([{ event_uuid: event.id, source_alias: null, clip_url: null }])
  })

  test('is the own one, or that of a child that a master names', async () => {
    const bob = await addChild('bob')
    const [mine, bobs] = [await add(), await add({ account_id: bob.id })]
    expect((await list()).body).toMatchObject([{ event_uuid: mine.id }])
    expect((await list('', bob.key)).body).toMatchObject([{ event_uuid: bobs.id }])
    expect((await list('?username=bob')).body).toMatchObject([{ event_uuid: bobs.id }])
    expect((await list(`?source_uuid=${sourceId}`, bob.key)).body).toMatchObject([{ event_uuid: bobs.id }])
    expect((await list('?username=admin', bob.key)).status).toBe(403)
  })
})

describe('a picture', () => {
  test('is there for who has its link, and for no longer than that says', async () => {
    const url = await pictureUrlOf(await add())
    const shown = await open(url)
    expect([shown.status, shown.headers['content-type'], shown.text]).toEqual([200, 'image/jpeg', jpeg])
    aheadMs = 2 * HOUR_MS + 1_000
    expect(refusalOf(await open(url))).toEqual([403, 'link-expired'])
  })

  test('is nobody else’s', async () => {
    const [event, other] = [await add(), await add()]
    const url = await pictureUrlOf(event)
    const withToken = (token: string) => open(url, ({ searchParams }) => searchParams.set('token', token))
    const { searchParams } = new URL(await pictureUrlOf(other))
    for (const token of [
      '',
      'x',
      '1.x',
      `zzzzzzz.${searchParams.get('token')!.split('.')[1]!}`,
      searchParams.get('token')!,
    ])
      expect(refusalOf(await withToken(token)), token).toEqual([403, 'link-expired'])
    const clip = (await list()).body.find((one: { event_uuid: string }) => one.event_uuid === event.id)
      .clip_url as string
    expect(refusalOf(await withToken(new URL(clip).searchParams.get('token')!))).toEqual([403, 'link-expired'])
    // Without any it needs a key, as everything does.
    expect(refusalOf(await open(url, ({ searchParams: query }) => query.delete('token')))).toEqual([
      403,
      'api-key-missing',
    ])
  })

  test('ends with the key whose event it is', async () => {
    const bob = await addChild('bob')
    const event = await add({ account_id: bob.id, source_id: await addSource(bob.key) })
    const url = (await list('', bob.key)).body[0].picture_url as string
    expect((await open(url)).status).toBe(200)
    await app.call('DELETE', '/keys/bob')
    expect(refusalOf(await open(url)), event.id).toEqual([403, 'link-expired'])
  })

  test('that may still come is asked for again; later there is none', async () => {
    const event = await add({}, false)
    const url = await pictureUrlOf(event)
    const waiting = await open(url)
    expect([waiting.status, waiting.headers['retry-after'], waiting.body]).toEqual([
      202,
      '1',
      { retry_after_seconds: 1 },
    ])
    aheadMs = 16_000
    expect(refusalOf(await open(url))).toEqual([404, 'picture-not-found'])
  })

  test('is there for keys too, of its owner and of who was given a right on its source', async () => {
    const [bob, carol] = [await addChild('bob'), await addChild('carol')]
    const [event, bobs] = [await add(), await add({ account_id: bob.id, source_id: await addSource(bob.key) })]
    const ask = ({ id }: AlertEventRow, key?: string, query = '') =>
      app.call('GET', `/alert_event/${id}/picture.jpg${query}`, { key })
    expect((await ask(event)).text).toBe(jpeg)
    expect((await ask(bobs, undefined, '?username=bob')).text).toBe(jpeg)
    for (const [key, one] of [
      [undefined, bobs],
      [bob.key, event],
      [carol.key, event],
    ] as const)
      // prettier-ignore
      expect(refusalOf(await ask(one, key))).toEqual([404, 'alert-event-not-found'])
    const give = (...rights: string[]) => app.call('PUT', `/keys/carol/sources/${sourceId}`, { body: { rights } })
    await give('watch')
    expect(refusalOf(await ask(event, carol.key))).toEqual([403, 'right-missing'])
    expect((await list('', carol.key)).body).toEqual([])
    await give('events')
    expect((await ask(event, carol.key)).text).toBe(jpeg)
    // By its key, and by no link that would outlive the right.
    const picture_url = expect.stringMatching(new RegExp(`/alert_event/${event.id}/picture\\.jpg$`)) as string
    const listed = { event_uuid: event.id, picture_url, clip_url: null }
    expect((await list(`?source_uuid=${sourceId}`, carol.key)).body).toMatchObject([listed])
    expect((await list('', carol.key)).body).toMatchObject([listed])
    expect(refusalOf(await app.call('DELETE', `/alert_event/${event.id}`, { key: carol.key }))).toEqual([
      404,
      'alert-event-not-found',
    ])
    await app.call('DELETE', `/keys/carol/sources/${sourceId}`)
    expect(refusalOf(await ask(event, carol.key))).toEqual([404, 'alert-event-not-found'])
  })

  test('events of others are listed between one’s own, page by page', async () => {
    const bob = await addChild('bob')
    const own = await addSource(bob.key)
    await app.call('PUT', `/keys/bob/sources/${sourceId}`, { body: { rights: ['events'] } })
    const now = Date.now()
    const events = []
    for (const at of [now - 4, now - 3, now - 2, now - 1])
      events.push(await (at % 2 === 0 ? add({ at }) : add({ at, account_id: bob.id, source_id: own })))
    const seen: string[] = []
    let next: string | undefined = '/alert_events?limit=1'
    while (next !== undefined) {
      const { body, headers } = await app.call('GET', next, { key: bob.key })
      seen.push(...(body as { event_uuid: string }[]).map(({ event_uuid }) => event_uuid))
      next = /<(.*)>/.exec(String(headers['link'] ?? ''))?.[1]
    }
    expect(seen).toEqual(events.map(({ id }) => id).reverse())
  })
})

test('an event is deleted with its picture, by its owner alone, and once', async () => {
  const bob = await addChild('bob')
  const event = await add()
  const url = await pictureUrlOf(event)
  const remove = (key?: string) => app.call('DELETE', `/alert_event/${event.id}`, { key })
  expect(refusalOf(await remove(bob.key))).toEqual([404, 'alert-event-not-found'])
  expect((await remove()).body).toEqual({ event_uuid: event.id, deleted: true })
  expect(existsSync(join(folder(), eventPictureFile(event)))).toBe(false)
  expect(refusalOf(await open(url))).toEqual([404, 'alert-event-not-found'])
  expect(refusalOf(await remove())).toEqual([404, 'alert-event-not-found'])
})
