import { check } from '@placemarkio/check-geojson'
import { DOMParser } from '@xmldom/xmldom'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aTrackPicture, jpegOf, seenAt, textOf } from '../../test/builders/report.ts'
import { dialects } from '../../test/support/databases.ts'
import { createReportRig, type ReportRig } from '../../test/support/report-rig.ts'

describe.each(dialects)('exports of reports on %s', (dialect) => {
  let rig: ReportRig
  beforeEach(async () => {
    rig = await createReportRig(dialect)
  })
  afterEach(() => rig.remove())

  test('the processes of a source are found by their time, whether they go on or not', async () => {
    const at = rig.clock.now()
    const sourceId = '00000000-0000-7000-8000-00000000000a'
    const ended = await rig.addProcess({ sourceId, createdAt: at })
    await rig.clock.advance(1_000)
    await rig.end(ended)
    const live = await rig.addProcess({ sourceId, createdAt: at + 5_000 })
    await rig.addProcess({ sourceId, createdAt: at }, false)
    await rig.addProcess({ createdAt: at })
    const list = (from: number, to: number, id = rig.account.id) =>
      rig.reports.exports.listProcesses({ id }, sourceId, { from: at + from, to: at + to })
    expect(await list(0, 10_000)).toEqual([ended.id, live.id])
    expect(await list(0, 5_000)).toEqual([ended.id])
    expect(await list(1_000, 10_000)).toEqual([live.id])
    expect(await list(-5_000, 0)).toEqual([])
    expect(await list(0, 10_000, 'somebody')).toEqual([])
  })

  test('a stretch of a report comes in each form, with the pictures of its tracks', async () => {
    const process = await rig.addProcess()
    const at = rig.clock.now()
    rig.see(process, [seenAt(1, 48, 11), seenAt(2, 48.5, 11)], at)
    rig.see(process, [seenAt(1, 48.1, 11.1)], at + 1_000)
    rig.see(process, [seenAt(3, 49, 12)], at + 60_000)
    rig.show(process, aTrackPicture(1, { jpeg: jpegOf('one') }), aTrackPicture(3, { jpeg: jpegOf('three') }))
    const stretch = { from: at, to: at + 2_000 }
    const text = (format: 'json' | 'geojson' | 'kml') =>
      textOf(rig.reports.exports.exportTracks(rig.account, process.id, stretch, format))

    expect(JSON.parse(await text('json'))).toMatchObject({
      process_uuid: process.id,
      tracks: [
        {
          track_id: 1,
          image_patches: [],
          latlon_history: [
            [48, 11],
            [48.1, 11.1],
          ],
        },
        { track_id: 2 },
      ],
    })
    const ofTrack = (id: number) => ({ properties: { track_id: id } })
    expect(check(await text('geojson'))).toMatchObject({ features: [ofTrack(1), ofTrack(1), ofTrack(2)] })
    const kml = new DOMParser().parseFromString(await text('kml'), 'application/xml')
    expect(kml.getElementsByTagName('Placemark')).toHaveLength(2)

    const pictures: [number, Buffer][] = []
    for await (const { trackId, jpeg } of rig.reports.exports.pictures(rig.account, process.id, stretch))
      pictures.push([trackId, jpeg])
    expect(pictures).toEqual([[1, jpegOf('one')]])
  })

  test('a report of another is not found', async () => {
    const process = await rig.addProcess()
    const other = { ...rig.account, id: 'somebody' }
    const exported = rig.reports.exports.exportTracks(other, process.id, { from: 0, to: 1 }, 'json')
    await expect(textOf(exported)).rejects.toMatchObject({ code: 'report-not-found' })
  })
})
