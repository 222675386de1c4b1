/** What an operator is told of the machine, and may set: who goes first, whether a full machine takes more, what computes the models. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type SystemInfo } from '../../src/system/system.schema.ts'
import { start } from '../support/ffmpeg.ts'
import { clip, createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

const FPS = 15
const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', String(FPS)]

let rig: ProcessRig
beforeAll(async () => {
  // One model at a time has the machine, however many cores that is.
  rig = await createProcessRig({ AERIE_INFERENCE_THREADS: String(availableParallelism()) })
})
afterEach(() => rig.clear())
afterAll(() => rig.remove())

const system = () => rig.ask<SystemInfo>('GET', '/system')

/** The demo clip at the pace of a camera: every frame shows something else than the one before. */
async function goLiveMoving(name: string): Promise<string> {
  const file = join(rig.folder, 'moving.mp4')
  const faster = ['-vf', `setpts=PTS*7/${FPS}`, '-r', String(FPS), '-pix_fmt', 'yuv420p']
  await start('ffmpeg', ['-y', '-i', clip, ...faster, ...encoder, file]).finished
  const input = ['-re', '-stream_loop', '-1', '-i', file, '-c', 'copy']
  return (await rig.goLive(name, { input })).sourceId
}

test('a master sees what each process and stream takes, and what is kept of it', async () => {
  const rights = { username: 'guard', minutes: 10, process_recording: true }
  const { key } = await rig.ask<{ key: string }>('POST', '/keys', { body: rights })
  const { sourceId } = await rig.goLive('roof', { username: 'guard', key })
  const { process_uuid: id } = await rig.start(sourceId, {}, key)
  const isMeasured = async () => {
    const { processes, streams, recordings } = await system()
    const mine = processes.find((one) => one.process_uuid === id)
    return (mine?.used_cores ?? 0) > 0 && mine!.held_bytes > 0 && streams.length > 0 && recordings.length > 0
  }
  await until(isMeasured, 40_000)
  const { processes, streams, recordings, room, parts } = await system()
  expect(processes).toMatchObject([{ process_uuid: id, source_alias: 'roof', username: 'guard', priority: 'normal' }])
  expect(streams).toMatchObject([{ path: 'guard/roof', username: 'guard' }])
  expect(recordings).toMatchObject([{ source_uuid: sourceId, alias: 'roof' }])
  expect(room.map(({ model }) => model)).toContain('fast')
  expect(parts.map(({ name }) => name)).toEqual(expect.arrayContaining(['service', 'media server']))

  const metrics = await (await rig.service.call('GET', '/metrics')).text()
  expect(metrics).toMatch(/^aerie_stream_memory_bytes\{path="guard\/roof"\} [1-9]\d+$/m)
  expect(metrics).toContain(`aerie_process_memory_bytes{process_uuid="${id}",alias="roof"}`)

  const refused = await rig.service.call('GET', '/system', { key })
  expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'master-key-required' }])
  await rig.ask('DELETE', `/process/${id}`, { key })
})

test('of those that want more than there is, one of high priority is looked at first', async () => {
  const sourceId = await goLiveMoving('street')
  const begin = (priority: string) => rig.start(sourceId, { priority, model: 'accurate' })
  const ids = [await begin('low'), await begin('high'), await begin('low')].map((one) => one.process_uuid)
  const looks = [0, 0, 0]
  for (let second = 0; second < 12; second++) {
    await sleep(1_000)
    const infos = await Promise.all(ids.map((id) => rig.info(id)))
    infos.forEach(({ stats }, at) => (looks[at]! += stats.processed_fps))
  }
  const [low, high, lowToo] = looks as [number, number, number]
  expect(high, `beside ${low} and ${lowToo}`).toBeGreaterThan(2 * Math.max(low, lowToo))
})

test('with AERIE_ADMIT=when-room a full machine takes no more', async () => {
  await rig.service.stop()
  await rig.restart({ AERIE_ADMIT: 'when-room' })
  const sourceId = await goLiveMoving('gate')
  let refusal = await rig.tryStart(sourceId, { model: 'accurate' })
  for (let started = 1; refusal.status < 300 && started < 50; started++)
    refusal = await rig.tryStart(sourceId, { model: 'accurate' })
  expect(refusal).toMatchObject({ status: 503, code: 'machine-full', detail: expect.stringMatching(/full/) as string })
})

test('with an accelerator that is not there the CPU computes, and the log says why', async () => {
  await rig.service.stop()
  await rig.restart({ AERIE_INFERENCE: 'openvino' })
  const { sourceId } = await rig.goLive('yard')
  const models = await rig.ask<{ computed_by: string }[]>('GET', '/models')
  expect(new Set(models.map(({ computed_by }) => computed_by))).toEqual(new Set(['cpu']))
  expect(rig.service.stderr()).toContain('AERIE_INFERENCE=openvino does not work here, so the CPU computes the models')
  const socket = await rig.connect(await rig.start(sourceId))
  await until(async () => socket.messages.some(({ active_tracks }) => active_tracks.length > 0), 20_000)
})
