import { check } from '@placemarkio/check-geojson'
import { kml as kmlToGeojson } from '@tmcw/togeojson'
import { DOMParser } from '@xmldom/xmldom'
import { parse as parseCsv } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { aReportTrack, openReportOf, textOf } from '../../test/builders/report.ts'
import { nothingFound } from '../enhance/messages.ts'
import { csvReport, toCell } from './csv-report.ts'
import { geojsonReport } from './geojson-report.ts'
import { jsonReport } from './json-report.ts'
import { kmlReport } from './kml-report.ts'
import { motReport } from './mot-report.ts'
import { type ReportTrack } from './report.ts'
import { inLargerPieces, type ReportFormat } from './report-writer.ts'
import { TrackReport } from './reports.schema.ts'

const write = (format: ReportFormat, ...tracks: ReportTrack[]) => textOf(format.write(openReportOf(...tracks)))
const unlocated = aReportTrack({ trackId: 9, firstLocation: null, lastLocation: null, places: [null, null, null] })
const enhanced = {
  ...nothingFound,
  vehicle_type: 'van',
  color: { name: 'red', confidence: 0.8 },
  plate: { text: '=1+1', confidence: 0.7 },
}

test('the report has the interface’s fields', async () => {
  const patch = { jpeg: Buffer.from('jpeg'), confidence: 91.5, takenAt: 2_500 }
  const report: unknown = JSON.parse(
    await write(jsonReport({ hasHistory: true }), aReportTrack({ patch, enhanced }), unlocated),
  )
  expect(TrackReport.parse(report)).toEqual(report)
  expect(report).toEqual({
    process_uuid: '00000000-0000-7000-8000-000000000001',
    report_time: 4.5,
    reported_at: '1970-01-01T00:00:04.500Z',
    time_window_minutes: 10,
    from: '1970-01-01T00:00:00.000Z',
    to: null,
    tracks: [
      {
        track_id: 7,
        class_id: 3,
        category_name: 'car',
        class_name: 'car',
        bbox: [1, 2, 30, 40],
        list_confidences: [50, 75.5, 60.25],
        max_confidence: 75.5,
        min_confidence: 50,
        mean_confidence: 61.92,
        image_patches: [{ image: Buffer.from('jpeg').toString('base64'), confidence: 91.5, timestamp: 2.5 }],
        timestamps: [1, 2, 3],
        is_live: false,
        first_seen: 1,
        last_seen: 3,
        first_seen_at: '1970-01-01T00:00:01.000Z',
        last_seen_at: '1970-01-01T00:00:03.000Z',
        first_location: { latitude: 48.1, longitude: 11.5, altitude: 500, timestamp: 1 },
        last_location: { latitude: 48.2, longitude: 11.6, altitude: 500, timestamp: 3 },
        latlon_history: [
          [48.1, 11.5],
          [48.2, 11.6],
        ],
        enhanced_data: enhanced,
      },
      expect.objectContaining({ track_id: 9, image_patches: [], first_location: null, latlon_history: [] }),
    ],
  })
})

test('without the history, and before the enhancement, those fields are not there', async () => {
  const text = await write(jsonReport({ hasHistory: false }), aReportTrack())
  expect(text).not.toMatch(/latlon_history|enhanced_data/)
  expect(await write(jsonReport({ hasHistory: false }))).toBe(
    '{"process_uuid":"00000000-0000-7000-8000-000000000001","time_window_minutes":10,"from":"1970-01-01T00:00:00.000Z","to":null,"tracks":[],"report_time":4.5,"reported_at":"1970-01-01T00:00:04.500Z"}',
  )
})

test.each([
  { name: 'a track that was seen by a clock ahead of ours', track: { lastSeenAt: 9_000 }, reportTime: 9 },
  {
    name: 'a picture that was taken by it',
    track: { patch: { jpeg: Buffer.from('jpeg'), confidence: 90, takenAt: 7_000 } },
    reportTime: 7,
  },
])('$name is not after the report', async ({ track, reportTime }) => {
  const text = await write(jsonReport({ hasHistory: false }), aReportTrack(track), unlocated)
  expect(JSON.parse(text)).toMatchObject({ report_time: reportTime })
})

test('GeoJSON: a point and a line a located track, longitude first', async () => {
  const collection = check(await write(geojsonReport, aReportTrack({ enhanced }), unlocated))
  expect(collection).toMatchObject({
    features: [
      {
        geometry: { type: 'Point', coordinates: [11.6, 48.2, 500] },
        properties: { track_id: 7, category_name: 'car' },
      },
      {
        geometry: {
          type: 'LineString',
          coordinates: [
            [11.5, 48.1, 500],
            [11.6, 48.2, 500],
          ],
        },
        properties: { kind: 'path', enhanced_data: enhanced },
      },
    ],
  })
  expect(check(await write(geojsonReport))).toEqual({ type: 'FeatureCollection', features: [] })
})

test('GeoJSON: one place makes no line, and a line is cut at the antimeridian', async () => {
  const once = check(await write(geojsonReport, aReportTrack({ places: [[48, 11, 0]] })))
  expect(once).toMatchObject({ features: [{ geometry: { type: 'Point' } }] })
  const places = [
    [10, 179, 0],
    [20, -178, 30],
  ] as const
  const across = check(await write(geojsonReport, aReportTrack({ places })))
  expect(across).toMatchObject({
    features: [
      {},
      {
        geometry: {
          type: 'MultiLineString',
          coordinates: [
            [
              [179, 10, 0],
              [180, expect.closeTo(13.333, 3), expect.closeTo(10)],
            ],
            [
              [-180, expect.closeTo(13.333, 3), expect.closeTo(10)],
              [-178, 20, 30],
            ],
          ],
        },
      },
    ],
  })
})

test('KML says the same, whatever a class is called', async () => {
  const text = await write(kmlReport, aReportTrack({ className: '<car> & "co"\u0001', enhanced }), unlocated)
  const document = new DOMParser({
    onError: (level, message) => {
      throw new Error(`${level}: ${message}`)
    },
  }).parseFromString(text, 'application/xml')
  expect(document.getElementsByTagName('name')[0]!.textContent).toBe('Tracks of gate & yard')
  const { features } = kmlToGeojson(document)
  expect(features).toMatchObject([
    {
      geometry: {
        type: 'GeometryCollection',
        geometries: [
          { type: 'Point', coordinates: [11.6, 48.2, 500] },
          {
            type: 'LineString',
            coordinates: [
              [11.5, 48.1, 500],
              [11.6, 48.2, 500],
            ],
          },
        ],
      },
      properties: {
        name: '<car> & "co" 7',
        track_id: '7',
        max_confidence: '75.5',
        vehicle_type: 'van',
        color: 'red',
        plate: '=1+1',
      },
    },
  ])
})

test('CSV: a row a track, which no spreadsheet takes for a formula', async () => {
  const odd = aReportTrack({ trackId: 8, className: '@sum(1,"2")\n', box: [-1.5, 0, 2, 3], enhanced })
  const text = await write(csvReport, aReportTrack(), odd, unlocated)
  expect(text.split('\r\n')).toHaveLength(5)
  const rows = parseCsv(text, { columns: true, record_delimiter: '\r\n' })
  expect(rows).toMatchObject([
    {
      track_id: '7',
      category_name: 'car',
      max_confidence: '75.5',
      detections: '3',
      first_seen: '1970-01-01T00:00:01.000Z',
      last_longitude: '11.6',
      plate: '',
    },
    { track_id: '8', category_name: `'@sum(1,"2")\n`, x: '-1.5', vehicle_type: 'van', color: 'red', plate: "'=1+1" },
    { track_id: '9', first_latitude: '', last_altitude: '' },
  ])
})

test.each([
  ['=1', "'=1"],
  ['+1', "'+1"],
  ['-1', "'-1"],
  ['@a', "'@a"],
  ['\tx', "'\tx"],
  ['\rx', '"\'\rx"'],
  ['a=b', 'a=b'],
  ['a,"b"', '"a,""b"""'],
  [-1.5, '-1.5'],
  [true, 'true'],
  [null, ''],
])('a cell: %j', (value, cell) => expect(toCell(value)).toBe(cell))

test('MOT: a line a sighting, with the number of the frame', async () => {
  expect(await write(motReport, aReportTrack())).toBe(
    ['1,7,0,0,30,40,0.5,-1,-1,-1', '2,7,0.5,1,30,40,0.755,-1,-1,-1', '4,7,1,2,30,40,0.6025,-1,-1,-1', ''].join('\n'),
  )
})

test('small pieces are sent together, but the first at once', async () => {
  const small = (async function* () {
    for (let index = 0; index < 3_000; index++) yield 'x'.repeat(100)
  })()
  const lengths: number[] = []
  for await (const piece of inLargerPieces(small)) lengths.push(piece.length)
  expect(lengths[0]).toBe(100)
  expect(lengths.length).toBeLessThan(8)
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(300_000)
})
