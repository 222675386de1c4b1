import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { launchBrowser, untilMoving } from '../support/browser.ts'
import { type Running, start } from '../support/ffmpeg.ts'
import { freePort } from '../support/free-port.ts'
import { attachNew, durationOf, probe, registerOutput } from '../support/outputs.ts'
import { createProcessRig, loopedClip, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(() => rig.clear())
afterAll(() => rig.remove())

const isSending = (processId: string, outputId: string) => async () => {
  const { outputs } = await rig.info(processId)
  return outputs.find(({ output_uuid: id }) => id === outputId)?.state === 'sending'
}

const withKey = (path: string, { installation, rtsp } = rig) =>
  `rtsp://admin:${installation.masterKey}@127.0.0.1:${rtsp}/${path}`

test('the processed video plays at every resolution, and at the input’s own', async () => {
  const { sourceId } = await rig.goLive('sizes')
  const { process_uuid: id } = await rig.start(sourceId)
  const sizes = [
    ['360p', 480, 360],
    ['720p', 960, 720],
    ['1080p', 1440, 1080],
    [null, 768, 576],
  ] as const
  const attached: Awaited<ReturnType<typeof attachNew>>[] = []
  for (const [settings] of sizes)
    attached.push(await attachNew(rig, id, { type: 'rtsp', url: `rtsp://out/${settings ?? 'own'}`, settings }))
  await Promise.all(
    sizes.map(async ([, width, height], index) => {
      await until(isSending(id, attached[index]!.id))
      const video = await probe(attached[index]!.url)
      expect(video).toMatchObject({ codec_name: 'h264', width, height, frames: 20 })
    }),
  )
  // The plain address plays with the key.
  await expect(probe(withKey('admin/out/360p'))).resolves.toMatchObject({ height: 360 })
  await rig.ask('DELETE', `/process/${id}/${attached[0]!.id}`)
  await expect(probe(attached[0]!.url)).rejects.toThrow()
  await expect(probe(attached[1]!.url)).resolves.toMatchObject({ height: 720 })
})

test('a preview is there while a process has the stream, whichever process that is', async () => {
  const path = 'admin/small/~preview'
  const ask = (credentials: Record<string, string> = { api_key: rig.installation.masterKey }) =>
    fetch(`${rig.service.url}/webrtc/${path}/whep`, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', ...credentials },
      body: 'no offer',
    })
  // What is no offer is looked at when everything else is as it should be.
  const isThere = async () => (await ask()).status === 400
  const { sourceId, publisher } = await rig.goLive('small')
  expect(await (await ask()).json()).toMatchObject({ status: 404, code: 'preview-unavailable' })

  const first = await rig.start(sourceId)
  const second = await rig.start(sourceId)
  expect((await ask()).status).toBe(400)
  await expect(probe(withKey(path))).resolves.toMatchObject({ width: 480, height: 360 })

  await rig.ask('POST', `/process/${second.process_uuid}/pause`)
  await rig.ask('DELETE', `/process/${first.process_uuid}`)
  await until(isThere, 10_000)

  const { token } = await rig.ask<{ token: string }>('POST', `/source/${sourceId}/token`, {
    body: { action: 'read' },
  })
  expect((await ask({ authorization: `Bearer ${token}` })).status).toBe(400)
  expect((await ask({ authorization: 'Bearer st_other' })).status).toBe(403)

  await publisher.kill()
  await until(async () => (await ask()).status === 404, 10_000)
  const refused = await start('ffmpeg', [...loopedClip, '-f', 'rtsp', withKey(path)]).finished
  expect(refused.code).not.toBe(0)
  rig.publish('small')
  await until(isThere, 15_000)
})

test('boxes stand where the detections say', async () => {
  // One picture, over and over: what is drawn belongs to what is sent, however late it is looked at.
  const still = join(rig.folder, 'still.mp4')
  const hold = ['-vf', 'select=eq(n\\,80),loop=-1:1:0,setpts=N/10/TB', '-r', '10', '-t', '6', '-g', '10', '-bf', '0']
  await start('ffmpeg', ['-i', 'assets/demo/people-walking.mp4', ...hold, '-c:v', 'libx264', still]).finished
  const { sourceId } = await rig.goLive('still', { input: ['-re', '-stream_loop', '-1', '-i', still, '-c', 'copy'] })
  const started = await rig.start(sourceId)
  const { url, id } = await attachNew(rig, started.process_uuid, { type: 'rtsp', url: 'rtsp://still/drawn' })
  await until(isSending(started.process_uuid, id), 10_000)
  const socket = await rig.connect(started)
  // Every person is confirmed by now.
  await socket.more(15)
  const before = await socket.more(10)
  const [drawn, plain] = await Promise.all([greyPicture(url), greyPicture(still)])
  const all = [...before, ...(await socket.more(10))]
  // Those that are seen every time are also in the picture that was looked at.
  const isAlwaysSeen = (id: number) =>
    all.every(({ active_tracks: tracks }) => tracks.some((one) => one.track_id === id))
  const steady = all.at(-1)!.active_tracks.filter(({ track_id: one }) => isAlwaysSeen(one))
  expect(steady.length).toBeGreaterThanOrEqual(3)

  const boxes = all.flatMap(({ active_tracks: tracks }) => tracks.map(({ bbox }) => bbox))
  const difference = (points: readonly [number, number][]) =>
    points.reduce((sum, [x, y]) => sum + largestNear(drawn, plain, x, y), 0) / points.length
  for (const { bbox } of steady) {
    const [x, y, width, height] = bbox as [number, number, number, number]
    // Where nobody else's box is drawn.
    const beside = [...rectangle(x - 0.25 * width, y, 1.5 * width, 1.08 * height)].filter(
      (point) => !boxes.some((box) => isOnEdge(point, box)),
    )
    const edge = difference([...rectangle(x, y, width, height)])
    expect(edge, `the edge of ${bbox.join()}`).toBeGreaterThan(20)
    // Of the smallest everything beside is another's.
    if (beside.length > 0) expect(edge, `the edge of ${bbox.join()}`).toBeGreaterThan(1.5 * difference(beside))
  }
})

test('a push to somebody’s RTMP server is there, and there again after that server’s restart', async () => {
  const receiver = await createProcessRig({ AERIE_LOG_LEVEL: 'warn' })
  try {
    const { sourceId } = await rig.goLive('push')
    const { process_uuid: id } = await rig.start(sourceId)
    const url = `rtmp://127.0.0.1:${receiver.rtmp}/admin/pushed?api_key=${receiver.installation.masterKey}`
    const output = await attachNew(rig, id, { type: 'rtmp', url, settings: '360p' })
    expect(output.url).not.toContain(receiver.installation.masterKey)
    await until(isSending(id, output.id), 10_000)
    const played = withKey('admin/pushed', receiver)
    const isPlaying = async () => (await probe(played).catch(() => undefined))?.height === 360
    await until(isPlaying, 15_000)

    await receiver.service.stop('SIGKILL')
    await until(async () => (await rig.info(id)).outputs[0]!.error !== null, 15_000)
    await receiver.restart()
    await until(isSending(id, output.id), 20_000)
    await until(isPlaying, 15_000)
    expect(await rig.info(id)).toMatchObject({ state: 'running', restarts: 0 })
  } finally {
    await receiver.remove()
  }
})

test('ffmpeg’s listener receives a push', async () => {
  const { sourceId } = await rig.goLive('listener')
  const { process_uuid: id } = await rig.start(sourceId)
  const file = join(rig.folder, 'received.mp4')
  const address = `rtmp://127.0.0.1:${await freePort()}/live/seen`
  const listener: Running = start('ffmpeg', [
    '-analyzeduration',
    '500000',
    '-listen',
    '1',
    '-i',
    address,
    '-t',
    '3',
    '-c',
    'copy',
    '-y',
    file,
  ])
  await attachNew(rig, id, { type: 'rtmp', url: address })
  const { code, complaints } = await listener.finished
  expect(code, complaints).toBe(0)
  await expect(probe(file)).resolves.toMatchObject({ codec_name: 'h264', width: 768, height: 576 })
})

test('players stay while the source is lost and while the process is paused', async () => {
  const { sourceId, publisher } = await rig.goLive('notice')
  const { process_uuid: id } = await rig.start(sourceId)
  const { url, id: outputId } = await attachNew(rig, id, { type: 'rtsp', url: 'rtsp://notice/out' })
  await until(isSending(id, outputId), 10_000)
  const played = join(rig.folder, 'played.mkv')
  const player = start('ffmpeg', ['-rtsp_transport', 'tcp', '-i', url, '-t', '12', '-c', 'copy', played])
  await rig.ask('POST', `/process/${id}/pause`)
  await expect(probe(url, 10)).resolves.toMatchObject({ height: 576, frames: 10 })
  await rig.ask('POST', `/process/${id}/resume`)
  await publisher.kill()
  await rig.untilState(id, 'reconnecting')
  await expect(probe(url, 10)).resolves.toMatchObject({ frames: 10 })
  rig.publish('notice')
  await rig.untilState(id, 'running')
  expect(await player.finished).toMatchObject({ code: 0 })
  // A player that is thrown out ends well too, only sooner.
  expect(await durationOf(played)).toBeGreaterThan(10)
})

test('a worker that crashes has its outputs back', async () => {
  const { sourceId } = await rig.goLive('crash')
  const { process_uuid: id } = await rig.start(sourceId)
  const outputs = [
    await attachNew(rig, id, { type: 'rtsp', url: 'rtsp://crash/a' }),
    await attachNew(rig, id, { type: 'rtsp', url: 'rtsp://crash/b', settings: '360p' }),
  ]
  for (const output of outputs) await until(isSending(id, output.id), 10_000)
  process.kill(rig.workers()[0]!, 'SIGKILL')
  await until(async () => (await rig.info(id)).restarts === 1, 5_000)
  await rig.untilState(id, 'running')
  for (const output of outputs) {
    await until(isSending(id, output.id), 10_000)
    await expect(probe(output.url)).resolves.toMatchObject({ codec_name: 'h264' })
  }
})

test('the browser shows the feed and the output', async () => {
  const { sourceId } = await rig.goLive('browser')
  const started = await rig.start(sourceId)
  const { webrtc_url: webrtcUrl, id } = await attachNew(rig, started.process_uuid, {
    type: 'rtsp',
    url: 'rtsp://browser/out',
  })
  await until(isSending(started.process_uuid, id), 10_000)
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    await page.setContent(`<img src="${started.feed_url}">`)
    await until(async () => (await page.evaluate('document.querySelector("img").naturalWidth')) === 768, 10_000)
    await page.goto(webrtcUrl!)
    await until(async () => (await page.evaluate('document.querySelector("video")?.videoWidth')) === 768, 15_000)
    await untilMoving(page, 0.05)
  } finally {
    await browser.close()
  }
})

test('what is wrong with an output is said, and the process goes on', async () => {
  const { sourceId } = await rig.goLive('wrong')
  const { process_uuid: id } = await rig.start(sourceId)
  const refusal = async (method: string, path: string, body?: unknown) => {
    const response = await rig.service.call(method, path, body === undefined ? {} : { body })
    return { status: response.status, ...((await response.json()) as { code: string }) }
  }
  for (const bad of [
    { type: 'rtsp', url: 'rtsp://host:8554/path' },
    { type: 'rtsp', url: 'rtmp://path' },
    { type: 'rtsp' },
    { type: 'rtmp', url: 'rtsp://host/app/name' },
    { type: 'rtmp', url: 'rtmp://host' },
    { type: 'rtsp', url: 'rtsp://a/b', settings: '480p' },
    { type: 'udp', url: 'udp://host:1' },
  ])
    expect(await refusal('POST', '/output', { alias: 'bad', ...bad }), JSON.stringify(bad)).toMatchObject({
      status: 422,
      code: 'input-invalid',
    })

  expect(await refusal('POST', '/output', { alias: 'bad', type: 'rtsp', url: 'rtsp://wrong' })).toMatchObject({
    status: 409,
    code: 'path-in-use',
    detail: 'admin/wrong is taken by the source wrong; choose another path.',
  })
  const free = await registerOutput(rig, { type: 'rtsp', url: 'rtsp://free' })
  expect(await registerOutput(rig, { alias: 'again', type: 'rtsp', url: 'rtsp://free' })).toMatchObject(free)
  await expect(rig.register('free')).rejects.toThrow(/409: .*admin\/free is taken by the output /)

  const down = await attachNew(rig, id, { type: 'rtmp', url: `rtmp://127.0.0.1:${await freePort()}/live/x` })
  await until(async () => (await rig.info(id)).outputs[0]!.error !== null, 10_000)
  expect((await rig.info(id)).outputs[0]).toMatchObject({
    state: expect.stringMatching(/waiting|connecting/) as string,
  })
  expect(await refusal('DELETE', `/output/${down.id}`)).toMatchObject({ status: 409, code: 'output-attached' })

  const { process_uuid: second } = await rig.start(sourceId)
  expect(await refusal('POST', `/process/${second}/${down.id}`)).toMatchObject({ status: 409, code: 'output-attached' })
  await rig.ask('DELETE', `/process/${id}`)
  expect(await refusal('POST', `/process/${id}/${free.output_uuid}`)).toMatchObject({
    status: 409,
    code: 'process-not-live',
  })
  // The end of its process has set it free.
  await rig.ask('POST', `/process/${second}/${down.id}`)
  expect(await rig.info(second)).toMatchObject({ state: 'running', restarts: 0 })
})

const WIDTH = 768
const HEIGHT = 576

/** One picture of a stream or file, as brightness. */
async function greyPicture(url: string): Promise<Buffer> {
  const file = join(rig.folder, `grey-${Math.random().toString(36).slice(2)}.raw`)
  const transport = url.startsWith('rtsp') ? ['-rtsp_transport', 'tcp'] : []
  const output = ['-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', '-y', file]
  await start('ffmpeg', [...transport, '-i', url, ...output]).finished
  return readFileSync(file)
}

/** Points on the outline. */
function* rectangle(x: number, y: number, width: number, height: number): Generator<[number, number]> {
  for (let step = 0; step <= 1; step += 0.05) {
    yield [x + step * width, y + height]
    yield [x, y + step * height]
    yield [x + width, y + step * height]
  }
}

/** A line has a width, and a label stands above. */
function isOnEdge([px, py]: readonly [number, number], [x, y, width, height]: readonly number[]): boolean {
  const margin = 6
  const isWithin = (value: number, from: number, to: number) => value >= from - margin && value <= to + margin
  const isNear = (value: number, ...edges: number[]) => edges.some((edge) => Math.abs(value - edge) <= margin)
  const isInLabel = isWithin(px, x!, x! + width!) && py < y! && py > y! - 30
  if (isInLabel) return true
  if (!isWithin(px, x!, x! + width!) || !isWithin(py, y!, y! + height!)) return false
  return isNear(px, x!, x! + width!) || isNear(py, y!, y! + height!)
}

/** How much the drawn picture differs from the plain one, at most two pixels away: a line has a width. */
function largestNear(drawn: Buffer, plain: Buffer, x: number, y: number): number {
  let maxDifference = 0
  for (let dy = -2; dy <= 2; dy++) {
    for (let dx = -2; dx <= 2; dx++) {
      const [px, py] = [Math.round(x) + dx, Math.round(y) + dy]
      if (px < 0 || py < 0 || px >= WIDTH || py >= HEIGHT) continue
      maxDifference = Math.max(maxDifference, Math.abs(drawn[py * WIDTH + px]! - plain[py * WIDTH + px]!))
    }
  }
  return maxDifference
}
