import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aLookAt } from '../../test/builders/recorded-looks.ts'
import { aDetectionFileRow } from '../../test/builders/recorded-rows.ts'
import { createTestApp, type TestApp } from '../../test/support/app.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { systemClock } from '../core/clock.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type RecordedLook } from '../core/recorded-look.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { readServiceSecret } from '../storage/secret-files.ts'
import { RecordedDetection } from './detections.schema.ts'
import { toBlock } from './look-files.ts'

const NOW = Date.UTC(2026, 10, 16, 3, 30)
const folder = useTemporaryFolder('aerie-detections-routes-')
let app: TestApp
let database: Database
let accountId: string
let sourceId: string
const processId = orderedUuid()
beforeEach(async () => {
  const clock = { ...systemClock, now: () => NOW }
  app = await createTestApp({ AERIE_DATA_DIR: folder() }, clock)
  database = openDatabase(`sqlite:${join(folder(), 'aerie.db')}`)
  accountId = (await database.db.selectFrom('account').select('id').executeTakeFirstOrThrow()).id
  sourceId = await addSource('admin')
})
afterEach(async () => {
  await database.close()
  await app.remove()
})

async function addSource(username: string, key?: string): Promise<string> {
  const body = { alias: 'gate', input_url: `rtsp://localhost:8554/${username}/gate`, stream_type: 'rtsp' }
  return (await app.call('POST', '/stream', { key, body })).body.source_uuid as string
}

async function addChild(username: string): Promise<{ key: string; id: string }> {
  const { body } = await app.call('POST', '/keys', { body: { username, max_sources: 5 } })
  const query = database.db.selectFrom('account').select('id').where('username', '=', username)
  return { key: body.key as string, id: (await query.executeTakeFirstOrThrow()).id }
}

async function add(looks: readonly RecordedLook[]): Promise<void> {
  const times = looks.map(({ takenAtMs }) => takenAtMs)
  const ids = { id: orderedUuid(), account_id: accountId, source_id: sourceId, process_id: processId }
  const row = aDetectionFileRow({ ...ids, started_at: Math.min(...times), ended_at: Math.max(...times) })
  await database.db.insertInto('detection_file').values(row).execute()
  mkdirSync(dirname(join(folder(), row.file)), { recursive: true })
  writeFileSync(join(folder(), row.file), await toBlock(looks))
}

const ask = (query = '', key?: string, id = sourceId) => app.call('GET', `/source/${id}/detections${query}`, { key })
const secondsAgo = (seconds: number) => new Date(NOW - seconds * 1000).toISOString()

test('what was seen is told as it was live: whole, in the documented shape', async () => {
  const point = { latitudeDeg: 48.1234567, longitudeDeg: 11.5, altitudeM: 520.04 }
  const look = aLookAt(NOW - 10_000, [[7, 'car']])
  const camera = { point, headingDeg: 359.999 }
  await add([{ ...look, tracks: [{ ...look.tracks[0]!, point }], camera }, aLookAt(NOW - 9_500, [])])
  const { status, body, headers } = await ask()
  expect([status, headers['content-type'], headers['x-aerie-missing-nodes']]).toEqual([200, 'application/json', undefined]) // prettier-ignore
  const place = { latitude: 48.123457, longitude: 11.5, altitude: 520 }
  expect(body).toEqual([
    {
      timestamp: secondsAgo(10),
      process_uuid: processId,
      frame: { width: 1920, height: 1080 },
      active_tracks: [
        {
          track_id: 7,
          class_id: 1,
          class_name: 'car',
          bbox: [70, 20, 30, 60.5],
          scaled_bbox: [0.036458, 0.018519, 0.015625, 0.056019],
          confidence: 90,
          ...place,
        },
      ],
      camera: { ...place, heading: 0 },
    },
    { timestamp: secondsAgo(9.5), process_uuid: processId, frame: { width: 1920, height: 1080 }, active_tracks: [] },
  ])
  for (const one of body as unknown[]) expect(RecordedDetection.parse(one)).toEqual(one)
})

test('a camera’s path comes without tracks, and a look every so many seconds', async () => {
  const camera = { point: { latitudeDeg: 48, longitudeDeg: 11, altitudeM: 5 }, headingDeg: 90 }
  const looks = [10, 9.5, 9, 8.9, 8].map((seconds) => ({ ...aLookAt(NOW - seconds * 1000, [[7, 'car']]), camera }))
  await add(looks)
  const { body } = await ask('?tracks=false&every_seconds=1')
  const path = (body as RecordedDetection[]).map((one) => [one.timestamp, one.active_tracks, one.camera?.heading])
  expect(path).toEqual([10, 9, 8].map((seconds) => [secondsAgo(seconds), [], 90]))
  expect((await ask('?tracks=true')).body.map((one: RecordedDetection) => one.active_tracks.length)).toEqual([
    1, 1, 1, 1, 1,
  ])
})

test('without from and to it is the last minute; without anything an empty list', async () => {
  expect(await ask()).toMatchObject({ status: 200, body: [] })
  await add([61, 60, 1, 0].map((seconds) => aLookAt(NOW - seconds * 1000)))
  const timesOf = (body: { timestamp: string }[]) => body.map(({ timestamp }) => timestamp)
  expect(timesOf((await ask()).body)).toEqual([60, 1].map(secondsAgo))
  expect(timesOf((await ask(`?to=${secondsAgo(1)}`)).body)).toEqual([61, 60].map(secondsAgo))
  expect(timesOf((await ask(`?from=${secondsAgo(3600)}`)).body)).toEqual([61, 60, 1].map(secondsAgo))
  expect((await ask(`?process_uuid=${orderedUuid()}`)).body).toEqual([])
})

test('it comes packed to who takes that', async () => {
  await add([aLookAt(NOW - 1_000)])
  const response = await app.http.inject({
    url: `/source/${sourceId}/detections`,
    headers: { api_key: 'ak_master-key-of-the-tests-0123456789', 'accept-encoding': 'gzip' },
  })
  expect(response.headers['content-encoding']).toBe('gzip')
  expect(JSON.parse(gunzipSync(response.rawPayload).toString())).toEqual((await ask()).body)
})

test.each([
  [`?from=${secondsAgo(3601)}`, 'query.to', 'Ask for at most an hour at a time.'],
  [`?from=${secondsAgo(1)}&to=${secondsAgo(2)}`, 'query.to', '`to` must be later than `from`.'],
  [`?from=${secondsAgo(-5)}`, 'query.from', 'Without `to` it ends now, so `from` must be in the past.'],
  ['?from=yesterday', 'query.from', expect.stringContaining('Write date') as string],
  ['?process_uuid=7', 'query.process_uuid', expect.any(String) as string],
  ['?every_seconds=0', 'query.every_seconds', expect.any(String) as string],
  ['?every_seconds=', 'query.every_seconds', expect.any(String) as string],
  ['?tracks=no', 'query.tracks', expect.any(String) as string],
])('%s is refused by a sentence', async (query, path, message) => {
  const { status, body } = await ask(query)
  expect([status, body.errors]).toEqual([422, [{ path, message }]])
})

describe('who may', () => {
  test('nobody else finds it; a master does for its child', async () => {
    const child = await addChild('bob')
    expect(await ask('', child.key)).toMatchObject({ status: 404, body: { code: 'source-not-found' } })
    expect(await ask('', '')).toMatchObject({ status: 403 })
    const own = await addSource('bob', child.key)
    expect((await ask('', child.key, own)).status).toBe(200)
    expect((await ask('', undefined, own)).status).toBe(404)
    expect((await ask('?username=bob', undefined, own)).status).toBe(200)
    expect((await ask('', undefined, orderedUuid())).status).toBe(404)
  })

  test('the right to events opens it, the right to watch does not', async () => {
    const child = await addChild('bob')
    await add([aLookAt(NOW - 1_000)])
    const give = (...rights: string[]) => app.call('PUT', `/keys/bob/sources/${sourceId}`, { body: { rights } })
    await give('events')
    expect(await ask('', child.key)).toMatchObject({ status: 200, body: [{ process_uuid: processId }] })
    await give('watch', 'control')
    expect(await ask('', child.key)).toMatchObject({ status: 403, body: { code: 'right-missing' } })
  })

  test('with the source, what was seen of it is gone', async () => {
    await add([aLookAt(NOW - 1_000)])
    await app.call('DELETE', `/source/${sourceId}`)
    expect(await ask()).toMatchObject({ status: 404, body: { code: 'source-not-found' } })
  })
})

test('files of this node are for other nodes alone', async () => {
  await add([aLookAt(NOW - 1_000)])
  const { id, file } = await database.db.selectFrom('detection_file').select(['id', 'file']).executeTakeFirstOrThrow()
  for (const query of ['', '?token=made.up'])
    expect(await app.call('GET', `/recorded_detections/${id}${query}`)).toMatchObject({ status: 403 })
  const signer = createLinkSigner(readServiceSecret(folder()))
  const ofNode = (of: string) => {
    const url = `/recorded_detections/${of}?token=${signer.sign(`looks ${of}`, NOW + 60_000)}`
    return app.http.inject({ url })
  }
  const { statusCode, rawPayload } = await ofNode(id)
  expect([statusCode, rawPayload.equals(readFileSync(join(folder(), file)))]).toEqual([200, true])
  expect((await ofNode(orderedUuid())).statusCode).toBe(404)
})
