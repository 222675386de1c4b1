import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type DetectionMessage } from '../../src/processes/detection-message.ts'
import { isRunning } from '../support/child-processes.ts'
import { start as startTool } from '../support/ffmpeg.ts'
import { clip, createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(() => rig.clear())
afterAll(() => rig.remove())

const idsIn = (messages: readonly DetectionMessage[]) =>
  messages.flatMap(({ active_tracks: tracks }) => tracks.map(({ track_id: id }) => id))
const highestId = (messages: readonly DetectionMessage[]) => Math.max(0, ...idsIn(messages))

test('a worker that crashes is back in a moment, and its ids are never given again', async () => {
  const { sourceId } = await rig.goLive('crash')
  const started = await rig.start(sourceId)
  const socket = await rig.connect(started)
  let restarts = 0
  for (const signal of ['SIGKILL', 'SIGSEGV'] as const) {
    await socket.more(10)
    const [pid, ...others] = rig.workers()
    expect(others).toEqual([])
    process.kill(pid!, signal)
    restarts += 1
    await until(async () => (await rig.info(started.process_uuid)).restarts === restarts, 2_000)
    const before = [...socket.messages]
    const back = await rig.untilState(started.process_uuid, 'running', 20_000)
    expect(back).toMatchObject({ process_uuid: started.process_uuid, error: null, restarts })
    const after = await socket.more(10)
    expect(Math.min(...idsIn(after.slice(2)))).toBeGreaterThan(highestId(before))
  }
  expect(socket.isOpen).toBe(true)
  const sequences = socket.messages.map(({ sequence }) => sequence)
  expect(sequences).toEqual(sequences.map((_, index) => sequences[0]! + index))
  expect(rig.workers()).toHaveLength(1)
})

test('a worker that crashes on a file goes on where it was', async () => {
  const started = await rig.start(await rig.upload(clip))
  const socket = await rig.connect(started)
  await socket.more(10)
  process.kill(rig.workers()[0]!, 'SIGKILL')
  await until(async () => (await rig.info(started.process_uuid)).restarts === 1, 2_000)
  await rig.untilState(started.process_uuid, 'running', 20_000)
  await socket.more(5)
  const positions = socket.messages.map(({ frame }) => Math.round(frame.pts * 7))
  expect(positions).toEqual(positions.map((_, index) => positions[0]! + index))
  const { started_at: startedAt } = await rig.info(started.process_uuid)
  const { timestamp, frame } = socket.messages.at(-1)!
  expect(Math.abs(Date.parse(timestamp) - Date.parse(startedAt!) - frame.pts * 1000)).toBeLessThanOrEqual(2)
})

test('a lost source is waited for: short losses keep the ids, longer ones begin anew', async () => {
  // People who stand still, so that they are where they were.
  const still = join(rig.folder, 'still.mp4')
  const hold = ['-vf', 'select=eq(n\\,80),loop=-1:1:0,setpts=N/10/TB', '-r', '10', '-t', '60']
  await startTool('ffmpeg', ['-y', '-i', clip, ...hold, '-g', '5', '-preset', 'ultrafast', still]).finished
  const input = ['-re', '-i', still, '-c', 'copy']
  const { sourceId, publisher } = await rig.goLive('loss', { input })
  const started = await rig.start(sourceId)
  const id = started.process_uuid
  const socket = await rig.connect(started)
  const known = new Set(idsIn((await socket.more(25)).slice(-5)))
  expect(known.size).toBeGreaterThanOrEqual(3)

  await publisher.kill()
  const second = rig.publish('loss', { input })
  await until(async () => (await rig.info(id)).state === 'reconnecting', 3_000)
  await rig.untilState(id, 'running', 20_000)
  const kept = new Set(idsIn(await socket.more(10)))
  expect([...known].filter((one) => kept.has(one)).length).toBeGreaterThanOrEqual(known.size - 1)

  const highest = highestId(socket.messages)
  await second.kill()
  const lost = await rig.untilState(id, 'reconnecting', 2_000)
  expect(lost.error).toMatch(/^[A-Z].*\.$/)
  const consumed = lost.stats.consumed_seconds
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  expect(await rig.info(id)).toMatchObject({ state: 'reconnecting', stats: { consumed_seconds: consumed } })
  rig.publish('loss', { input })
  const back = await rig.untilState(id, 'running', 20_000)
  expect(back).toMatchObject({ process_uuid: id, error: null, restarts: 0, source_uuid: sourceId })
  const anew = await socket.more(15)
  expect(Math.min(...idsIn(anew))).toBeGreaterThan(highest)
})

test('a publisher that stalls is lost until something new comes: what came before is not seen again', async () => {
  const { sourceId, publisher } = await rig.goLive('stall')
  const started = await rig.start(sourceId)
  const id = started.process_uuid
  const socket = await rig.connect(started)
  await socket.more(10)
  publisher.process.kill('SIGSTOP')
  await rig.untilState(id, 'reconnecting', 20_000)
  const seen = socket.messages.length
  // The worker comes back to the path, gets the last pictures again, and waits, until the media server gives the publisher up.
  const states = new Set<string>()
  await until(async () => {
    const { state, error } = await rig.info(id)
    states.add(state)
    return error === 'Nothing is being published to it now.'
  }, 30_000)
  expect([...states]).toEqual(['reconnecting'])
  expect(socket.messages).toHaveLength(seen)
  await publisher.kill()
  rig.publish('stall')
  await rig.untilState(id, 'running', 12_000)
  await socket.more(10)
}, 90_000)

test('packets of which no picture can be made are no stream: it is lost, and not charged', async () => {
  const good = join(rig.folder, 'good.h264')
  const encode = ['-t', '6', '-r', '10', '-g', '10', '-bf', '0', '-preset', 'ultrafast', '-x264-params', 'aud=1']
  await startTool('ffmpeg', ['-y', '-i', clip, ...encode, '-f', 'h264', good]).finished
  // A delimiter, and a keyframe by parameters that do not exist: slice 0 of type 7 with set 200.
  const garbage = Buffer.from([0, 0, 0, 1, 0x09, 0xf0, 0, 0, 0, 1, 0x65, 0x88, 0x01, 0x92, ...Buffer.alloc(600, 0xaa)])
  const mixed = join(rig.folder, 'mixed.h264')
  writeFileSync(mixed, Buffer.concat([readFileSync(good), ...Array.from({ length: 600 }, () => garbage)]))

  const input = ['-re', '-framerate', '10', '-f', 'h264', '-i', mixed, '-c', 'copy']
  const { sourceId } = await rig.goLive('garbage', { input })
  const { process_uuid: id } = await rig.start(sourceId)
  const lost = await rig.untilState(id, 'reconnecting', 30_000)
  expect(lost).toMatchObject({ error: 'Packets come, but no picture can be made of them.' })
  const { consumed_seconds: consumed } = lost.stats
  const states = new Set<string>()
  for (let second = 0; second < 8; second++) {
    states.add((await rig.info(id)).state)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
  expect([...states]).toEqual(['reconnecting'])
  expect((await rig.info(id)).stats.consumed_seconds).toBe(consumed)
}, 90_000)

test('what ran when the service was killed goes on after its restart, charged once', async () => {
  const { sourceId, publisher } = await rig.goLive('kill')
  const live = await rig.start(sourceId)
  const file = await rig.start(await rig.upload(clip))
  const socket = await rig.connect(live)
  await socket.more(45)
  const { stats } = await rig.info(live.process_uuid)
  const workers = rig.workers()
  expect(workers).toHaveLength(2)

  await rig.service.stop('SIGKILL')
  await publisher.kill()
  await until(async () => !workers.some(isRunning), 6_000)

  await rig.restart()
  expect(await rig.info(file.process_uuid)).toMatchObject({
    state: 'failed',
    stop_reason: 'service-restart',
    error: expect.stringContaining('start it again') as string,
  })
  expect(await rig.info(live.process_uuid)).toMatchObject({ state: 'reconnecting', source_uuid: sourceId })
  rig.publish('kill')
  const back = await rig.untilState(live.process_uuid, 'running', 12_000)
  expect(back.restarts).toBe(0)
  const lostSeconds = stats.consumed_seconds - back.stats.consumed_seconds
  expect(lostSeconds).toBeGreaterThanOrEqual(-1)
  expect(lostSeconds).toBeLessThanOrEqual(6)

  const url = live.detection_data_url.replace(/^ws:\/\/[^/]*/, rig.service.url.replace('http', 'ws'))
  const again = await rig.connect({ detection_data_url: url })
  const messages = await again.more(12)
  expect(messages[0]!.process_uuid).toBe(live.process_uuid)
  expect(Math.min(...idsIn(messages))).toBeGreaterThan(highestId(socket.messages))

  // Nothing was charged twice: the ledger agrees with the processes, which show whole seconds of what it counts exactly.
  await rig.ask('DELETE', '/processes')
  const [a, b] = await Promise.all([rig.info(live.process_uuid), rig.info(file.process_uuid)])
  const info = await rig.ask<{ subscription: { consumed_minutes: number } }>('GET', '/user_info')
  const others = await rig.ask<{ stats: { consumed_seconds: number } }[]>('GET', '/processes')
  const total = others.reduce((sum, one) => sum + one.stats.consumed_seconds, 0)
  expect(a.stats.consumed_seconds + b.stats.consumed_seconds).toBeGreaterThan(5)
  const fractions = info.subscription.consumed_minutes * 60 - total
  expect(fractions).toBeGreaterThanOrEqual(-2.5)
  expect(fractions).toBeLessThanOrEqual(others.length + 2.5)
})

test('a pause outlasts a restart of the service', async () => {
  const { sourceId, publisher } = await rig.goLive('paused')
  const { process_uuid: id } = await rig.start(sourceId)
  await rig.ask('POST', `/process/${id}/pause`)
  expect(await rig.service.stop('SIGTERM')).toBe(0)
  await publisher.kill()
  await rig.restart()
  rig.publish('paused')
  expect(await rig.info(id)).toMatchObject({ state: 'paused' })
  await until(async () => (await rig.ask<{ status: string }>('GET', `/source/${sourceId}`)).status !== 'offline', 5_000)
  // What was wrong while the source was away is no longer.
  await until(async () => (await rig.info(id)).error === null, 12_000)
  expect(await rig.info(id)).toMatchObject({ state: 'paused' })
  await rig.ask('POST', `/process/${id}/resume`)
  await rig.untilState(id, 'running', 12_000)
})
