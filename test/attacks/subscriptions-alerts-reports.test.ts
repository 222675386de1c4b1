/**
 * A client written from the interface's text alone: it loses the body of a DELETE and with it every subscription, changes a one-off
 * alert and is not told of which process, finds a switched-off alert among the active ones, and reads of tracks from the future.
 */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { start } from '../builders/ffmpeg.ts'
import { clip, createProcessStage, type ProcessStage } from '../builders/process-stage.ts'
import { until } from '../builders/until.ts'

let stage: ProcessStage
let sourceId: string
beforeAll(async () => {
  stage = await createProcessStage()
  sourceId = await stage.upload(clip)
}, 60_000)
afterEach(() => stage.clear())
afterAll(() => stage.remove())

test('a DELETE without a word of which removes no subscription', async () => {
  const { process_uuid: processId } = await stage.start(sourceId)
  for (const eventType of ['new-tracks', 'process-state'])
    await stage.ask('POST', `/subscribe/${processId}`, {
      body: { notification_url: 'http://192.0.2.1/hook', event_type: eventType },
    })
  const path = `/subscriptions/${processId}`
  const listed = async () => (await stage.ask<unknown[]>('GET', path)).length
  for (const body of [undefined, {}]) {
    const answer = await stage.service.call('DELETE', path, { body })
    expect(answer.status).toBe(422)
    expect(await answer.json()).toMatchObject({
      errors: [{ message: expect.stringContaining('all=true') as string }],
    })
  }
  expect(await listed()).toBe(2)
  await stage.ask('DELETE', path, { body: { event_type: 'new-tracks' } })
  expect(await listed()).toBe(1)
  await stage.ask('DELETE', `${path}?all=true`)
  expect(await listed()).toBe(0)
}, 60_000)

test('a one-off alert says which process it is of when it is changed, and is not active when it is off', async () => {
  const { process_uuid: processId } = await stage.start(sourceId)
  const body = {
    alias: 'once',
    type: 'grid-density',
    output: [{ type: 'webhook', config: { url: 'http://192.0.2.1/' } }],
  }
  const { uuid } = await stage.ask<{ uuid: string }>('POST', `/alert/${processId}`, { body })
  const active = async () =>
    (await stage.ask<{ uuid: string }[]>('GET', '/active/alerts')).filter((alert) => alert.uuid === uuid)
  const change = (status: string) => stage.ask<object>('PATCH', `/alert/${uuid}`, { body: { status } })
  expect(await active()).toMatchObject([{ process_uuid: processId, status: 'active' }])
  expect(await change('inactive')).toMatchObject({ uuid, status: 'inactive', process_uuid: processId })
  expect(await active()).toEqual([])
  expect(await change('active')).toMatchObject({ status: 'active', process_uuid: processId })
  expect(await active()).toHaveLength(1)

  const registered = await stage.ask<{ uuid: string }>('POST', '/alert', { body })
  expect(await stage.ask('PATCH', `/alert/${registered.uuid}`, { body: { alias: 'all' } })).toMatchObject({
    process_uuid: null,
  })
  await stage.ask('DELETE', `/alert/${registered.uuid}`)
}, 60_000)

interface Told {
  readonly report_time: number
  readonly tracks: readonly {
    readonly last_seen: number
    readonly timestamps: readonly number[]
    readonly image_patches: readonly { readonly timestamp: number }[]
  }[]
}

test('nothing in a report is later than the report, also of a file that is processed fast', async () => {
  // Four times as long, so that it is done before it would be over, however busy the machine is.
  const slow = join(stage.folder, 'slow.mp4')
  expect((await start('ffmpeg', ['-itsscale', '4', '-i', clip, '-c', 'copy', '-an', slow]).finished).code).toBe(0)
  const { process_uuid: processId } = await stage.start(await stage.upload(slow), { pace: 'fast' })
  await until(async () => {
    const report = await stage.ask<Told>('GET', `/process/${processId}/tracks`)
    for (const track of report.tracks) {
      const seen = [track.last_seen, ...track.timestamps, ...track.image_patches.map(({ timestamp }) => timestamp)]
      expect(Math.max(...seen)).toBeLessThanOrEqual(report.report_time)
    }
    return report.report_time > Date.now() / 1000 + 3
  }, 120_000)
}, 150_000)
