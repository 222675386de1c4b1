import { type FastifyInstance } from 'fastify'
import { get, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { aTrackPicture, jpegOf, seen, seenAt } from '../../test/builders/report.ts'
import { createReportRig, type ReportRig } from '../../test/support/report-rig.ts'
import { until } from '../../test/support/until.ts'
import { type Process } from '../processes/process.ts'
import { EnhancementRecord, TrackedProcess, TrackReport } from './reports.schema.ts'

let rig: ReportRig
let api: FastifyInstance
let process: Process
beforeEach(async () => {
  rig = await createReportRig()
  const { account } = rig
  api = await rig.createApi({ admin: account, somebody: { ...account, id: 'somebody', username: 'somebody' } }, [
    'http://host/video/1.mp4',
    'http://host/video/2.mp4',
  ])
  process = await rig.addProcess()
  rig.see(process, [seenAt(1, 48, 11), seen(2)])
  await rig.clock.advance(1_000)
  rig.see(process, [seenAt(1, 48.001, 11)])
  rig.show(process, aTrackPicture(1))
})
afterEach(async () => {
  await api.close()
  await rig.remove()
})

async function ask(method: 'GET' | 'POST' | 'DELETE', url: string, key = 'admin') {
  const response = await api.inject({ method, url, headers: { api_key: key } })
  return { status: response.statusCode, headers: response.headers, text: response.body }
}
const read = async (query = '', method: 'GET' | 'POST' = 'GET') => {
  const { status, text } = await ask(method, `/process/${process.id}/tracks${query}`)
  expect(status, text).toBe(200)
  return TrackReport.parse(JSON.parse(text))
}
const refused = async (method: 'GET' | 'POST' | 'DELETE', url: string, key?: string) => {
  const { status, text } = await ask(method, url, key)
  const { code } = JSON.parse(text) as { code: string }
  return [status, code]
}

test('GET and POST answer the report', async () => {
  const report = await read()
  expect(report).toMatchObject({
    process_uuid: process.id,
    report_time: rig.clock.now() / 1000,
    time_window_minutes: 10,
    tracks: [
      { track_id: 1, is_live: true, list_confidences: [50, 50], image_patches: [{ confidence: 90, timestamp: 1 }] },
      { track_id: 2, is_live: true, image_patches: [], first_location: null },
    ],
  })
  const [patch] = report.tracks[0]!.image_patches
  expect(Buffer.from(patch!.image, 'base64')).toEqual(jpegOf('picture of 1'))
  expect(report.tracks[0]).not.toHaveProperty('latlon_history')
  expect(await read('', 'POST')).toEqual(report)
})

test('the window, the history and the pictures are as asked for', async () => {
  const report = await read('?time_window_minutes=60&history=true&patches=false')
  expect(report.time_window_minutes).toBe(60)
  expect(report.tracks[0]).toMatchObject({
    image_patches: [],
    latlon_history: [
      [48, 11],
      [48.001, 11],
    ],
  })
  for (const wrong of [
    'time_window_minutes=0',
    'time_window_minutes=5256001',
    'time_window_minutes=',
    'format=xml',
    'time_windw_minutes=5',
  ])
    expect(await refused('GET', `/process/${process.id}/tracks?${wrong}`)).toEqual([422, 'input-invalid'])
})

test('from and to are honoured in every format, and told', async () => {
  const second = new Date(rig.clock.now()).toISOString()
  const report = await read(`?from=${second}&history=true`)
  expect(report).toMatchObject({
    time_window_minutes: 1,
    from: second,
    to: null,
    tracks: [{ track_id: 1, list_confidences: [50], latlon_history: [[48.001, 11]], image_patches: [{}] }],
  })
  const before = await read(`?to=${second}&patches=false`)
  expect(before).toMatchObject({ from: null, to: second, tracks: [{ track_id: 1 }, { track_id: 2 }] })
  expect(before.tracks.map(({ timestamps, image_patches: patches }) => [timestamps.length, patches.length])).toEqual([
    [1, 0],
    [1, 0],
  ])
  for (const format of ['geojson', 'kml', 'csv', 'mot']) {
    const exported = async (query: string) =>
      (await ask('GET', `/process/${process.id}/tracks?format=${format}${query}`)).text
    const whole = await exported('')
    expect(await exported(`&to=${second}`)).not.toBe(whole)
    expect(await exported(`&from=2020-01-01T00:00:00Z&to=2030-01-01T00:00:00%2B02:00`)).toBe(whole)
    const empty = await exported('&from=2030-01-01T00:00:00Z')
    expect(empty.length).toBeLessThan(whole.length)
  }
})

test.each([
  ['from=2026-01-01T00:00:00Z&to=2026-01-01T00:00:00Z', 'query.to', '`to` must be later than `from`.'],
  [
    'from=2026-01-01T00:00:00Z&time_window_minutes=5',
    'query.time_window_minutes',
    'Give `time_window_minutes`, or `from` and `to`, not both.',
  ],
  [
    'to=2026-01-01T00:00:00Z&time_window_minutes=10',
    'query.time_window_minutes',
    'Give `time_window_minutes`, or `from` and `to`, not both.',
  ],
  [
    'from=2026-01-01T00:00:00',
    'query.from',
    'Write date, time and time zone, as in 2026-12-31T22:00:00Z or 2026-12-31T23:00:00%2B01:00.',
  ],
])('%s is refused with a sentence', async (query, path, message) => {
  const { status, text } = await ask('GET', `/process/${process.id}/tracks?${query}`)
  expect(status).toBe(422)
  expect(JSON.parse(text)).toMatchObject({ code: 'input-invalid', errors: [{ path, message }] })
})

test.each([
  ['geojson', 'application/geo+json', 'geojson'],
  ['kml', 'application/vnd.google-earth.kml+xml', 'kml'],
  ['csv', 'text/csv; charset=utf-8; header=present', 'csv'],
  ['mot', 'text/plain; charset=utf-8', 'txt'],
])('%s is a file of its own type', async (format, type, extension) => {
  const { status, headers, text } = await ask('GET', `/process/${process.id}/tracks?format=${format}`)
  expect(status).toBe(200)
  expect(headers['content-type']).toBe(type)
  expect(headers['content-disposition']).toBe(`attachment; filename="tracks-${process.id}.${extension}"`)
  expect(text.length).toBeGreaterThan(50)
})

test('what is somebody else’s, unknown or without a report is not found', async () => {
  const without = await rig.addProcess({}, false)
  const unknown = '00000000-0000-4000-8000-000000000000'
  for (const [id, key] of [
    [process.id, 'somebody'],
    [unknown, 'admin'],
    [without.id, 'admin'],
  ] as const) {
    expect(await refused('GET', `/process/${id}/tracks`, key)).toEqual([404, 'report-not-found'])
    expect(await refused('DELETE', `/process/${id}/tracks`, key)).toEqual([404, 'report-not-found'])
    expect(await refused('POST', `/decorate_tracks/${id}`, key)).toEqual([404, 'report-not-found'])
    expect(await refused('GET', `/decorate_tracks/${id}/status`, key)).toEqual([404, 'report-not-found'])
  }
  expect(await read()).toMatchObject({ tracks: { length: 2 } })
})

test('processes with a report are listed, newest first, a page at a time', async () => {
  const newer = await rig.addProcess()
  const { text, headers } = await ask('GET', '/tracked_processes?limit=1')
  const first = z.array(TrackedProcess.strict()).parse(JSON.parse(text))
  expect(first).toMatchObject([{ process_uuid: newer.id, track_count: 0 }])
  const next = /<(.*)>; rel="next"/.exec(String(headers['link']))![1]!
  const second = await ask('GET', next)
  expect(second.headers['link']).toBeUndefined()
  expect(JSON.parse(second.text)).toEqual([
    {
      process_uuid: process.id,
      source_uuid: process.sourceId,
      alias: null,
      started_at: '2026-01-01T00:00:00.000Z',
      stopped_at: null,
      track_count: 2,
      enhancement_status: null,
      video_url: 'http://host/video/1.mp4',
      video_urls: ['http://host/video/1.mp4', 'http://host/video/2.mp4'],
    },
  ])
  expect(JSON.parse((await ask('GET', '/tracked_processes?username=somebody')).text)).toEqual([])
})

test('deleting answers what was deleted', async () => {
  await rig.end(process)
  const { text } = await ask('DELETE', `/process/${process.id}/tracks`)
  expect(JSON.parse(text)).toEqual({ process_uuid: process.id, deleted: true })
  expect(await refused('GET', `/process/${process.id}/tracks`)).toEqual([404, 'report-not-found'])
  expect(JSON.parse((await ask('GET', '/tracked_processes')).text)).toEqual([])
})

test('enhancement: refused while the process runs, then started, and its status told by GET and POST', async () => {
  expect(await refused('POST', `/decorate_tracks/${process.id}`)).toEqual([409, 'process-not-ended'])
  await rig.end(process)
  expect(await refused('GET', `/decorate_tracks/${process.id}/status`)).toEqual([404, 'enhancement-not-found'])
  const { status, text } = await ask('POST', `/decorate_tracks/${process.id}`)
  expect([status, JSON.parse(text)]).toEqual([200, { process_uuid: process.id }])
  const answered = await ask('POST', `/decorate_tracks/${process.id}/status`)
  expect(EnhancementRecord.strict().parse(JSON.parse(answered.text))).toMatchObject({
    status: 'RUNNING',
    reason: null,
    tracks_total: 2,
  })
  await rig.runJobs('report-enhancement')
  const finished = JSON.parse((await ask('GET', `/decorate_tracks/${process.id}/status`)).text) as unknown
  expect(finished).toMatchObject({ status: 'FINISHED', tracks_done: 2 })
  expect((await read()).tracks).toMatchObject([1, 2].map(() => ({ enhanced_data: { vehicle_type: 'car' } })))
  expect(JSON.parse((await ask('GET', '/tracked_processes')).text)).toMatchObject([{ enhancement_status: 'FINISHED' }])
  rig.worker.greeting = 'dies'
  await rig.clock.advance(15_000)
  expect(await refused('POST', `/decorate_tracks/${process.id}?again=true`)).toEqual([503, 'enhancement-unavailable'])
})

test('whoever reads a report that is deleted meanwhile is cut off', async () => {
  const jpeg = jpegOf(Buffer.alloc(100_000))
  for (let id = 10; id < 400; id++) {
    rig.see(process, [seen(id)])
    rig.show(process, aTrackPicture(id, { jpeg }))
  }
  await rig.reports.service.find(rig.account, process.id)
  await rig.end(process)
  await api.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.server.address() as AddressInfo
  const response = await fetch(`http://127.0.0.1:${port}/process/${process.id}/tracks`, {
    headers: { api_key: 'admin' },
  })
  await rig.reports.service.remove(rig.account, process.id)
  await expect(response.text()).rejects.toThrow()
})

test('a client that reads slowly is waited for, and one that leaves is let go', async () => {
  const jpeg = jpegOf(Buffer.alloc(100_000))
  for (let id = 10; id < 400; id++) {
    rig.see(process, [seen(id)])
    rig.show(process, aTrackPicture(id, { jpeg }))
  }
  await api.listen({ host: '127.0.0.1', port: 0 })
  const { port } = api.server.address() as AddressInfo
  let answer: ServerResponse | undefined
  api.server.once('request', (_request, response: ServerResponse) => (answer = response))
  const request = get({
    host: '127.0.0.1',
    port,
    path: `/process/${process.id}/tracks`,
    headers: { api_key: 'admin' },
  })
  request.on('error', () => {})
  request.on('response', (response) => response.pause())
  // 52 MB in all: what does not fit into the sockets waits in the database, not in memory.
  await until(async () => answer?.writableNeedDrain === true)
  expect(answer!.writableLength).toBeLessThan(2e6)
  const closed = new Promise((resolve) => answer!.once('close', resolve))
  request.destroy()
  await closed
  expect(answer!.writableFinished).toBe(false)
})
