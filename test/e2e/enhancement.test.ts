import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type z } from 'zod'
import { TrackReport } from '../../src/reports/reports.schema.ts'
import { clip, createProcessStage, type ProcessStage } from '../builders/process-stage.ts'
import { until } from '../builders/until.ts'

let stage: ProcessStage
beforeAll(async () => void (stage = await createProcessStage()))
afterEach(() => stage.clear())
afterAll(() => stage.remove())

type Report = z.infer<typeof TrackReport>

const readReport = async (processId: string): Promise<Report> =>
  TrackReport.parse(await stage.ask('GET', `/process/${processId}/tracks?time_window_minutes=60`))
const enhance = (processId: string) => stage.service.call('POST', `/decorate_tracks/${processId}`)
const statusOf = async (processId: string) =>
  (await stage.ask<{ status: string }>('GET', `/decorate_tracks/${processId}/status`)).status

test('the pictures of a report show what it says, and its enhancement goes on after a kill', async () => {
  const started = await stage.start(await stage.upload(clip), { pace: 'fast', classes: 'person' })
  const socket = await stage.connect(started)
  expect(await socket.closed).toBe('process finished')
  const { process_uuid: id } = started
  const report = await readReport(id)
  expect(report.tracks.length).toBeGreaterThan(5)
  expect(report.tracks.every(({ enhanced_data: data }) => data === undefined)).toBe(true)
  await expectPeopleIn(report)

  expect((await stage.service.call('GET', `/decorate_tracks/${id}/status`)).status).toBe(404)
  expect((await enhance(id)).status).toBe(200)
  expect(['RUNNING', 'FINISHED']).toContain(await statusOf(id))
  await stage.service.stop('SIGKILL')
  await stage.restart()
  await until(async () => (await statusOf(id)) === 'FINISHED', 60_000)

  const enhanced = await readReport(id)
  expect(enhanced.tracks.map(({ track_id: track }) => track)).toEqual(report.tracks.map(({ track_id: track }) => track))
  for (const { enhanced_data: data } of enhanced.tracks) expect(data).toMatchObject({ vehicle_type: null, plate: null })
  const dressed = enhanced.tracks.filter(({ enhanced_data: data }) => data?.upper_color ?? data?.lower_color)
  expect(dressed.length / enhanced.tracks.length).toBeGreaterThan(0.5)
  // Nothing is done twice.
  expect((await enhance(id)).status).toBe(200)
  expect(await statusOf(id)).toBe('FINISHED')
})

/** The detector finds a person in most of the pictures, as it did in the frames that they are from. */
async function expectPeopleIn({ tracks }: Report): Promise<void> {
  const files = tracks.map(({ track_id: track, image_patches: patches }) => {
    expect(patches).toHaveLength(1)
    const file = join(stage.folder, `${track}.jpg`)
    writeFileSync(file, Buffer.from(patches[0]!.image, 'base64'))
    return file
  })
  const { stdout } = await stage.installation.command('detect', ...files, '--classes', 'person', '--confidence', '20')
  const found = new Set(
    stdout.split('\n').flatMap((line) => (line ? [(JSON.parse(line) as { file: string }).file] : [])),
  )
  expect(found.size / files.length).toBeGreaterThan(0.6)
}
