import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { dataFiles } from '../support/data-files.ts'
import { type Running, start } from '../support/ffmpeg.ts'
import { until } from '../support/until.ts'
import { type Installation, type RunningService } from '../support/installation.ts'
import { createInstallation, nodesInPlaceOfOne } from '../support/service.ts'

let installation: Installation
let service: RunningService
let folder: string
let rtsp: number
let rtmp: number
const publishers: Running[] = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-media-'))
  installation = createInstallation()
  await restart()
})
afterEach(async () => {
  for (const publisher of publishers.splice(0)) await publisher.kill()
})
afterAll(async () => {
  await installation.remove()
  rmSync(folder, { recursive: true })
})

async function restart(): Promise<void> {
  service = await installation.start({ AERIE_RECORDING_SEGMENT_SECONDS: '3' })
  rtsp = Number(service.ready['rtsp_port'])
  rtmp = Number(service.ready['rtmp_port'])
}

const video = [
  '-re',
  '-f',
  'lavfi',
  '-i',
  'testsrc2=size=640x360:rate=30',
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-tune',
  'zerolatency',
  '-g',
  '30',
]

function publish(...output: string[]): Running {
  const publisher = start('ffmpeg', [...video, ...output])
  publishers.push(publisher)
  return publisher
}
const rtspWithKey = (path: string, key = installation.masterKey) =>
  `rtsp://${path.split('/')[0]}:${key}@127.0.0.1:${rtsp}/${path}`
const publishRtsp = (path: string, key = installation.masterKey) =>
  publish('-f', 'rtsp', '-rtsp_transport', 'tcp', rtspWithKey(path, key))
const publishRtmp = (path: string, secret = `api_key=${installation.masterKey}`) =>
  publish('-f', 'flv', `rtmp://127.0.0.1:${rtmp}/${path}?${secret}`)

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  return (await (await service.call(method, path, body === undefined ? {} : { body })).json()) as T
}

interface SourceRecord {
  source_uuid: string
  status: string
  recording: string
}
interface RecordingRecord {
  recording_uuid: string
  ended_at: string | null
  duration_seconds: number
  segments: { start: string; duration_seconds: number | null; size_bytes: number; download_url: string }[]
  gaps: unknown[]
}

const register = (name: string, type: 'rtsp' | 'rtmp' = 'rtsp') =>
  ask<SourceRecord>('POST', '/stream', {
    alias: name,
    input_url: `${type}://localhost:${type === 'rtsp' ? rtsp : rtmp}/admin/${name}`,
    stream_type: type,
  })
const statusOf = async (uuid: string) => (await ask<SourceRecord>('GET', `/source/${uuid}`)).status
const recordingsOf = (uuid: string) => ask<RecordingRecord[]>('GET', `/sources/recordings?source_uuid=${uuid}`)

interface UserInfo {
  uploaded_video_storage: { used_storage_size_bytes: number }
}

async function upload(
  name: string,
  content: Buffer,
  fields: Record<string, string> = {},
  key = installation.masterKey,
): Promise<Response> {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  form.set('file', new Blob([new Uint8Array(content)]), name)
  return fetch(`${service.url}/video`, { method: 'POST', headers: { api_key: key }, body: form })
}

function storedVideos(): { name: string; bytes: number }[] {
  return dataFiles(installation, 'videos').map((file) => ({ name: basename(file), bytes: statSync(file).size }))
}

async function makeVideo(name: string, ...args: string[]): Promise<Buffer> {
  const file = join(folder, name)
  await start('ffmpeg', ['-y', '-f', 'lavfi', '-i', 'testsrc2=size=320x240:rate=10', '-t', '2', ...args, file]).finished
  return readFileSync(file)
}

test.each([
  ['rtsp', publishRtsp],
  ['rtmp', publishRtmp],
] as const)(
  'what is published by %s is seen within two seconds, read by both protocols, and recorded',
  async (protocol, publishIt) => {
    const name = `cam-${protocol}`
    const { source_uuid: uuid, status } = await register(name, protocol)
    expect(status).toBe('offline')

    const publisher = publishIt(`admin/${name}`)
    await until(async () => (await statusOf(uuid)) === 'streaming', 5_000)
    for (const input of [
      ['-rtsp_transport', 'tcp', '-i', rtspWithKey(`admin/${name}`)],
      ['-rtsp_transport', 'udp', '-i', rtspWithKey(`admin/${name}`)],
      ['-i', `rtmp://127.0.0.1:${rtmp}/admin/${name}?api_key=${installation.masterKey}`],
    ]) {
      const read = await start('ffmpeg', ['-xerror', ...input, '-t', '1', '-f', 'null', '-']).finished
      expect(read, input.join(' ')).toMatchObject({ code: 0, complaints: '' })
    }

    await publisher.kill()
    await until(async () => (await statusOf(uuid)) === 'offline', 5_000)
    await until(async () => (await recordingsOf(uuid)).some(({ ended_at: endedAt }) => endedAt !== null), 8_000)
    const [recording, ...others] = await recordingsOf(uuid)
    expect(others).toEqual([])
    expect(recording!.gaps).toEqual([])
    expect(recording!.segments.length).toBeGreaterThan(0)
    for (const [index, segment] of recording!.segments.entries()) {
      const response = await fetch(segment.download_url)
      expect(response.headers.get('content-type')).toBe('video/mp4')
      const file = join(folder, `${name}-${index}.mp4`)
      writeFileSync(file, Buffer.from(await response.arrayBuffer()))
      expect(await start('ffmpeg', ['-xerror', '-i', file, '-f', 'null', '-']).finished).toMatchObject({
        code: 0,
        complaints: '',
      })
      const { output } = await start('ffprobe', ['-show_entries', 'format=duration', '-of', 'csv=p=0', file]).finished
      expect(Number(output)).toBeCloseTo(segment.duration_seconds!, 0)
    }
  },
)

test('a recording has the stream’s beginning, however rare its keyframes', async () => {
  const file = join(folder, 'rare-keyframes.mp4')
  const clip = [
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x240:rate=20',
    '-t',
    '8',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '1000',
    '-bf',
    '0',
    file,
  ]
  await start('ffmpeg', clip).finished
  const { source_uuid: uuid } = await register('rare')
  const url = rtspWithKey('admin/rare')
  await start('ffmpeg', ['-re', '-i', file, '-c', 'copy', '-f', 'rtsp', '-rtsp_transport', 'tcp', url]).finished
  await until(async () => (await recordingsOf(uuid)).some(({ ended_at: endedAt }) => endedAt !== null), 8_000)
  const [recording] = await recordingsOf(uuid)
  expect(recording!.duration_seconds).toBeGreaterThan(7.5)
  const link = recording!.segments[0]!.download_url
  const copy = join(folder, 'rare-recorded.mp4')
  writeFileSync(copy, Buffer.from(await (await fetch(link)).arrayBuffer()))
  const flags = ['-select_streams', 'v', '-show_entries', 'packet=flags', '-of', 'csv=p=0', '-read_intervals', '%+#1']
  expect((await start('ffprobe', [...flags, copy]).finished).output).toMatch(/^K/)
  expect(await ask('GET', `/source/${uuid}`)).toMatchObject({ video: { codec: 'h264', width: 320, height: 240 } })
})

test('a download answers ranges, and only to whoever has the link', async () => {
  const [recording] = await ask<RecordingRecord[]>('GET', '/sources/recordings')
  const { download_url: link, size_bytes: size } = recording!.segments[0]!
  const part = await fetch(link, { headers: { range: 'bytes=10-19' } })
  expect(part.status).toBe(206)
  expect(part.headers.get('content-range')).toBe(`bytes 10-19/${size}`)
  const beyond = await fetch(link, { headers: { range: `bytes=${size}-` } })
  expect(await beyond.json()).toMatchObject({ status: 416, code: 'range-not-satisfiable' })
  const bad = await fetch(link.replace(/token=.*/, 'token=abc.def'))
  expect(await bad.json()).toMatchObject({ status: 403, code: 'link-expired' })
  expect((await fetch(link.replace(/segments\/[^?]+/, 'segments/..%2f..%2faerie.db'))).status).toBe(422)
})

test('kill -9 of everything leaves a recording that decodes to within half a second of the end', async () => {
  const { source_uuid: uuid } = await register('crash')
  const publisher = publishRtsp('admin/crash')
  await until(async () => (await recordingsOf(uuid))[0]?.segments.length === 2, 15_000)
  await new Promise((resolve) => setTimeout(resolve, 1200))
  const children = service.children()
  for (const pid of [service.process.pid!, ...children]) process.kill(pid, 'SIGKILL')
  const killedAt = Date.now()
  await service.stop('SIGKILL')
  await publisher.kill()
  await restart()

  const [recording] = await recordingsOf(uuid)
  expect(recording!.ended_at).not.toBeNull()
  const last = recording!.segments.at(-1)!
  const file = join(folder, 'crash.mp4')
  writeFileSync(file, Buffer.from(await (await fetch(last.download_url)).arrayBuffer()))
  expect(await start('ffmpeg', ['-xerror', '-i', file, '-f', 'null', '-']).finished).toMatchObject({
    code: 0,
    complaints: '',
  })
  const lost = killedAt - (Date.parse(last.start) + last.duration_seconds! * 1000)
  // Half a second in a fragment, and what was on its way through encoder, server and muxer.
  expect(lost).toBeLessThan(1_000)
})

test('a recording worker that dies is back, and the gap is listed', async () => {
  const { source_uuid: uuid } = await register('gap')
  publishRtsp('admin/gap')
  await until(async () => (await recordingsOf(uuid))[0]?.segments.length === 1, 15_000)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  process.kill(service.children('recording')[0]!, 'SIGKILL')
  await until(async () => ((await recordingsOf(uuid))[0]?.segments.length ?? 0) >= 2, 10_000)
  expect(await recordingsOf(uuid)).toHaveLength(1)
})

test('a media server that dies is back within a second or so, and publishers find it again', async () => {
  const { source_uuid: uuid } = await register('phoenix')
  const mediaServers = () => service.children('media-server')
  const killed = mediaServers()
  for (const pid of killed) process.kill(pid, 'SIGKILL')
  const isReplaced = () => mediaServers().filter((pid) => !killed.includes(pid)).length === killed.length
  await until(async () => isReplaced(), 3_000)
  await until(async () => {
    const answers = await Promise.all(killed.map(() => service.call('GET', '/readyz')))
    return answers.every(({ status }) => status === 200)
  }, 5_000)
  publishRtsp('admin/phoenix')
  await until(async () => (await statusOf(uuid)) === 'streaming', 6_000)
})

test('publishing needs a right key, for a path of one’s own', async () => {
  const { key } = await ask<{ key: string }>('POST', '/keys', { username: 'stranger' })
  const outcomes = await Promise.all([
    publish('-f', 'rtsp', `rtsp://127.0.0.1:${rtsp}/admin/x`).finished,
    publish('-f', 'rtsp', `rtsp://admin:wrong@127.0.0.1:${rtsp}/admin/x`).finished,
    publishRtsp('stranger/../admin/x', key).finished,
    publish('-f', 'rtsp', `rtsp://stranger:${key}@127.0.0.1:${rtsp}/admin/x`).finished,
    publishRtmp('admin/x', `api_key=${key}`).finished,
    publishRtmp('admin/x', 'api_key=wrong').finished,
    publishRtmp('admin/x', 'token=wrong').finished,
  ])
  // Not null either: an ffmpeg that was let in runs until it is killed.
  for (const { code } of outcomes) expect(code).toBeGreaterThan(0)
})

test('a token publishes to its own source only, until it is revoked', async () => {
  const { source_uuid: uuid } = await register('drone', 'rtmp')
  const issued = await ask<{ token: string; token_uuid: string; urls: { rtsp: string; rtmp: string } }>(
    'POST',
    `/source/${uuid}/token`,
    { action: 'publish' },
  )
  expect(issued.urls.rtmp).toContain(`:${rtmp}/admin/drone?token=${issued.token}`)

  const other = await publishRtmp('admin/other', `token=${issued.token}`).finished
  expect(other.code).toBeGreaterThan(0)
  const byDigest = publishRtsp('admin/drone', issued.token)
  await until(async () => (await statusOf(uuid)) === 'streaming', 6_000)
  await byDigest.kill()
  await until(async () => (await statusOf(uuid)) === 'offline', 6_000)
  publishRtmp('admin/drone', `token=${issued.token}`)
  await until(async () => (await statusOf(uuid)) === 'streaming', 6_000)

  expect(JSON.stringify(await ask('GET', `/source/${uuid}/tokens`))).not.toContain(issued.token)
  expect(await ask('DELETE', `/source/${uuid}/token/${issued.token_uuid}`)).toMatchObject({ deleted: true })
  // Who was let in by it goes with it.
  await until(async () => (await statusOf(uuid)) === 'offline', 3_000)
  expect((await publishRtmp('admin/drone', `token=${issued.token}`).finished).code).toBeGreaterThan(0)
})

test('videos are taken by content and extension, once', async () => {
  const mp4 = await makeVideo('small.mp4', '-pix_fmt', 'yuv420p')
  const first = await upload('Holiday.MP4', mp4, {
    alias: 'holiday',
    telemetry_cfg: JSON.stringify({ type: 'static', parameters: { sensor_hfov: 60, sensor_vfov: 40 } }),
  })
  expect(first.status).toBe(201)
  const record = (await first.json()) as { source_uuid: string }
  expect(record).toMatchObject({
    type: 'file',
    alias: 'holiday',
    status: 'unknown',
    video: { codec: 'h264', width: 320, height: 240, fps: 10, has_b_frames: true },
  })
  const again = await upload('again.mov', mp4, {
    alias: 'holiday',
    telemetry_cfg: JSON.stringify({ parameters: { sensor_vfov: 40, sensor_hfov: 60 }, type: 'static' }),
  })
  expect(again.status).toBe(200)
  expect(await again.json()).toMatchObject({ source_uuid: record.source_uuid })
  expect((await upload('clip.avi', await makeVideo('clip.avi', '-c:v', 'mpeg4'))).status).toBe(201)

  expect(await ask('GET', '/user_info')).toMatchObject({
    uploaded_video_storage: { used_storage_size_bytes: expect.any(Number) },
  })
  expect(await (await upload('notes.mp4', Buffer.from('just text'))).json()).toMatchObject({
    status: 422,
    code: 'video-unreadable',
    detail: expect.stringMatching(/^notes\.mp4 .*: It holds no MP4, MOV or AVI video that can be read: /),
  })
  expect(await (await upload('playlist.mp4', Buffer.from('#EXTM3U\n#EXTINF:1,\n/etc/passwd\n'))).json()).toMatchObject({
    status: 422,
  })
  expect(await (await upload('movie.mkv', mp4)).json()).toMatchObject({ status: 415, code: 'video-type-unsupported' })
  expect(await (await upload('bad.mp4', mp4, { telemetry_cfg: '{"type":"static"}' })).json()).toMatchObject({
    status: 422,
    code: 'input-invalid',
  })
  expect(await ask('DELETE', `/source/${record.source_uuid}`)).toEqual({
    source_uuid: record.source_uuid,
    deleted: true,
  })
  const { uploaded_video_storage: storage } = await ask<UserInfo>('GET', '/user_info')
  expect(storedVideos().reduce((sum, { bytes }) => sum + bytes, 0)).toBe(storage.used_storage_size_bytes)
})

// Each node keeps what is uploaded to it.
test.skipIf(nodesInPlaceOfOne() > 1)(
  'known content with another alias or telemetry is another source, and the bytes are stored once',
  async () => {
    const mp4 = await makeVideo('shared.mp4', '-pix_fmt', 'yuv420p')
    const telemetry = JSON.stringify({ type: 'static', parameters: { sensor_hfov: 60, sensor_vfov: 40 } })
    const before = storedVideos().length
    const { uploaded_video_storage: storageBefore } = await ask<UserInfo>('GET', '/user_info')
    const answers = await Promise.all([
      upload('shared.mp4', mp4),
      upload('shared.mp4', mp4, { alias: 'other' }),
      upload('shared.mov', mp4, { alias: 'other', telemetry_cfg: telemetry }),
      upload('shared.mp4', mp4, { alias: 'other' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 201, 201, 201])
    const records = (await Promise.all(answers.map((answer) => answer.json()))) as (SourceRecord & { alias: string })[]
    expect(records.map(({ alias }) => alias)).toEqual(['shared.mp4', 'other', 'other', 'other'])
    expect(records[2]).toMatchObject({ telemetry_cfg: { type: 'static' }, video: { codec: 'h264' } })
    expect(records[3]!.source_uuid).toBe(records[1]!.source_uuid)
    expect(storedVideos()).toHaveLength(before + 1)
    const { uploaded_video_storage: storage } = await ask<UserInfo>('GET', '/user_info')
    expect(storage.used_storage_size_bytes).toBe(storageBefore.used_storage_size_bytes + mp4.length)

    const { key } = await ask<{ key: string }>('POST', '/keys', { username: 'copyist' })
    expect((await upload('shared.mp4', mp4, {}, key)).status).toBe(201)
    expect(storedVideos()).toHaveLength(before + 2)

    // Files are found again, and what a crash left behind is not.
    writeFileSync(join(installation.dataDir, 'videos', `${records[0]!.source_uuid.slice(0, -1)}.mp4`), 'stray')
    await service.stop('SIGKILL')
    await restart()
    expect(storedVideos()).toHaveLength(before + 2)
    const [first, second, third] = records.map(({ source_uuid: id }) => id)
    await ask('DELETE', `/source/${first}`)
    await ask('DELETE', `/source/${second}`)
    expect(storedVideos()).toHaveLength(before + 2)
    await ask('DELETE', `/source/${third}`)
    expect(storedVideos()).toHaveLength(before + 1)
  },
)

test('an upload that is too large or cut off leaves nothing behind', async () => {
  await installation
    .command('keys', 'create', 'small', '--max-video-upload-size-bytes', '1000', '--json')
    .then(async ({ stdout }) => {
      const { key } = JSON.parse(stdout) as { key: string }
      const form = new FormData()
      form.set('file', new Blob([new Uint8Array(5000)]), 'big.mp4')
      const response = await fetch(`${service.url}/video`, { method: 'POST', headers: { api_key: key }, body: form })
      expect(await response.json()).toMatchObject({ status: 413, code: 'video-too-large' })
    })
  const aborting = new AbortController()
  const endless = new ReadableStream({
    async pull(controller) {
      controller.enqueue(
        new TextEncoder().encode(
          '--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n'.padEnd(70_000, 'x'),
        ),
      )
      await new Promise((resolve) => setTimeout(resolve, 50))
    },
  })
  const init = {
    method: 'POST',
    duplex: 'half',
    signal: aborting.signal,
    body: endless,
    headers: { api_key: installation.masterKey, 'content-type': 'multipart/form-data; boundary=b' },
  }
  const cut = fetch(`${service.url}/video`, init as RequestInit).catch(() => undefined)
  const incoming = () => dataFiles(installation, 'videos', 'incoming')
  await until(async () => incoming().length === 1, 5_000)
  aborting.abort()
  await cut
  await until(async () => incoming().length === 0, 5_000)
})

test('a prober that the system kills says nothing about what it looked at', async () => {
  // It waits for a camera that never answers: whenever it is killed, it is at work.
  const camera = createServer()
  camera.listen(0, '127.0.0.1')
  onTestFinished(() => void camera.close())
  await once(camera, 'listening')
  const { port } = camera.address() as AddressInfo
  const answering = service.call('POST', '/stream/probe', { body: { input_url: `rtsp://127.0.0.1:${port}/cam` } })
  const [socket] = (await once(camera, 'connection')) as [Socket]
  onTestFinished(() => void socket.destroy())
  socket.on('error', () => {})
  const [prober] = service.children('probe/worker')
  process.kill(prober!, 'SIGKILL')
  const answer = await answering
  expect(await answer.json()).toMatchObject({ status: 503, code: 'prober-killed' })
})

const untilStreaming = () =>
  until(async () => (await ask<SourceRecord[]>('GET', '/sources')).some(({ status }) => status === 'streaming'), 6_000)

test('the doctor says what a file and a healthy stream are', async () => {
  const file = join(folder, 'doctor.mp4')
  await start('ffmpeg', [
    '-y',
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x240:rate=10',
    '-t',
    '2',
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'libx264',
    file,
  ]).finished
  const { stdout } = await installation.command('doctor', file, '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    codec: 'h264',
    width: 320,
    height: 240,
    fps: 10,
    duration_seconds: 2,
    problems: [],
  })

  await register('sound')
  const sound = publishRtsp('admin/sound')
  await untilStreaming()
  const healthy = await installation.command('doctor', rtspWithKey('admin/sound'), '--json')
  expect(JSON.parse(healthy.stdout)).toMatchObject({ keyframe_interval_seconds: 1, has_b_frames: false })
  await sound.kill()
  await until(
    async () => !(await ask<SourceRecord[]>('GET', '/sources')).some(({ status }) => status === 'streaming'),
    6_000,
  )
})

test('the doctor says what is wrong with a stream, or why it cannot be opened', async () => {
  await register('sick')
  publish(
    '-bf',
    '2',
    '-g',
    '150',
    '-tune',
    'film',
    '-f',
    'flv',
    `rtmp://127.0.0.1:${rtmp}/admin/sick?api_key=${installation.masterKey}`,
  )
  await untilStreaming()
  const sick = installation.command('doctor', rtspWithKey('admin/sick'))
  await expect(sick).rejects.toMatchObject({ stdout: expect.stringMatching(/B-frames[\s\S]*keyframe/) })
  await expect(installation.command('doctor', rtspWithKey('admin/nobody'))).rejects.toThrow('cannot be opened')
  for (const [url, advice] of [
    [`rtsp://127.0.0.1:${rtsp}/admin/sick`, 'a username and its key'],
    [`rtmp://127.0.0.1:${rtmp}/admin/sick`, 'a key as the address’s parameter api_key'],
  ] as const)
    await expect(installation.command('doctor', url)).rejects.toThrow(advice)
})

test('nothing is left running after a stop', async () => {
  const children = service.children()
  expect(children.length).toBeGreaterThan(0)
  expect(await service.stop()).toBe(0)
  for (const pid of children) expect(() => process.kill(pid, 0)).toThrow()
  await restart()
})
