import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createFakeClock } from '../../../../test/builders/fake-clock.ts'
import { start } from '../../../../test/support/ffmpeg.ts'
import { H264, idr } from '../../../../test/builders/flv-tags.ts'
import { encodeClip } from '../../../../test/builders/h264-clip.ts'
import { closedPort, listen, receive, type ReceiverPeer } from '../../../../test/support/rtmp-receiver.ts'
import { createRtmpRig, SECRET, until } from '../../../../test/support/rtmp-rig.ts'
import { systemClock } from '../../../core/clock.ts'
import { MESSAGE } from '../wire/message.ts'
import { createRtmpPush, pushWaitMs, type RtmpPush, type RtmpPushOptions } from './push.ts'
import { type EncodedPicture } from './video-sender.ts'

const KEY: EncodedPicture = { nalUnits: [H264.sps, H264.pps, idr(1)], ptsMs: 0, isKeyframe: true }
/** Waits are real but short. */
const impatient = { ...systemClock, sleep: (_: number, signal?: AbortSignal) => systemClock.sleep(20, signal) }

function push(options: Partial<RtmpPushOptions> & Pick<RtmpPushOptions, 'url'>): RtmpPush & { states: string[] } {
  const states: string[] = []
  const created = createRtmpPush({
    dial: async () => '127.0.0.1',
    clock: impatient,
    onState: (state) => void states.push(state),
    ...options,
  })
  onTestFinished(() => created.close())
  return Object.assign(created, { states })
}

/** Writes pictures at some pace until the test says that it is enough. */
async function writeUntil(target: RtmpPush, pictures: readonly EncodedPicture[], isEnough: () => boolean) {
  for (let index = 0; !isEnough(); index++) {
    const picture = pictures[index % pictures.length]!
    target.write({ ...picture, ptsMs: index * 40 })
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test.each([
  [0, 1_000],
  [1, 2_000],
  [3, 8_000],
  [4, 10_000],
  [1_000_000, 10_000],
])('after %i failures before, the wait is %i ms', (failures, ms) => expect(pushWaitMs(failures)).toBe(ms))

test('a server that restarts gets the stream again', async () => {
  const before = await createRtmpRig()
  const target = push({ url: `rtmp://127.0.0.1:${before.port}/admin/cam?api_key=${SECRET}` })
  await writeUntil(target, [KEY], () => before.events.some(({ type }) => type === 'live'))
  expect(target).toMatchObject({ state: 'publishing', lastError: undefined })

  await before.server.close()
  await until(() => target.state !== 'publishing')
  await until(() => target.lastError?.startsWith('Nothing answers at') ?? false)
  const after = await createRtmpRig({ port: before.port })
  await writeUntil(target, [KEY], () => after.events.some(({ type }) => type === 'live'))
  expect(target).toMatchObject({ state: 'publishing', lastError: undefined })
  expect(target.states.slice(0, 3)).toEqual(['publishing', 'waiting', 'connecting'])
  await target.close()
  await until(() => after.events.at(-1)?.type === 'gone')
})

describe('to FFmpeg', () => {
  let clip: EncodedPicture[]
  beforeAll(async () => void (clip = await encodeClip({ seconds: 2 })))

  test('its listener gets the push, and gets it again after a restart', { timeout: 60_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'aerie-push-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const url = `rtmp://127.0.0.1:${await closedPort()}/live/cam`
    const target = push({ url })

    for (const file of ['first.flv', 'second.flv'].map((name) => join(folder, name))) {
      const listener = start('ffmpeg', ['-listen', '1', '-i', url, '-t', '3', '-c', 'copy', '-y', file])
      let isOver = false
      void listener.finished.then(() => (isOver = true))
      await writeUntil(target, clip, () => isOver)
      expect(await listener.finished).toMatchObject({ code: 0 })
      const entries = 'stream=codec_name,width,height,avg_frame_rate,nb_read_frames'
      const probe = start('ffprobe', ['-count_frames', '-show_entries', entries, '-of', 'json', file])
      const { output, complaints } = await probe.finished
      expect(complaints).toBe('')
      const [video] = (JSON.parse(output) as { streams: Record<string, unknown>[] }).streams
      expect(video).toMatchObject({ codec_name: 'h264', width: 320, height: 180, avg_frame_rate: '25/1' })
      expect(Number(video!['nb_read_frames'])).toBeGreaterThanOrEqual(70)
    }
  })
})

test('each connection begins with a keyframe', async () => {
  const peers: ReceiverPeer[] = []
  const port = await listen((socket) => peers.push(receive(socket)))
  const target = push({ url: `rtmp://127.0.0.1:${port}/live/cam` })
  await until(() => target.state === 'publishing')
  target.write({ ...KEY, nalUnits: [idr(9)], isKeyframe: false })
  target.write(KEY)
  const tags = () => peers[0]!.messages.filter(({ typeId }) => typeId === MESSAGE.video)
  await until(() => tags().length === 2)
  expect(tags().map(({ payload }) => payload[1])).toEqual([0, 1])
})

test('a server that refuses is asked again after waits that grow', async () => {
  const clock = createFakeClock()
  const waits: number[] = []
  const sleep = (ms: number, signal?: AbortSignal) => (waits.push(ms), clock.sleep(ms, signal))
  const dial = async () => Promise.reject(new Error('There is no host cam.example.'))
  const target = push({ url: 'rtmp://cam.example/live/cam', dial, clock: { ...clock, sleep } })
  for (let attempt = 0; attempt < 8; attempt++) {
    await until(() => waits.length > attempt)
    expect(target).toMatchObject({ state: 'waiting', lastError: 'There is no host cam.example.' })
    await clock.advance(waits.at(-1)!)
  }
  expect(waits.slice(0, 8)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000, 10_000])
})

test('a stream that held for long makes the next wait short again; one that did not does not', async () => {
  const clock = createFakeClock()
  const waits: number[] = []
  const sleep = (ms: number, signal?: AbortSignal) => (waits.push(ms), clock.sleep(ms, signal))
  let leave = () => {}
  const port = await listen((socket) => {
    leave = () => void socket.destroy()
    receive(socket)
  })
  const target = push({ url: `rtmp://127.0.0.1:${port}/live/cam`, clock: { ...clock, sleep } })
  for (const heldMs of [0, 0, 0, 60_000, 0]) {
    await until(() => target.state === 'publishing')
    await clock.advance(heldMs)
    leave()
    const count = waits.length
    await until(() => waits.length > count)
    await clock.advance(waits.at(-1)!)
  }
  expect(waits.slice(0, 5)).toEqual([1_000, 2_000, 4_000, 1_000, 2_000])
})

describe('nothing is thrown, and closing is quick', () => {
  test('with an address that is none', async () => {
    const target = push({ url: 'http://host/live/cam' })
    await until(() => target.state === 'waiting')
    target.write(KEY)
    expect(target.lastError).toMatch(/^An RTMP address looks like/)
    await target.close()
  })

  test('while the name is looked up for ever', async () => {
    const target = push({ url: 'rtmp://host/live/cam', dial: () => new Promise(() => {}) })
    target.write(KEY)
    expect(target.state).toBe('connecting')
    await target.close()
  })

  test('while a server hangs', async () => {
    let hasCome = false
    const port = await listen(() => (hasCome = true))
    const target = push({ url: `rtmp://127.0.0.1:${port}/live/cam` })
    await until(() => hasCome)
    target.write(KEY)
    await target.close()
  })

  test('while waiting', async () => {
    const clock = createFakeClock()
    const dial = async () => Promise.reject(new Error('No.'))
    const target = push({ url: 'rtmp://host/live/cam', dial, clock })
    await until(() => target.state === 'waiting')
    await target.close()
    await target.close()
    target.write(KEY)
  })

  test('the name in the address is what is looked up, its answer is what is called', async () => {
    const asked: string[] = []
    const port = await listen((socket) => void receive(socket))
    const dial = async (hostname: string) => (asked.push(hostname), '127.0.0.1')
    const target = push({ url: `rtmp://cam.example:${port}/live/cam`, dial })
    await until(() => target.state === 'publishing')
    expect(asked).toEqual(['cam.example'])
  })
})
