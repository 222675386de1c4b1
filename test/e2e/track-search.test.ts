import { parse as parseCsv } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { TrackReport } from '../../src/reports/reports.schema.ts'
import { FoundTrackRecord } from '../../src/reports/tracks.schema.ts'
import { staticTelemetry } from '../builders/static-telemetry.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'

type Report = z.infer<typeof TrackReport>
type Found = z.infer<typeof FoundTrackRecord>

/** A process that has ended, with all that it saw. */
interface Watched {
  readonly processId: string
  readonly sourceId: string
  readonly report: Report
}

let rig: ProcessRig
let guardKey: string
let square: Watched
let gate: Watched
let ofGuard: Watched
beforeAll(async () => {
  rig = await createProcessRig()
  guardKey = (await rig.ask<{ key: string }>('POST', '/keys', { body: { username: 'guard', minutes: 10 } })).key
  square = await watch('square', staticTelemetry)
  gate = await watch('gate')
  ofGuard = await watch('gate', undefined, guardKey)
}, 300_000)
afterAll(() => rig.remove())

async function watch(alias: string, telemetryCfg?: object, key?: string): Promise<Watched> {
  const sourceId = await rig.upload(await rig.cutClip(8), key, { alias, ...(telemetryCfg && { telemetryCfg }) })
  const started = await rig.start(sourceId, { pace: 'fast' }, key)
  expect(await (await rig.connect(started)).closed).toBe('process finished')
  const processId = started.process_uuid
  return { processId, sourceId, report: await readReport(processId, '', key) }
}

async function readReport(processId: string, query = '', key?: string): Promise<Report> {
  return TrackReport.parse(await rig.ask('GET', `/process/${processId}/tracks${query}`, { ...(key && { key }) }))
}

/** Page by page to the end. */
async function find(query: Readonly<Record<string, string>> = {}, key?: string): Promise<Found[]> {
  const found: Found[] = []
  let path: string | undefined = `/tracks?${new URLSearchParams({ limit: '4', ...query }).toString()}`
  while (path) {
    const response = await rig.service.call('GET', path, { ...(key && { key }) })
    expect(response.status).toBe(200)
    found.push(...z.array(FoundTrackRecord).parse(await response.json()))
    path = /<(.*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return found
}

const namesOf = (tracks: readonly Found[]) => tracks.map((track) => `${track.process_uuid} ${track.track_id}`).sort()
const expected = (watched: readonly Watched[], isWanted: (track: Report['tracks'][number]) => boolean = () => true) =>
  watched
    .flatMap(({ processId, report }) =>
      report.tracks.filter(isWanted).map(({ track_id }) => `${processId} ${track_id}`),
    )
    .sort()
const zulu = (seconds: number) => new Date(Math.round(seconds * 1000)).toISOString()

test('a report is read back by from and to, in every format', async () => {
  const { processId, report } = square
  const times = report.tracks.flatMap(({ timestamps }) => timestamps).sort((a, b) => a - b)
  const [from, to] = [times[Math.floor(times.length / 3)]!, times[Math.floor((2 * times.length) / 3)]!]
  const within = (time: number) => time >= from && time < to
  const window = `from=${zulu(from)}&to=${zulu(to)}`
  const middle = await readReport(processId, `?${window}&history=true&patches=false`)
  expect(middle).toMatchObject({ from: zulu(from), to: zulu(to), time_window_minutes: 1 })
  const seen = report.tracks.filter(({ timestamps }) => timestamps.some(within))
  expect(seen.length).toBeGreaterThan(0)
  expect(middle.tracks.map(({ track_id, timestamps }) => [track_id, timestamps])).toEqual(
    seen.map(({ track_id, timestamps }) => [track_id, timestamps.filter(within)]),
  )
  for (const { latlon_history: places, timestamps } of middle.tracks) expect(places).toHaveLength(timestamps.length)

  const read = async (format: string) =>
    (await rig.service.call('GET', `/process/${processId}/tracks?format=${format}&${window}`)).text()
  const rows: Record<string, string>[] = parseCsv(await read('csv'), { columns: true, record_delimiter: '\r\n' })
  expect(rows.map(({ track_id, detections }) => [Number(track_id), Number(detections)])).toEqual(
    middle.tracks.map(({ track_id, timestamps }) => [track_id, timestamps.length]),
  )
  expect((await read('mot')).trimEnd().split('\n')).toHaveLength(times.filter(within).length)
  const { features } = JSON.parse(await read('geojson')) as { features: { properties: { kind: string } }[] }
  expect(features.filter(({ properties }) => properties.kind === 'last_location')).toHaveLength(seen.length)
  expect((await read('kml')).split('<Placemark').length - 1).toBe(seen.length)

  // Before and after it is the rest, each sighting once.
  const countOf = ({ tracks }: Report) => tracks.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
  const [before, after] = [
    await readReport(processId, `?to=${zulu(from)}`),
    await readReport(processId, `?from=${zulu(to)}`),
  ]
  expect(countOf(before) + countOf(middle) + countOf(after)).toBe(times.length)

  for (const wrong of [
    `from=${zulu(to)}&to=${zulu(from)}`,
    `${window}&time_window_minutes=5`,
    'from=2026-01-01T00:00:00',
  ])
    expect((await rig.service.call('GET', `/process/${processId}/tracks?${wrong}`)).status).toBe(422)
})

test('tracks of all processes are found by every filter, in pages', async () => {
  const everything = await find()
  expect(namesOf(everything)).toEqual(expected([square, gate]))
  expect(everything.map(({ first_seen }) => first_seen)).toEqual(
    everything.map(({ first_seen }) => first_seen).sort((a, b) => b - a),
  )
  for (const track of everything) {
    const watched = track.process_uuid === square.processId ? square : gate
    const told = watched.report.tracks.find(({ track_id }) => track_id === track.track_id)!
    expect(track).toEqual({
      process_uuid: watched.processId,
      source_uuid: watched.sourceId,
      alias: watched === square ? 'square' : 'gate',
      source_alias: watched === square ? 'square' : 'gate',
      track_id: told.track_id,
      class_id: told.class_id,
      category_name: told.category_name,
      class_name: told.category_name,
      max_confidence: told.max_confidence,
      first_seen: told.first_seen,
      last_seen: told.last_seen,
      first_seen_at: zulu(told.first_seen),
      last_seen_at: zulu(told.last_seen),
      first_location: told.first_location,
      last_location: told.last_location,
      has_patch: told.image_patches.length > 0,
      enhanced_data: null,
    })
  }

  expect(namesOf(await find({ source_uuid: gate.sourceId }))).toEqual(expected([gate]))
  expect(namesOf(await find({ process_uuid: square.processId }))).toEqual(expected([square]))
  const isPerson = ({ category_name: name }: { category_name: string }) => name === 'person'
  expect(namesOf(await find({ class: 'person' }))).toEqual(expected([square, gate], isPerson))
  expect(await find({ class: 'zebra' })).toEqual([])
  expect(namesOf(await find({ near: '48.1,11.5,2000' }))).toEqual(
    expected([square], ({ last_location: place }) => place !== null),
  )
  expect(await find({ near: '-48.1,11.5,2000' })).toEqual([])

  const moment = square.report.tracks[0]!.last_seen
  const since = expected([square, gate], ({ last_seen }) => last_seen >= moment)
  expect(namesOf(await find({ from: zulu(moment) }))).toEqual(since)
  const before = expected([square], (track) => isPerson(track) && track.first_seen < moment)
  expect(namesOf(await find({ to: zulu(moment), class: 'person', source_uuid: square.sourceId }))).toEqual(before)

  const pictured = await find({ process_uuid: gate.processId, patches: 'true' })
  for (const track of pictured) {
    const told = gate.report.tracks.find(({ track_id }) => track_id === track.track_id)!
    expect(track.image_patches).toEqual(told.image_patches)
  }
})

test('nobody finds somebody else’s tracks, and a master finds a child’s by its name', async () => {
  expect(namesOf(await find({}, guardKey))).toEqual(expected([ofGuard]))
  expect(namesOf(await find({ username: 'guard' }))).toEqual(expected([ofGuard]))
  expect(await find({ process_uuid: square.processId }, guardKey)).toEqual([])
  expect(await find({ source_uuid: gate.sourceId }, guardKey)).toEqual([])
  expect(await find({ near: '48.1,11.5,2000' }, guardKey)).toEqual([])
  expect((await rig.service.call('GET', '/tracks?username=admin', { key: guardKey })).status).not.toBe(200)
  expect((await rig.service.call('GET', '/tracks', { key: 'ak_wrong' })).status).toBe(403)
  const from = zulu(square.report.tracks[0]!.first_seen)
  const refused = await rig.service.call('GET', `/process/${square.processId}/tracks?from=${from}`, { key: guardKey })
  expect(refused.status).toBe(404)
})

test('what is deleted is found no more', async () => {
  await rig.ask('DELETE', `/process/${gate.processId}/tracks`)
  expect(namesOf(await find())).toEqual(expected([square]))
})
