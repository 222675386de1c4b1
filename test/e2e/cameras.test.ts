/** Cameras elsewhere: servers in this process and in ffmpeg's, which the service reads as it would read anybody's. */
import { connect } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Running, start as startTool } from '../support/ffmpeg.ts'
import { freePort } from '../support/free-port.ts'
import { clip, createProcessRig, loopedClip, type ProcessRig } from '../support/process-rig.ts'
import { listen } from '../support/rtmp-receiver.ts'
import { startRtspServer, type TestRtspServer } from '../support/rtsp-server.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
let camera: TestRtspServer
let lens: Running | undefined
beforeAll(async () => {
  rig = await createProcessRig()
  camera = await startRtspServer()
})
afterEach(async () => {
  await rig.clear()
  await lens?.kill()
})
afterAll(async () => {
  await camera.close()
  await rig.remove()
})

/** The camera sees something. */
async function look(input: readonly string[] = loopedClip): Promise<void> {
  const url = `rtsp://ada:secret@127.0.0.1:${camera.port}/ada/cam`
  lens = startTool('ffmpeg', [...input, '-f', 'rtsp', '-rtsp_transport', 'tcp', url], 120_000)
  await camera.until((hub) => hub.list().length === 1)
}

async function registered(url: string): Promise<string> {
  const body = { alias: url, input_url: url, stream_type: url.split(':')[0] }
  return (await rig.ask<{ source_uuid: string }>('POST', '/stream', { body })).source_uuid
}

interface Look {
  readonly is_readable: boolean
  readonly video: unknown
  readonly problems: readonly string[]
}
const probe = (url: string) => rig.ask<Look>('POST', '/stream/probe', { body: { input_url: url } })

const cameraUrl = (userinfo: string, port = camera.port) => `rtsp://${userinfo}127.0.0.1:${port}/ada/cam`

/** Stands before the camera and refuses TCP, as some do. */
function udpOnly(): Promise<number> {
  return listen((client) => {
    const server = connect(camera.port, '127.0.0.1').on('error', () => undefined)
    server.pipe(client)
    client.once('close', () => server.destroy())
    client.on('data', (data) => {
      const text = data.toString('latin1')
      const cseq = /cseq: *(\d+)/i.exec(text)?.[1]
      if (/^SETUP .*interleaved=/s.test(text))
        client.write(`RTSP/1.0 461 Unsupported Transport\r\nCSeq: ${cseq}\r\n\r\n`)
      else server.write(data)
    })
  })
}

test('a camera with a password is looked at, processed, and found again after a loss', async () => {
  await look()
  expect(await probe(cameraUrl('ada:secret@'))).toMatchObject({
    is_readable: true,
    video: { codec: 'h264', width: 768, height: 576, has_b_frames: false },
  })
  const started = await rig.start(await registered(cameraUrl('ada:secret@')))
  const socket = await rig.connect(started)
  await socket.more(5)
  await lens!.kill()
  await rig.untilState(started.process_uuid, 'reconnecting', 20_000)
  await look()
  await rig.untilState(started.process_uuid, 'running', 30_000)
  await socket.more(5)
})

test('a camera that speaks UDP only is processed', async () => {
  await look()
  const url = cameraUrl('ada:secret@', await udpOnly())
  expect(await probe(url)).toMatchObject({ is_readable: true })
  const socket = await rig.connect(await rig.start(await registered(url)))
  await socket.more(10)
})

test.each([
  ['ada:wrong@', 'The camera refuses this user and password.'],
  ['', 'The camera asks for a user and a password.'],
])('a camera that is asked as %j says what is wrong, and what to do', async (userinfo, sentence) => {
  await look()
  const { is_readable, problems } = await probe(cameraUrl(userinfo))
  expect(is_readable).toBe(false)
  expect(problems[0]).toContain(sentence)
  expect(problems[0]).toContain('rtsp://user:password@host/path')
  const answer = await rig.tryStart(await registered(cameraUrl(userinfo)))
  expect(answer).toMatchObject({ status: 400, detail: expect.stringContaining(sentence) as string })
  expect(answer.detail).not.toContain('wrong')
})

test('an RTMP server is processed', async () => {
  const port = await freePort()
  const url = `rtmp://127.0.0.1:${port}/live/cam`
  const args = ['-re', '-stream_loop', '-1', '-i', clip, '-c', 'copy', '-an', '-f', 'flv', '-listen', '1', url]
  lens = startTool('ffmpeg', args, 120_000)
  const sourceId = await registered(url)
  let socket: Awaited<ReturnType<ProcessRig['connect']>> | undefined
  // It serves one client, and is not there at once.
  await until(async () => {
    const started = await rig.start(sourceId).catch(() => undefined)
    if (started) socket = await rig.connect(started)
    return started !== undefined
  }, 30_000)
  await socket!.more(5)
})
