import { onTestFinished, describe, expect, test } from 'vitest'
import { start } from '../../../test/support/ffmpeg.ts'
import { clientMessage } from '../../../test/support/rtmp-client.ts'
import { startServer } from '../../../test/support/rtmp-player.ts'
import { failureOf } from '../../../test/support/rtmp-publisher.ts'
import { closedPort, listen } from '../../../test/support/rtmp-receiver.ts'
import { createRtmpRig, SECRET, until } from '../../../test/support/rtmp-rig.ts'
import { DEFAULT_PICTURE_LIMIT } from '../../core/picture-limit.ts'
import { OPERATOR_RULES } from '../../outbound/rules.ts'
import { type ProbeRequest } from '../messages.ts'
import { OUTGOING_CHUNK_SIZE } from '../rtmp/wire/chunk-writer.ts'
import { writeCommand } from '../rtmp/wire/command.ts'
import { setChunkSize } from '../rtmp/wire/control-messages.ts'
import { MESSAGE } from '../rtmp/wire/message.ts'
import { lookAtStream } from './look-at-stream.ts'

const look = (input: string, request: Partial<ProbeRequest> = {}) =>
  lookAtStream({
    input,
    isLive: true,
    watchMs: 1_500,
    timeoutMs: 5_000,
    outbound: OPERATOR_RULES,
    maxPicture: DEFAULT_PICTURE_LIMIT,
    ...request,
  })

describe('an RTMP stream', () => {
  test.each([
    { name: 'without B-frames', video: ['-tune', 'zerolatency', '-g', '10'], audio: false, hasBFrames: false },
    { name: 'with B-frames and sound', video: ['-bf', '2', '-g', '10'], audio: true, hasBFrames: true },
  ])('$name is described', async ({ video, audio, hasBFrames }) => {
    const rig = await createRtmpRig()
    const url = `rtmp://127.0.0.1:${rig.port}/admin/cam`
    const publisher = start('ffmpeg', [
      ...['-re', '-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=20'],
      ...(audio ? ['-f', 'lavfi', '-i', 'sine=frequency=440', '-c:a', 'aac'] : []),
      ...['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast', ...video],
      ...['-f', 'flv', `${url}?api_key=${SECRET}`],
    ])
    onTestFinished(async () => void (await publisher.kill()))
    await until(() => rig.events.some(({ type }) => type === 'live'))

    const report = await look(url)
    expect(report).toMatchObject({
      is_live: true,
      container: 'flv',
      codec: 'h264',
      width: 320,
      height: 180,
      fps: 20,
      pixel_format: 'yuv420p',
      audio_codec: audio ? 'aac' : null,
      keyframe_interval_seconds: 0.5,
      has_b_frames: hasBFrames,
      wall_clock_skew_ms: null,
    })
    expect(report.first_frame_ms).not.toBeNull()
    expect(report.problems.map((problem) => problem.includes('B-frames'))).toEqual(hasBFrames ? [true] : [])
    expect(await failureOf(look(url, { maxPicture: { width: 160, height: 90 } }))).toMatch(/is too large/)
  })
})

/** A server that asks for the user, then for an answer to its challenge, and is content with none. */
async function strictServer(): Promise<number> {
  const { port } = await startServer(({ name, transactionId, object }, peer) => {
    if (name !== 'connect') return false
    const app = object['app'] as string
    const asks = app.includes('user=') ? '?reason=needauth&user=me&salt=s&challenge=c' : 'code=403 need auth;'
    const description = `[ authmod=adobe ] : ${app.includes('response=') ? '?reason=authfailed' : asks}`
    const information = { level: 'error', code: 'NetConnection.Connect.Rejected', description }
    peer.send(setChunkSize(OUTGOING_CHUNK_SIZE), writeCommand(0, '_error', transactionId, null, information))
    return true
  })
  return port
}

async function serverOf(tag: Buffer): Promise<number> {
  const { port } = await startServer(({ name }, peer) => {
    if (name === 'play') peer.send(clientMessage(MESSAGE.video, tag))
    return false
  })
  return port
}

describe('why there is none is said in a sentence', () => {
  test.each([
    { name: 'nobody listens', port: closedPort, sentence: /^Nothing answers at 127\.0\.0\.1:\d+: the server is down/ },
    {
      name: 'no such stream',
      port: async () => (await createRtmpRig()).port,
      sentence: /has no such stream: nothing is/,
    },
    { name: 'a wrong password', port: strictServer, sentence: /refuses the user or the password; check both/ },
    {
      name: 'it is not RTMP',
      port: () => listen((socket) => socket.end('HTTP/1.1 400\r\n\r\n')),
      sentence: /does not speak RTMP/,
    },
    { name: 'silence', port: () => listen(() => {}), sentence: /did not answer the RTMP handshake within 0\.3 s\.$/ },
    {
      name: 'silence after the beginning',
      port: async () => (await startServer()).port,
      sentence: /has sent nothing for 0\.3 s/,
    },
    {
      name: 'another codec',
      port: () => serverOf(Buffer.of(0x12, 1, 2)),
      sentence: /^The video is flv1; set the sender/,
    },
  ])('$name', async ({ port, sentence }) => {
    const url = `rtmp://me:password@127.0.0.1:${await port()}/live/cam`
    expect(await failureOf(look(url, { timeoutMs: 300 }))).toMatch(sentence)
  })

  test('an address that may not be called', async () => {
    const outbound = { ...OPERATOR_RULES, deny: ['127.0.0.0/8'] }
    expect(await failureOf(look('rtmp://127.0.0.1/live/cam', { outbound }))).toMatch(/may not be called/)
  })
})
