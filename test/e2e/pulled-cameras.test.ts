/** Cameras that the service calls have all that published streams have, by one connection to each. */
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { webrtcOffer } from '../builders/webrtc-offer.ts'
import { startFakeCamera } from '../support/fake-camera.ts'
import { type Running, start as startTool } from '../support/ffmpeg.ts'
import { createProcessRig, loopedClip, type ProcessRig } from '../support/process-rig.ts'
import { startRtspServer, type TestRtspServer } from '../support/rtsp-server.ts'
import { until } from '../support/until.ts'

interface Source {
  readonly source_uuid: string
  readonly status: string
  readonly problem: string | null
  readonly recording: string
  readonly record: boolean
  readonly hls_url: string
  readonly connection: {
    readonly kind: string
    readonly state: string
    readonly since: string
    readonly last_error: string
  }
}

let rig: ProcessRig
let camera: TestRtspServer
const lenses: Running[] = []
beforeAll(async () => {
  rig = await createProcessRig({ AERIE_RECORDING_SEGMENT_SECONDS: '10' })
  camera = await startRtspServer()
})
afterEach(async () => {
  await rig.clear()
  await Promise.all(lenses.splice(0).map((lens) => lens.kill()))
})
afterAll(async () => {
  await rig.remove()
  await camera.close()
})

const cameraUrl = (name: string) => `rtsp://ada:secret@127.0.0.1:${camera.port}/ada/${name}`

/** The camera sees something. */
async function look(name: string): Promise<Running> {
  const lens = startTool('ffmpeg', [...loopedClip, '-f', 'rtsp', '-rtsp_transport', 'tcp', cameraUrl(name)], 120_000)
  lenses.push(lens)
  await camera.until((hub) => hub.list().some(({ path, isLive }) => path === `ada/${name}` && isLive))
  return lens
}

const connectionsTo = (name: string) => camera.hub.readerCount(`ada/${name}`)

async function register(alias: string, name: string, more: object = {}): Promise<Source> {
  const body = { alias, input_url: cameraUrl(name), stream_type: 'rtsp', ...more }
  return rig.ask<Source>('POST', '/stream', { body })
}
const change = (id: string, body: object) => rig.ask<Source>('PATCH', `/source/${id}`, { body })
const sourceOf = (id: string) => rig.ask<Source>('GET', `/source/${id}`)
const remove = (id: string) => rig.ask('DELETE', `/source/${id}`)
const playlist = async ({ hls_url: url }: Source) =>
  (await fetch(`${url}?api_key=${rig.installation.masterKey}`)).status

/** 400 where a browser could watch it: what is sent is no offer, and that is looked at when everything else is as it should be. */
async function webrtcStatus(path: string): Promise<number> {
  const headers = { 'content-type': 'application/sdp', api_key: rig.installation.masterKey }
  const answer = await fetch(`${rig.service.url}/webrtc/${path}/whep`, { method: 'POST', headers, body: 'no offer' })
  return answer.status
}

/** Somebody plays it by RTSP for a while. */
function play(path: string): Running {
  const url = `rtsp://admin:${rig.installation.masterKey}@127.0.0.1:${rig.rtsp}/${path}`
  return startTool('ffmpeg', ['-rtsp_transport', 'tcp', '-i', url, '-t', '3', '-c', 'copy', '-f', 'null', '-'])
}

test('a camera is recorded, watched and processed by one connection, and found again after a loss', async () => {
  const lens = await look('gate')
  const source = await register('Gate (north)', 'gate')
  expect(source).toMatchObject({ status: 'unknown', record: true, connection: { kind: 'pulled' } })
  expect(source.hls_url).toContain('/hls/admin/gate-north/index.m3u8')
  await until(async () => (await sourceOf(source.source_uuid)).recording === 'on')
  expect(await playlist(source)).toBe(200)
  const started = await rig.start(source.source_uuid)
  const [socket, another] = [await rig.connect(started), await rig.connect(await rig.start(source.source_uuid))]
  await Promise.all([socket.more(5), another.more(5)])
  expect((await play('admin/gate-north').finished).code).toBe(0)
  for (const path of ['admin/gate-north', 'admin/gate-north/~preview']) expect(await webrtcStatus(path)).toBe(400)
  expect(connectionsTo('gate')).toBe(1)
  expect(await sourceOf(source.source_uuid)).toMatchObject({
    status: 'processing',
    problem: null,
    connection: { state: 'connected', since: expect.stringMatching(/Z$/) as string, last_error: null },
  })

  await lens.kill()
  await until(async () => (await sourceOf(source.source_uuid)).connection.last_error !== null)
  const lost = await sourceOf(source.source_uuid)
  expect(lost).toMatchObject({ status: 'processing', problem: lost.connection.last_error })
  const { problem } = await rig.untilState(started.process_uuid, 'reconnecting')
  expect(problem).not.toBeNull()
  await look('gate')
  await until(async () => (await sourceOf(source.source_uuid)).connection.state === 'connected')
  await socket.more(5)
  await rig.clear()
  await remove(source.source_uuid)
  await until(async () => connectionsTo('gate') === 0)
  const recordings = await rig.ask<{ source_uuid: string }[]>(
    'GET',
    `/sources/recordings?source_uuid=${source.source_uuid}`,
  )
  expect(recordings.length).toBeGreaterThan(0)
})

test('a camera that is not recorded is connected while somebody watches it', async () => {
  await look('yard')
  const { source_uuid: id } = await register('yard', 'yard', { record: false })
  expect(await sourceOf(id)).toMatchObject({ recording: 'off', connection: { state: 'idle', last_error: null } })
  expect(connectionsTo('yard')).toBe(0)
  const [one, another] = [play('admin/yard'), play('admin/yard')]
  await until(async () => connectionsTo('yard') === 1)
  expect([(await one.finished).code, (await another.finished).code]).toEqual([0, 0])
  await until(async () => connectionsTo('yard') === 0, 40_000)
  await until(async () => (await sourceOf(id)).connection.state === 'idle')
  await remove(id)
})

test('a camera that is not there says so, and its path is nobody else’s', async () => {
  const { source_uuid: id } = await register('nowhere', 'nowhere')
  await until(async () => (await sourceOf(id)).connection.last_error !== null)
  expect((await sourceOf(id)).connection.last_error).toContain('404')
  const watched = [
    await rig.service.call('GET', '/hls/admin/nowhere/index.m3u8'),
    await fetch(`${rig.service.url}/webrtc/admin/nowhere/whep`, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', api_key: rig.installation.masterKey },
      body: webrtcOffer('recvonly'),
    }),
  ]
  for (const answer of watched)
    expect(await answer.json()).toMatchObject({
      code: 'stream-not-watchable',
      detail: expect.stringMatching(/^admin\/nowhere cannot be shown: .*404/),
    })
  const refused = await rig.publish('nowhere').finished
  expect(refused.code).not.toBe(0)
  expect(refused.complaints).toContain('409')
  await remove(id)
})

test('a camera that refuses is called again after waits that grow', async () => {
  const calledAtMs: number[] = []
  const closed = await startFakeCamera({
    habit({ method }, peer) {
      if (method === 'DESCRIBE') calledAtMs.push(performance.now())
      peer.answer(method === 'DESCRIBE' ? 404 : 200)
      return true
    },
  })
  onTestFinished(() => closed.close())
  const body = { alias: 'closed', input_url: `rtsp://127.0.0.1:${closed.port}/1`, stream_type: 'rtsp' }
  const { source_uuid: id } = await rig.ask<Source>('POST', '/stream', { body })
  await until(async () => calledAtMs.length >= 4)
  await remove(id)
  const [first, second, third] = calledAtMs.slice(1).map((atMs, index) => atMs - calledAtMs[index]!)
  expect(first).toBeGreaterThan(900)
  expect(second).toBeGreaterThan(1_900)
  expect(third).toBeGreaterThan(3_900)
})

test('a camera that is switched on later is processed by itself, once', async () => {
  const { source_uuid: id } = await register('shed', 'shed', { record: false })
  const { process_uuid: processId, ...started } = await rig.start(id, { when: 'live' })
  expect(await rig.info(processId)).toMatchObject({ state: 'waiting', when: 'live', again: false })
  const lens = await look('shed')
  const socket = await rig.connect(started)
  await socket.more(3, 30_000)
  await lens.kill()
  await rig.untilState(processId, 'reconnecting')
  await rig.clear()
  await remove(id)
})

test('a source can be changed: its path and its processes stay, its camera is another', async () => {
  await Promise.all([look('old'), look('new')])
  const { source_uuid: id, hls_url: url } = await register('old', 'old')
  const started = await rig.start(id)
  const socket = await rig.connect(started)
  await socket.more(3)
  expect(await change(id, { alias: 'tower', input_url: cameraUrl('new') })).toMatchObject({
    alias: 'tower',
    hls_url: url,
    needs_relaunch: [],
  })
  await until(async () => connectionsTo('old') === 0 && connectionsTo('new') === 1)
  await socket.more(5)
  const telemetry_cfg = {
    type: 'static',
    parameters: { latitude: 47, longitude: 8, altitude: 400, sensor_hfov: 60, sensor_vfov: 40 },
  }
  expect(await change(id, { telemetry_cfg })).toMatchObject({ needs_relaunch: [started.process_uuid] })
  expect((await rig.info(started.process_uuid)).problem).toContain('other telemetry since this process started')
  const { process_uuid: next } = await rig.start(id)
  expect(await rig.info(next)).toMatchObject({ problem: null, telemetry: { type: 'static' } })
  expect(await change(id, { telemetry_cfg: null })).toMatchObject({ needs_relaunch: [next] })
  expect(await rig.info(started.process_uuid)).toMatchObject({ problem: null, telemetry: null })
  expect(await change(id, { record: false })).toMatchObject({ record: false })
  await until(async () => (await sourceOf(id)).recording === 'off')
  await rig.clear()
  await remove(id)
})

test.each([
  [{}, 'body'],
  [{ input_url: 'http://camera/1' }, 'input_url'],
  [{ alias: '' }, 'alias'],
  [{ type: 'file' }, 'type'],
])('a change of %j is refused', async (body, field) => {
  const { source_uuid: id } = await register('strict', 'strict', { record: false })
  const answer = await rig.service.call('PATCH', `/source/${id}`, { body })
  expect(answer.status).toBe(422)
  expect(JSON.stringify(await answer.json())).toContain(field)
})
