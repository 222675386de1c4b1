import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type z } from 'zod'
import { diskOnly } from '../builders/disk-only.ts'
import { nothingFound } from '../../src/enhance/messages.ts'
import { EnhancementRecord, TrackReport } from '../../src/reports/reports.schema.ts'
import { createPictureFiles } from '../../src/reports/picture-files.ts'
import { createPictureStore } from '../../src/reports/pictures.store.ts'
import { createTrackStore } from '../../src/reports/tracks.store.ts'
import { openDatabase } from '../../src/storage/database.ts'
import { writePng } from '../builders/png.ts'
import { aPlate } from '../builders/rendered-plate.ts'
import { renderVehicle } from '../builders/rendered-vehicle.ts'
import { aTrackPicture, sceneOf, seen } from '../builders/report.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(() => rig.clear())
afterAll(() => rig.remove())

type Report = z.infer<typeof TrackReport>

const readReport = async (processId: string): Promise<Report> =>
  TrackReport.parse(await rig.ask('GET', `/process/${processId}/tracks?time_window_minutes=60`))
const enhance = (processId: string) => rig.service.call('POST', `/decorate_tracks/${processId}`)
const progressOf = async (processId: string) =>
  EnhancementRecord.parse(await rig.ask('GET', `/decorate_tracks/${processId}/status`))

test('the pictures of a report show what it says, and its enhancement goes on after a kill', async () => {
  const started = await rig.start(await rig.upload(await rig.cutClip(12)), { pace: 'fast', classes: 'person' })
  const socket = await rig.connect(started)
  expect(await socket.closed).toBe('process finished')
  const { process_uuid: id } = started
  const people = await readReport(id)
  expect(people.tracks.length).toBeGreaterThan(5)
  expect(people.tracks.every(({ enhanced_data: data }) => data === undefined)).toBe(true)
  await expectPeopleIn(people)
  await addCars(id, Math.max(...people.tracks.map(({ last_seen: seconds }) => seconds)) * 1000)
  const report = await readReport(id)
  expect(report.tracks).toHaveLength(people.tracks.length + CARS)

  expect((await rig.service.call('GET', `/decorate_tracks/${id}/status`)).status).toBe(404)
  expect((await enhance(id)).status).toBe(200)
  // The cars come last, and each takes a while.
  await until(async () => (await progressOf(id)).tracks_done > 0, 20_000)
  const before = await progressOf(id)
  expect(before).toMatchObject({ status: 'RUNNING', tracks_total: report.tracks.length })
  expect(before.tracks_done).toBeLessThan(before.tracks_total)
  await rig.service.stop('SIGKILL')
  await rig.restart()
  const after = await progressOf(id)
  expect(after.status).toBe('RUNNING')
  expect(after.tracks_done).toBeGreaterThanOrEqual(before.tracks_done)
  await until(async () => (await progressOf(id)).status === 'FINISHED', 60_000)
  expect(await progressOf(id)).toMatchObject({ reason: null, tracks_done: before.tracks_total })

  const enhanced = await readReport(id)
  expect(enhanced.tracks.map(({ track_id: track }) => track)).toEqual(report.tracks.map(({ track_id: track }) => track))
  const dataOf = (name: string) =>
    enhanced.tracks.flatMap(({ category_name: category, enhanced_data: data }) => (category === name ? [data] : []))
  for (const data of dataOf('person'))
    expect(data).toEqual({ ...nothingFound, upper_color: data?.upper_color, lower_color: data?.lower_color })
  const dressed = dataOf('person').filter((data) => data?.upper_color ?? data?.lower_color)
  expect(dressed.length / people.tracks.length).toBeGreaterThan(0.5)
  expect(dataOf('car')).toEqual(
    Array.from({ length: CARS }, () => ({
      ...nothingFound,
      vehicle_type: 'car',
      color: { name: 'red', confidence: share },
      plate: { text: 'KX62WTR', confidence: share },
    })),
  )
  // Nothing is done twice.
  expect((await enhance(id)).status).toBe(200)
  expect((await progressOf(id)).status).toBe('FINISHED')
}, 120_000)

/** The schema says which. */
const share = expect.any(Number) as number

const CARS = 6

/** Nobody has a clip of cars whose plates we may show, so they are rendered, and noted as if a process had seen them. */
async function addCars(processId: string, takenAtMs: number): Promise<void> {
  const picture = join(rig.folder, 'car.png')
  const plate = aPlate({ lines: ['KX62 WTR'] })
  writePng(picture, renderVehicle({ paint: '#b01820', width: 480, height: 384, plate }))
  const { dataDir } = rig.installation
  const ids = Array.from({ length: CARS }, (_, index) => 1_000_000 + index)
  const tracks = ids.map((id) => seen(id, { classId: 3, className: 'car' }))
  const files = createPictureFiles(dataDir, diskOnly(dataDir))
  const shown = { role: 'crop' as const, takenAtMs, jpeg: readFileSync(picture) }
  const pictures = await Promise.all(ids.map((id) => files.write(processId, aTrackPicture(id, shown))))
  const database = openDatabase(`sqlite:${join(dataDir, 'aerie.db')}`)
  try {
    const lastFrame = { takenAt: takenAtMs, heardAt: Date.now() }
    await createTrackStore(database.db).write([{ processId, scenes: [sceneOf(takenAtMs, tracks)], lastFrame }])
    await createPictureStore(database.db).put(pictures)
  } finally {
    await database.close()
  }
}

/** The detector finds a person in most of the pictures, as it did in the frames that they are from. */
async function expectPeopleIn({ tracks }: Report): Promise<void> {
  const files = tracks.map(({ track_id: track, image_patches: patches }) => {
    expect(patches).toHaveLength(1)
    const file = join(rig.folder, `${track}.jpg`)
    writeFileSync(file, Buffer.from(patches[0]!.image, 'base64'))
    return file
  })
  const { stdout } = await rig.installation.command('detect', ...files, '--classes', 'person', '--confidence', '20')
  const found = new Set(
    stdout.split('\n').flatMap((line) => (line ? [(JSON.parse(line) as { file: string }).file] : [])),
  )
  expect(found.size / files.length).toBeGreaterThan(0.6)
}
