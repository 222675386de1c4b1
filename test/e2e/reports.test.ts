import { check } from '@placemarkio/check-geojson'
import { kml as kmlToGeojson } from '@tmcw/togeojson'
import { DOMParser } from '@xmldom/xmldom'
import { parse as parseCsv } from 'csv-parse/sync'
import type { FeatureCollection } from 'geojson'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { TrackedProcess, TrackReport } from '../../src/reports/reports.schema.ts'
import { staticTelemetry } from '../builders/static-telemetry.ts'
import { dataFiles } from '../support/data-files.ts'
import { probe } from '../support/outputs.ts'
import { clip, createProcessRig, type ProcessRig, type Started } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => {
  rig = await createProcessRig()
})
afterEach(() => rig.clear())
afterAll(() => rig.remove())

async function readReport(processId: string, query = '', method = 'GET') {
  const report = await rig.ask(method, `/process/${processId}/tracks${query}`)
  return TrackReport.parse(report)
}

async function runToEnd(sourceId: string, key?: string): Promise<Started> {
  const started = await rig.start(sourceId, { pace: 'fast' }, key)
  const socket = await rig.connect(started)
  expect(await socket.closed).toBe('process finished')
  return started
}

test('a report is read live and after the end, in every form', async () => {
  const sourceId = await rig.upload(clip, undefined, { alias: 'square', telemetryCfg: staticTelemetry })
  const started = await rig.start(sourceId)
  const { process_uuid: id } = started
  expect(await rig.ask<unknown[]>('GET', '/tracked_processes')).toMatchObject([
    { process_uuid: id, source_uuid: sourceId, alias: 'square', stopped_at: null, enhancement_status: null },
  ])
  const socket = await rig.connect(started)
  await until(async () => (await readReport(id)).tracks.some(({ timestamps }) => timestamps.length > 5), 15_000)
  const live = await readReport(id)
  expect(live.tracks.some((track) => track.is_live)).toBe(true)
  expect(Math.abs(live.report_time - Date.now() / 1000)).toBeLessThan(5)
  expect((await rig.service.call('POST', `/decorate_tracks/${id}`)).status).toBe(409)

  expect(await socket.closed).toBe('process finished')
  const report = await readReport(id, '?history=true&time_window_minutes=10080')
  expect(report).toMatchObject({ process_uuid: id, time_window_minutes: 10_080 })
  expect(await readReport(id, '?history=true&time_window_minutes=10080', 'POST')).toMatchObject({
    tracks: report.tracks,
  })

  // Every track that was sent live is in the report, as often as it was sent.
  const sentLive = new Map<number, number[]>()
  for (const { timestamp, active_tracks: tracks } of socket.messages)
    for (const { track_id } of tracks)
      sentLive.set(track_id, [...(sentLive.get(track_id) ?? []), Date.parse(timestamp) / 1000])
  const lastTold = Math.max(...socket.messages.map(({ sequence }) => sequence))
  expect(lastTold).toBeGreaterThan(160)
  expect(sentLive.size).toBeGreaterThan(4)
  expect(report.tracks.filter((track) => track.category_name === 'person').length).toBeGreaterThan(4)
  for (const track of report.tracks) {
    expect(track.is_live).toBe(false)
    for (const time of sentLive.get(track.track_id) ?? []) expect(track.timestamps).toContain(time)
    expect(track.timestamps).toHaveLength(track.list_confidences.length)
    expect(track.max_confidence).toBe(Math.max(...track.list_confidences))
    expect(track.min_confidence).toBe(Math.min(...track.list_confidences))
    expect(track.first_seen).toBe(track.timestamps[0])
    expect(track.last_seen).toBe(track.timestamps.at(-1))
    expect(track.last_location!.latitude).toBeCloseTo(48.1, 2)
    expect(track.latlon_history).toHaveLength(track.timestamps.length)
    expect(track).not.toHaveProperty('enhanced_data')
  }
  for (const id of sentLive.keys()) expect(report.tracks.map(({ track_id }) => track_id)).toContain(id)

  await expectForms(id, report)
  expect(await rig.ask('DELETE', `/process/${id}/tracks`)).toEqual({ process_uuid: id, deleted: true })
  expect((await rig.service.call('GET', `/process/${id}/tracks`)).status).toBe(404)
  expect(dataFiles(rig.installation, 'reports', id)).toEqual([])
}, 90_000)

async function expectForms(id: string, { tracks }: z.infer<typeof TrackReport>): Promise<void> {
  const read = async (format: string) =>
    (await rig.service.call('GET', `/process/${id}/tracks?format=${format}&time_window_minutes=10080`)).text()
  const ids = tracks.map(({ track_id }) => track_id)

  const collection = check(await read('geojson')) as FeatureCollection
  const points = collection.features.filter(({ properties }) => properties?.['kind'] === 'last_location')
  expect(points.map(({ properties }) => properties?.['track_id'] as number)).toEqual(ids)

  const document = new DOMParser().parseFromString(await read('kml'), 'application/xml')
  expect(kmlToGeojson(document).features).toHaveLength(ids.length)

  const rows: Record<string, string>[] = parseCsv(await read('csv'), { columns: true, record_delimiter: '\r\n' })
  expect(rows.map(({ track_id }) => Number(track_id))).toEqual(ids)

  const lines = (await read('mot')).trimEnd().split('\n')
  expect(lines).toHaveLength(tracks.reduce((sum, { timestamps }) => sum + timestamps.length, 0))
  for (const line of lines) {
    const cells = line.split(',').map(Number)
    expect(cells).toHaveLength(10)
    expect(cells.every(Number.isFinite)).toBe(true)
    // The clip has 168 frames.
    expect(cells[0]).toBeGreaterThanOrEqual(1)
    expect(cells[0]).toBeLessThanOrEqual(168)
  }
}

test('every track shows its best picture, a JPEG of at most 256 pixels', async () => {
  const { process_uuid: id } = await runToEnd(await rig.upload(await rig.cutClip(10)))
  const { tracks } = await readReport(id)
  const shown = tracks.filter(({ timestamps }) => timestamps.length > 7)
  expect(shown.length).toBeGreaterThan(3)
  for (const { image_patches: patches, first_seen, last_seen } of shown) {
    expect(patches).toHaveLength(1)
    const [{ image, timestamp, confidence }] = patches as [(typeof patches)[number]]
    expect(confidence).toBeGreaterThan(0)
    expect(timestamp).toBeGreaterThanOrEqual(first_seen - 0.001)
    expect(timestamp).toBeLessThanOrEqual(last_seen + 0.001)
    const { width, height } = jpegSize(Buffer.from(image, 'base64'))
    expect(Math.max(width, height)).toBeLessThanOrEqual(256)
    expect(Math.min(width, height)).toBeGreaterThan(8)
  }
  expect((await readReport(id, '?patches=false')).tracks.every(({ image_patches: none }) => none.length === 0)).toBe(
    true,
  )
}, 90_000)

/** By its frame header (ITU-T T.81 §B.2.2). */
function jpegSize(jpeg: Buffer): { width: number; height: number } {
  expect(jpeg.readUInt16BE(0)).toBe(0xffd8)
  for (let at = 2; at + 9 < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    const marker = jpeg[at + 1]!
    if (marker >= 0xc0 && marker <= 0xc2) return { height: jpeg.readUInt16BE(at + 5), width: jpeg.readUInt16BE(at + 7) }
  }
  throw new Error('this is not a JPEG')
}

test('a kill costs at most two seconds of the report', async () => {
  const { sourceId } = await rig.goLive('reported')
  const started = await rig.start(sourceId)
  const socket = await rig.connect(started)
  // Nobody reads the report before: that would write it.
  const sentLive = (await socket.more(10)).flatMap(({ active_tracks: tracks }) => tracks.map((track) => track.track_id))
  expect(sentLive.length).toBeGreaterThan(0)
  await sleep(3_500)
  await rig.service.stop('SIGKILL')
  await rig.restart()
  const { tracks } = await readReport(started.process_uuid)
  for (const trackId of sentLive) expect(tracks.map((track) => track.track_id)).toContain(trackId)
}, 90_000)

test('a key without the track logger has no reports, and one with process recording has the video', async () => {
  const issue = async (username: string, features: object) => {
    const body = { username, minutes: 10, ...features }
    return (await rig.ask<{ key: string }>('POST', '/keys', { body })).key
  }
  const quiet = await issue('quiet', { track_logger: false })
  const { process_uuid: unreported } = await runToEnd(await rig.upload(await rig.cutClip(2), quiet), quiet)
  const refused = await rig.service.call('GET', `/process/${unreported}/tracks`, { key: quiet })
  expect(await refused.json()).toMatchObject({ status: 404, code: 'report-not-found' })
  expect(await rig.ask('GET', '/tracked_processes', { key: quiet })).toEqual([])

  const filming = await issue('filming', { process_recording: true })
  const { process_uuid: id } = await runToEnd(await rig.upload(await rig.cutClip(10), filming), filming)
  const listed = await rig.ask('GET', '/tracked_processes?username=filming')
  const [tracked] = z.array(TrackedProcess.strict()).parse(listed)
  expect(tracked).toMatchObject({ process_uuid: id, video_urls: [tracked!.video_url] })
  const part = await fetch(tracked!.video_url!, { headers: { range: 'bytes=0-99' } })
  expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100])
  const video = await probe(tracked!.video_url!, 1_000)
  expect(video).toMatchObject({ codec_name: 'h264', width: 768, height: 576 })
  // Every one of 70 frames, but for those that the encoder was too slow for.
  expect(video.frames).toBeGreaterThanOrEqual(40)
  expect(dataFiles(rig.installation, 'processed', id)).toHaveLength(1)
  // Nobody could find the video without the report, so it goes with it.
  await rig.ask('DELETE', `/process/${id}/tracks`, { key: filming })
  expect((await fetch(tracked!.video_url!)).status).toBe(404)
}, 120_000)
