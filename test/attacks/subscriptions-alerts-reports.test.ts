/**
 * A client written from the interface's text alone: it loses the body of a DELETE and with it every subscription, changes a one-off
 * alert and doesn't learn of which process, finds a switched-off alert among the active ones, and reads of tracks from the future.
 */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { start } from '../support/ffmpeg.ts'
import { clip, createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
let sourceId: string
beforeAll(async () => {
  rig = await createProcessRig()
  sourceId = await rig.upload(clip)
}, 60_000)
afterEach(() => rig.clear())
afterAll(() => rig.remove())

test('a DELETE without a word of which removes no subscription', async () => {
  const { process_uuid: processId } = await rig.start(sourceId)
  for (const eventType of ['new-tracks', 'process-state'])
    await rig.ask('POST', `/subscribe/${processId}`, {
      body: { notification_url: 'http://192.0.2.1/hook', event_type: eventType },
    })
  const path = `/subscriptions/${processId}`
  const listed = async () => (await rig.ask<unknown[]>('GET', path)).length
  for (const body of [undefined, {}]) {
    const answer = await rig.service.call('DELETE', path, { body })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('all=true') as string }],
    })
  }
  expect(await listed()).toBe(2)
  await rig.ask('DELETE', path, { body: { event_type: 'new-tracks' } })
  expect(await listed()).toBe(1)
  await rig.ask('DELETE', `${path}?all=true`)
  expect(await listed()).toBe(0)
}, 60_000)

test('a one-off alert says which process it is of when it is changed, and is not active when it is off', async () => {
  const { process_uuid: processId } = await rig.start(sourceId)
  const body = {
    alias: 'once',
    type: 'grid-density',
    output: [{ type: 'webhook', config: { url: 'http://192.0.2.1/' } }],
  }
  const { uuid } = await rig.ask<{ uuid: string }>('POST', `/alert/${processId}`, { body })
  const active = async () =>
    (await rig.ask<{ uuid: string }[]>('GET', '/active/alerts')).filter((alert) => alert.uuid === uuid)
  const change = (status: string) => rig.ask<object>('PATCH', `/alert/${uuid}`, { body: { status } })
  expect(await active()).toMatchObject([{ process_uuid: processId, status: 'active' }])
  expect(await change('inactive')).toMatchObject({ uuid, status: 'inactive', process_uuid: processId })
  expect(await active()).toEqual([])
  expect(await change('active')).toMatchObject({ status: 'active', process_uuid: processId })
  expect(await active()).toHaveLength(1)

  const registered = await rig.ask<{ uuid: string }>('POST', '/alert', { body })
  expect(await rig.ask('PATCH', `/alert/${registered.uuid}`, { body: { alias: 'all' } })).toMatchObject({
    process_uuid: null,
  })
  await rig.ask('DELETE', `/alert/${registered.uuid}`)
}, 60_000)

interface TrackReport {
  readonly report_time: number
  readonly tracks: readonly {
    readonly last_seen: number
    readonly timestamps: readonly number[]
    readonly image_patches: readonly { readonly timestamp: number }[]
  }[]
}

test('nothing in a report is later than the report, also of a file that is processed fast', async () => {
  // Four times as long, so that it is done before it would be over, however busy the machine is.
  const slow = join(rig.folder, 'slow.mp4')
  expect((await start('ffmpeg', ['-itsscale', '4', '-i', clip, '-c', 'copy', '-an', slow]).finished).code).toBe(0)
  const { process_uuid: processId } = await rig.start(await rig.upload(slow), { pace: 'fast' })
  await until(async () => {
    const report = await rig.ask<TrackReport>('GET', `/process/${processId}/tracks`)
    for (const track of report.tracks) {
      const seen = [track.last_seen, ...track.timestamps, ...track.image_patches.map(({ timestamp }) => timestamp)]
      expect(Math.max(...seen)).toBeLessThanOrEqual(report.report_time)
    }
    return report.report_time > Date.now() / 1000 + 3
  }, 120_000)
}, 150_000)
