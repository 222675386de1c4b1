import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aClipPart } from '../../test/builders/clip.ts'
import { aClipRow, anAlertEventRow } from '../../test/builders/recorded-rows.ts'
import { createTestApp, MASTER_KEY, type TestApp } from '../../test/support/app.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemClock, toZulu } from '../core/clock.ts'
import { createEventLinks } from '../core/event-links.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { type ClipRow } from '../storage/schema.ts'
import { readServiceSecret } from '../storage/secret-files.ts'
import { clipFile } from './clip.ts'

const folder = useTemporaryFolder('aerie-clips-')
const MINUTE_MS = 60_000
/** Recorded from here on, for ten minutes. */
const RECORDED_FROM = Date.UTC(2026, 0, 1)

let app: TestApp
let database: Database
let accountId: string
let sourceId: string
beforeEach(async () => {
  app = await createTestApp({ AERIE_DATA_DIR: folder() })
  database = openDatabase(`sqlite:${join(folder(), 'aerie.db')}`)
  accountId = (await database.db.selectFrom('account').select('id').executeTakeFirstOrThrow()).id
  sourceId = await addSource()
  await addRecording(RECORDED_FROM, 10)
})
afterEach(async () => {
  await database.close()
  await app.remove()
})

async function addSource(): Promise<string> {
  const body = { alias: 'gate', input_url: 'rtsp://localhost:8554/admin/gate', stream_type: 'rtsp' }
  return (await app.call('POST', '/stream', { body })).body.source_uuid as string
}

/** Files of a minute each, of 600 bytes. */
async function addRecording(from: number, minutes: number, of: Partial<ClipRow> = {}): Promise<void> {
  const id = orderedUuid()
  const ids = { account_id: of.account_id ?? accountId, source_id: of.source_id ?? sourceId }
  await database.db
    .insertInto('recording')
    .values({ ...ids, id, alias: 'gate', started_at: from, ended_at: from + minutes * MINUTE_MS, node_id: null })
    .execute()
  for (let minute = 0; minute < minutes; minute++) {
    const file = { id: orderedUuid(), recording_id: id, file: `recordings/${ids.source_id}/${id}/${minute}.mp4` }
    const written = { started_at: from + minute * MINUTE_MS, duration_ms: MINUTE_MS, size_bytes: 600 }
    const rest = { gap_ms: null, importance: 0 as const, rest_until: null, fragments: null }
    await database.db
      .insertInto('recording_segment')
      .values({ ...ids, ...file, ...written, ...rest })
      .execute()
  }
}

async function addChild(username: string): Promise<string> {
  return (await app.call('POST', '/keys', { body: { username, max_sources: 5 } })).body.key as string
}

const at = (seconds: number) => toZulu(RECORDED_FROM + seconds * 1_000)
const ask = (change: Record<string, unknown> = {}, key?: string) =>
  app.call('POST', '/clip', { key, body: { source_uuid: sourceId, from: at(30), to: at(90), ...change } })

async function addReady(change: Partial<ClipRow> = {}, content = 'a clip'): Promise<ClipRow> {
  const parts = JSON.stringify([aClipPart({ sizeBytes: content.length })])
  const ids = { id: orderedUuid(), account_id: accountId, source_id: sourceId }
  const row = aClipRow({ ...ids, parts, size_bytes: content.length, ...change })
  await database.db.insertInto('clip').values(row).execute()
  const path = join(folder(), clipFile({ accountId: row.account_id, id: row.id }, 1))
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
  return row
}

describe('POST /clip', () => {
  test('answers what it will be, and where it is', async () => {
    const { status, body, headers } = await ask({ alias: 'the dog' })
    expect([status, headers['location']]).toEqual([202, `/clip/${body.clip_uuid as string}`])
    expect(body).toMatchObject({
      alias: 'the dog',
      source_uuid: sourceId,
      source_alias: 'gate',
      process_uuid: null,
      from: at(30),
      to: at(90),
      with_boxes: false,
      state: 'waiting',
      progress: 0,
      url: null,
      parts: [],
      // Half of each of two files.
      size_bytes: 600,
    })
    expect((await app.call('GET', `/clip/${body.clip_uuid as string}`)).body).toEqual(body)
  })

  test('without an alias it has that of the source, and the time', async () => {
    expect((await ask()).body.alias).toBe('gate 2026-01-01T00:00:30Z')
  })

  test.each([
    ['nothing', { source_uuid: undefined, from: undefined, to: undefined }, 422, 'body', /Say what to cut/],
    ['two things', { event_uuid: orderedUuid() }, 422, 'body', /Say what to cut/],
    ['a word as a time', { from: 'yesterday' }, 422, 'body.from', /date, time and time zone/],
    ['an end before the beginning', { to: at(20) }, 422, 'body.to', /later than/],
    ['more than an hour', { to: at(30 + 3_601) }, 422, 'body.to', /at most an hour long: make several/],
    [
      'what is to come',
      { from: toZulu(Date.now()), to: toZulu(Date.now() + 1_800_000) },
      422,
      'body.to',
      /not recorded yet/,
    ],
  ])('%s is refused with a sentence', async (_what, change, status, path, message) => {
    const answer = await ask(change)
    expect([answer.status, answer.body.errors[0].path]).toEqual([status, path])
    expect(answer.body.errors[0].message).toMatch(message)
  })

  test.each([
    ['source-not-found', { source_uuid: orderedUuid() }],
    ['process-not-found', { source_uuid: undefined, process_uuid: orderedUuid() }],
    [
      'process-not-found',
      { source_uuid: undefined, from: undefined, to: undefined, process_uuid: orderedUuid(), track_id: 1 },
    ],
    ['alert-event-not-found', { source_uuid: undefined, from: undefined, to: undefined, event_uuid: orderedUuid() }],
    ['nothing-recorded', { from: at(-600), to: at(-500) }],
  ])('404 %s', async (code, change) => {
    expect(await ask(change)).toMatchObject({ status: 404, body: { code } })
  })

  test('of an alert event: ten seconds around it', async () => {
    const event = { id: orderedUuid(), account_id: accountId, source_id: sourceId, process_id: orderedUuid() }
    const [begun, ended] = [RECORDED_FROM + 60_000, RECORDED_FROM + 90_000]
    await database.db
      .insertInto('alert_event')
      .values(anAlertEventRow({ ...event, started_at: begun, at: ended }))
      .execute()
    const { body } = await app.call('POST', '/clip', { body: { event_uuid: event.id } })
    expect(body).toMatchObject({ event_uuid: event.id, process_uuid: event.process_id, from: at(50), to: at(100) })
  })

  test('what another key has is not found, and its recordings are not cut', async () => {
    const bob = await addChild('bob')
    expect(await ask({}, bob)).toMatchObject({ status: 404, body: { code: 'source-not-found' } })
  })

  test('with the rights on a source it is cut for who has them, boxes only with both', async () => {
    const bob = await addChild('bob')
    const bobId = await database.db
      .selectFrom('account')
      .select('id')
      .where('username', '=', 'bob')
      .executeTakeFirstOrThrow()
    const right = { account_id: bobId.id, source_id: sourceId, rights: '["watch"]', created_at: 1 }
    await database.db.insertInto('source_right').values(right).execute()
    const { status, body } = await ask({}, bob)
    expect([status, body.source_uuid]).toEqual([202, sourceId])
    expect(await ask({ with_boxes: true }, bob)).toMatchObject({ status: 403, body: { code: 'right-missing' } })
    expect((await app.call('GET', '/clips', { key: bob })).body).toHaveLength(1)
    expect((await app.call('GET', '/clips')).body).toEqual([])
    expect((await app.call('GET', '/clips?username=bob')).body).toHaveLength(1)
  })

  test('what would exceed the share of the key is refused', async () => {
    await app.remove()
    app = await createTestApp({ AERIE_DATA_DIR: folder(), AERIE_DISK_BUDGET: '1500' })
    expect((await ask()).status).toBe(202)
    expect((await ask()).status).toBe(202)
    expect(await ask()).toMatchObject({ status: 413, body: { code: 'disk-share-used-up' } })
  })
})

describe('a clip', () => {
  const linkOf = async ({ id }: ClipRow) => (await app.call('GET', `/clip/${id}`)).body.url as string
  /** As somebody who has nothing but the link. */
  const open = (url: string) => app.call('GET', `${new URL(url).pathname}${new URL(url).search}`, { key: '' })

  test('is played by its link, which no other is', async () => {
    const [clip, other] = [await addReady(), await addReady()]
    const url = await linkOf(clip)
    expect(await open(url)).toMatchObject({ status: 200, text: 'a clip' })
    for (const changed of [url.replace('1.mp4', '2.mp4'), url.replace(clip.id, other.id), `${url}x`])
      expect(await open(changed)).toMatchObject({ status: 403, body: { code: 'link-expired' } })
    const range = { headers: { range: 'bytes=2-5' } }
    expect(
      await app.call('GET', `${new URL(url).pathname}${new URL(url).search}`, { key: '', ...range }),
    ).toMatchObject({
      status: 206,
      text: 'clip',
    })
  })

  test('is listed page by page, renamed, and deleted with its file', async () => {
    const clips = [await addReady(), await addReady()]
    const first = await app.call('GET', '/clips?limit=1')
    expect(first.body).toMatchObject([{ clip_uuid: clips[1]!.id }])
    const next = /^<(.*)>; rel="next"$/.exec(String(first.headers['link']))![1]!
    expect((await app.call('GET', next)).body).toMatchObject([{ clip_uuid: clips[0]!.id }])

    const path = `/clip/${clips[0]!.id}`
    expect((await app.call('PATCH', path, { body: { alias: 'the dog' } })).body).toMatchObject({ alias: 'the dog' })
    expect((await app.call('PATCH', path, { body: { alias: '' } })).status).toBe(422)
    const url = await linkOf(clips[0]!)
    expect((await app.call('DELETE', path)).body).toEqual({ clip_uuid: clips[0]!.id, deleted: true })
    expect((await app.call('GET', path)).body).toMatchObject({ code: 'clip-not-found' })
    expect(await open(url)).toMatchObject({ status: 404, body: { code: 'clip-not-found' } })
  })

  test('of somebody else is not there', async () => {
    const clip = await addReady()
    const key = await addChild('bob')
    for (const [method, body] of [['GET'], ['PATCH', { alias: 'mine' }], ['DELETE']] as const)
      expect(await app.call(method, `/clip/${clip.id}`, { key, body })).toMatchObject({
        status: 404,
        body: { code: 'clip-not-found' },
      })
    expect((await app.call('GET', `/clip/${clip.id}`)).status).toBe(200)
  })
})

describe('a link of a notification', () => {
  function linksOf() {
    const signer = createLinkSigner(readServiceSecret(folder()))
    return createEventLinks({ signer, serviceUrl: () => 'http://here', validMs: MINUTE_MS, clock: systemClock })
  }
  const open = (url: string, key = '') => app.call('GET', url.replace('http://here', ''), { key })

  async function addEvent(): Promise<string> {
    const event = { id: orderedUuid(), account_id: accountId, source_id: sourceId, process_id: orderedUuid() }
    await database.db
      .insertInto('alert_event')
      .values(anAlertEventRow({ ...event, at: RECORDED_FROM + 60_000 }))
      .execute()
    return event.id
  }

  test('plays what was cut for it', async () => {
    const eventId = await addEvent()
    const [from_at, to_at] = [RECORDED_FROM + 50_000, RECORDED_FROM + 70_000]
    await addReady({ kind: 'link', unique_key: `event:${eventId}`, from_at, to_at, used_at: 1, event_id: eventId })
    const url = linksOf().urlOf({ kind: 'event-clip', eventId })
    expect(await open(url)).toMatchObject({ status: 200, text: 'a clip', headers: { 'content-type': 'video/mp4' } })
    expect(await open(url.replace(/\?.*/, ''), MASTER_KEY)).toMatchObject({ status: 200, text: 'a clip' })
    // It is nobody's own, and not in the list.
    expect((await app.call('GET', '/clips')).body).toEqual([])
  })

  test('that is made up, or of another event, opens nothing', async () => {
    const [eventId, other] = [await addEvent(), await addEvent()]
    const url = linksOf().urlOf({ kind: 'event-clip', eventId })
    for (const changed of [url.replace(eventId, other), `${url}x`])
      expect(await open(changed)).toMatchObject({ status: 403, body: { code: 'link-expired' } })
    expect((await open(url.replace(/\?.*/, ''))).body).toMatchObject({ code: 'api-key-missing' })
    const track = linksOf().urlOf({ kind: 'track-clip', processId: orderedUuid(), trackId: 1 })
    expect(await open(track)).toMatchObject({ status: 404, body: { code: 'track-not-found' } })
  })

  test('whose clip failed says why', async () => {
    const eventId = await addEvent()
    const failed = { state: 'failed', error: 'The disk was full.', finished_at: Date.now(), parts: '[]' } as const
    const [from_at, to_at] = [RECORDED_FROM + 50_000, RECORDED_FROM + 70_000]
    await addReady({ kind: 'link', unique_key: `event:${eventId}`, from_at, to_at, used_at: 1, ...failed })
    const answer = await open(linksOf().urlOf({ kind: 'event-clip', eventId }))
    expect(answer).toMatchObject({ status: 409, body: { code: 'clip-failed' } })
    expect(answer.body.detail).toContain('The disk was full.')
  })
})
