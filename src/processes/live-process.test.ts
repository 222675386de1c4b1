import { describe, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess, aScene, aStats, createFakeWorkers } from '../../test/builders/process.ts'
import { type TrackPicture } from '../core/track-picture.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { createLog } from '../observe/log.ts'
import { type PipelineOrder, type PipelineReport } from '../pipeline/messages.ts'
import { type LiveProcess, startLiveProcess } from './live-process.ts'
import { type Process } from './process.ts'
import { type Progress } from './worker-sequence.ts'

const running: PipelineReport = {
  type: 'running',
  video: { codec: 'h264', width: 200, height: 100, fps: 25 },
  startedAtMs: 77,
}
const pause = { type: 'pause' } as const
const resume = { type: 'resume' } as const
const lost: PipelineReport = { type: 'reconnecting', sentence: 'The stream has ended.' }

/** A process whose worker, ledger and database are the test's. */
function setUp(change: Partial<Process> = {}, secondsLeft = 1_000, hasVideo = false) {
  const clock = createFakeClock()
  const { launch, ...workers } = createFakeWorkers()
  const states: string[] = []
  const pictures: TrackPicture[] = []
  const stored: Process[] = []
  const orders: { process: Process; progress: Progress }[] = []
  let charged = (change.consumedMs ?? 0) / 1000
  let isVideoThere = hasVideo
  let shortage: 'cpu' | 'memory' | null = null
  const live: LiveProcess = startLiveProcess(aProcess(change), [], {
    launch,
    orderFor(process, progress, settings) {
      orders.push({ process, progress })
      return { ...settings } as unknown as PipelineOrder
    },
    isVideoThere: () => isVideoThere,
    store: { update: async (process) => void stored.push(process) },
    async charge(_process, totalMs) {
      const total = totalMs / 1000
      secondsLeft -= Math.max(0, total - charged)
      charged = Math.max(charged, total)
      return { isUnlimited: false, remainingSeconds: secondsLeft, consumedSeconds: charged, pendingSeconds: 0 }
    },
    onScene: () => {},
    onState: ({ state }) => states.push(state),
    onPicture: () => {},
    onScenePicture: () => {},
    onTrackPictures: (_process, more) => pictures.push(...more),
    shortage: () => shortage,
    clock,
    log: createLog({ level: 'silent', write: () => {} }),
  })
  return {
    live,
    clock,
    setShortage: (value: typeof shortage) => void (shortage = value),
    ...workers,
    states,
    pictures,
    stored,
    orders,
    charged: () => charged,
    setVideo: (isThere: boolean) => void (isVideoThere = isThere),
  }
}
type Bench = ReturnType<typeof setUp>

/** A worker that is well speaks every second. */
async function runFor({ clock, receive }: Pick<Bench, 'clock' | 'receive'>, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    receive(running)
    await clock.advance(1_000)
  }
}

test.each<{ name: string; act: (bench: Bench) => void; states: string[]; error: string | null }>([
  { name: 'the first picture', act: ({ receive }) => receive(running), states: ['running'], error: null },
  {
    name: 'a loss of the source',
    act: ({ receive }) => receive(running, lost),
    states: ['running', 'reconnecting'],
    error: 'The stream has ended.',
  },
  {
    name: 'its return',
    act: ({ receive }) => receive(running, lost, running),
    states: ['running', 'reconnecting', 'running'],
    error: null,
  },
  {
    name: 'a pause, twice',
    act: ({ receive, live }) => (receive(running), live.send(pause), live.send(pause)),
    states: ['running', 'paused'],
    error: null,
  },
  {
    name: 'a pause and a resume during a loss',
    act: ({ receive, live }) => (receive(running, lost), live.send(pause), live.send(resume)),
    states: ['running', 'reconnecting', 'paused', 'reconnecting'],
    error: 'The stream has ended.',
  },
  {
    name: 'a loss during a pause',
    act: ({ receive, live }) => (receive(running), live.send(pause), receive(lost), live.send(resume)),
    states: ['running', 'paused', 'reconnecting'],
    error: 'The stream has ended.',
  },
  {
    name: 'a crash',
    act: ({ receive, crash }) => (receive(running), crash()),
    states: ['running', 'reconnecting'],
    error: 'The pipeline crashed. It is being started again.',
  },
  {
    name: 'a crash whose reason is known',
    act: ({ receive, crash }) => (receive(running), crash('restart', 'It took too much memory.')),
    states: ['running', 'reconnecting'],
    error: 'It took too much memory. It is being started again.',
  },
])('the state after $name', ({ act, states, error }) => {
  const bench = setUp()
  act(bench)
  expect(bench.states).toEqual(states)
  expect(bench.live.process).toMatchObject({ state: states.at(-1), error })
})

test('pictures of tracks are passed on, also the last ones of a worker that is being stopped', async () => {
  const { live, receive, pictures } = setUp()
  const picture = (trackId: number): TrackPicture => ({
    trackId,
    role: 'patch',
    slot: 0,
    takenAtMs: 0,
    confidence: 0.5,
    quality: 1,
    jpeg: new Uint8Array(1),
  })
  receive(running, { type: 'track-pictures', pictures: [picture(1)] })
  const stopped = live.stop('requested')
  receive({ type: 'track-pictures', pictures: [picture(2)] })
  await stopped
  expect(pictures.map(({ trackId }) => trackId)).toEqual([1, 2])
})

test('the start is answered with the first picture, and its moment is the worker’s', async () => {
  const { live, receive } = setUp()
  receive(running)
  await live.started
  expect(live.process).toMatchObject({ state: 'running', startedAt: 77 })
  receive({ ...running, startedAtMs: 99 })
  expect(live.process.startedAt).toBe(77)
})

test.each([
  ['source-not-live', 'source-not-live', 400],
  ['source-unreadable', 'source-unreadable', 503],
  ['model-unusable', 'model-unusable', 503],
] as const)('a worker that fails with %s ends the start with %s', async (reason, code, status) => {
  const { live, receive, isStopped } = setUp()
  receive({ type: 'failed', reason, sentence: 'Because.' })
  await expect(live.started).rejects.toMatchObject({ code, status, message: expect.stringContaining('Because.') })
  await live.ended
  expect(isStopped()).toBe(true)
  expect(live.process).toMatchObject({ state: 'failed', stopReason: reason, error: 'Because.' })
})

test('a crash before the first picture ends the start; nobody waits for a second one', async () => {
  const { live, crash } = setUp()
  crash()
  await expect(live.started).rejects.toMatchObject({ code: 'pipeline-failed' })
  await live.ended
  expect(live.process).toMatchObject({ state: 'failed', stopReason: 'pipeline-crashed', restarts: 0 })
})

test('a start without a picture is given up after half a minute', async () => {
  const { live, clock } = setUp()
  await clock.advance(29_999)
  expect(live.process.state).toBe('starting')
  await clock.advance(1)
  await expect(live.started).rejects.toMatchObject({ code: 'source-unreadable' })
  await live.ended
  expect(live.process.state).toBe('failed')
})

test.each([
  ['cpu', 'CPU time'],
  ['memory', 'memory'],
] as const)(
  'a start without a picture on a machine short of %s is machine-full, and not blamed on the source',
  async (shortage, what) => {
    const { live, clock, setShortage } = setUp()
    setShortage(shortage)
    await clock.advance(30_000)
    const message = `No picture was there within 30 seconds: this machine is short of ${what}. Stop a process, or try again later.`
    await expect(live.started).rejects.toMatchObject({ code: 'machine-full', status: 503, message })
  },
)

test('a relaunch goes on from where the worker was, and is no crash', () => {
  const { live, receive, states, orders } = setUp()
  live.relaunch()
  expect(orders).toHaveLength(1)
  receive(running, { type: 'scene', scene: aScene({ ids: [7], ptsSeconds: 3 }) })
  live.relaunch()
  expect(orders).toHaveLength(2)
  expect(orders[1]!.progress).toEqual({ highestTrackId: 7, ptsSeconds: 3 })
  expect(live.process).toMatchObject({ state: 'reconnecting', restarts: 0 })
  receive(running)
  expect(states).toEqual(['running', 'reconnecting', 'running'])
})

test('crashes are counted, and the last one ends it', async () => {
  const { live, receive, crash } = setUp()
  receive(running)
  crash()
  receive(running)
  crash()
  expect(live.process.restarts).toBe(2)
  crash('give-up')
  await live.ended
  expect(live.process).toMatchObject({ state: 'failed', stopReason: 'pipeline-crashed', restarts: 2 })
})

test('the next worker goes on with higher ids, where the last one was, and paused if so', () => {
  const { live, receive, crash, reorder, orders } = setUp()
  receive(running, { type: 'scene', scene: aScene({ ids: [3, 7], ptsSeconds: 1.5 }) })
  live.send(pause)
  crash()
  reorder()
  expect(orders.at(-1)).toMatchObject({
    progress: { highestTrackId: 7, ptsSeconds: 1.5 },
    process: { state: 'paused' },
  })
})

test('the next worker sends to the same outputs, and knows its viewers', () => {
  const { live, receive, crash, reorder } = setUp()
  receive(running)
  const output: VideoOutput = { id: 'o', lines: null, target: { kind: 'hub', path: 'out', url: 'rtsp://hub/out' } }
  const preview = { kind: 'hub', path: 'cam/~preview', url: 'rtsp://hub/cam/~preview' } as const
  live.send({ type: 'attach', output })
  live.send({ type: 'feed', isWanted: true })
  live.send({ type: 'preview', target: preview })
  crash()
  expect(reorder()).toMatchObject({ outputs: [output], isFeedWanted: true, preview })
  live.send({ type: 'detach', outputId: 'o' })
  live.send({ type: 'feed', isWanted: false })
  live.send({ type: 'preview', target: null })
  expect(reorder()).toMatchObject({ outputs: [], isFeedWanted: false, preview: null })
})

test('ids are noted ahead, so that none is given twice after a kill', async () => {
  const { live, receive, stored } = setUp()
  receive(running)
  for (let id = 1; id <= 400; id++) receive({ type: 'scene', scene: aScene({ ids: [id] }) })
  await live.leave()
  for (const { lastTrackId } of stored.slice(-1)) expect(lastTrackId).toBeGreaterThanOrEqual(400)
  expect(live.process.lastTrackId).toBeGreaterThanOrEqual(400)
})

test.each([0, 100])('ids after %i are noted before a worker gives the first of them', async (lastTrackId) => {
  const { clock, stored } = setUp({ lastTrackId })
  await clock.advance(0)
  expect(stored.at(-1)?.lastTrackId).toBe(lastTrackId + 100)
})

test('what crashed workers counted is not forgotten', () => {
  const { live, receive, crash } = setUp()
  const stats = (droppedFrames: number): PipelineReport => ({
    type: 'stats',
    stats: aStats({ droppedFrames, decodeErrors: 1 }),
  })
  receive(running, stats(5))
  crash()
  receive(running, stats(2))
  expect(live.process.stats).toMatchObject({ droppedFrames: 7, decodeErrors: 2 })
})

test('only running time is charged, and noted with the process', async () => {
  const bench = setUp()
  const { live, receive, clock, charged, stored } = bench
  await runFor(bench, 12)
  receive(lost)
  await clock.advance(60_000)
  await runFor(bench, 3)
  live.send(pause)
  await clock.advance(60_000)
  expect(charged()).toBe(15)
  expect(stored.at(-1)).toMatchObject({ consumedMs: 15_000, state: 'paused' })
})

test('a worker that hangs until it is killed is not charged for that', async () => {
  const bench = setUp()
  await runFor(bench, 12)
  await bench.clock.advance(18_000)
  bench.crash()
  await bench.clock.advance(5_000)
  expect(bench.charged()).toBeLessThanOrEqual(13)
  expect(bench.live.process.consumedMs).toBeLessThanOrEqual(13_000)
})

test.each<{ name: string; sign: PipelineReport }>([
  { name: 'a warning', sign: { type: 'warning', sentence: 'Slow.' } },
  { name: 'the status of an output', sign: { type: 'output', outputId: 'o', state: 'sending', sentence: null } },
])('a worker that sends nothing but $name is charged for', async ({ sign }) => {
  const { live, receive, clock, charged } = setUp()
  receive(running)
  for (let second = 0; second < 10; second++) {
    await clock.advance(1_000)
    receive(sign)
  }
  live.send(pause)
  await clock.advance(60_000)
  expect(charged()).toBe(10)
})

test('without minutes it stops by itself', async () => {
  const bench = setUp({}, 7)
  const { live, states, charged } = bench
  await runFor(bench, 12)
  await live.ended
  expect(live.process).toMatchObject({ state: 'stopped', stopReason: 'usage-limit' })
  expect(states).toEqual(['running', 'stopping', 'stopped'])
  expect(charged()).toBeGreaterThanOrEqual(7)
  expect(charged()).toBeLessThanOrEqual(11)
})

test('stopping ends all: worker, clients, a start that is waited for', async () => {
  const { live, isStopped, states, receive } = setUp()
  await live.stop('requested')
  expect(isStopped()).toBe(true)
  expect(states).toEqual(['stopping', 'stopped'])
  await expect(live.started).rejects.toMatchObject({ code: 'process-not-live', status: 409 })
  receive(running, lost)
  expect(live.process).toMatchObject({ state: 'stopped', stopReason: 'requested' })
})

test('a file that has ended is finished', async () => {
  const { live, receive, states } = setUp({ sourceType: 'file' })
  receive(running, { type: 'finished' })
  await live.ended
  expect(states).toEqual(['running', 'finished'])
  expect(live.process).toMatchObject({ stopReason: 'source-ended', error: null })
})

test('when the service goes, the process stays as it was', async () => {
  const bench = setUp()
  const { live, stored, isStopped, charged } = bench
  await runFor(bench, 3)
  await live.leave()
  expect(isStopped()).toBe(true)
  expect(stored.at(-1)).toMatchObject({ state: 'running', stoppedAt: null, consumedMs: 3_000 })
  expect(charged()).toBe(3)
})

test.each(['running', 'reconnecting'] as const)(
  'one that was %s when the service ended has to connect again',
  (state) => {
    const { live, states, orders } = setUp({ state, startedAt: 5, lastTrackId: 100, consumedMs: 60_400 })
    expect(live.process).toMatchObject({ state: 'reconnecting', startedAt: 5, consumedMs: 60_400 })
    expect(live.process.error).toMatch(/service was restarted/)
    expect(states).toEqual(state === 'running' ? ['reconnecting'] : [])
    expect(orders[0]!.progress).toEqual({ highestTrackId: 100, ptsSeconds: null })
  },
)

test('one that was paused when the service ended is still paused', () => {
  const { live, orders } = setUp({ state: 'paused', startedAt: 5 })
  expect(live.process.state).toBe('paused')
  expect(orders[0]!.process.state).toBe('paused')
})

test('a pause before the first picture begins after it', async () => {
  const { live, sent, receive, orders } = setUp()
  live.send(pause)
  expect([sent, orders[0]!.process.state]).toEqual([[], 'starting'])
  receive(running)
  await live.started
  expect([sent, live.process.state]).toEqual([['pause'], 'paused'])
})

describe('a process that waits for its video', () => {
  const gone: PipelineReport = { type: 'failed', reason: 'source-not-live', sentence: 'Nothing is being published.' }
  const landed: PipelineReport = { type: 'failed', reason: 'source-lost', sentence: 'The source did not come back.' }
  const waiting = (begins: 'when-live' | 'each-time-live', change: Partial<Process> = {}) =>
    setUp({ state: 'waiting', options: { ...aProcess().options, begins }, ...change })

  test('has no worker and costs nothing until video comes, and begins by itself then', async () => {
    const bench = waiting('when-live')
    await bench.clock.advance(3_600_000)
    expect(bench.launches()).toBe(0)
    bench.live.onVideo()
    expect(bench.live.process).toMatchObject({ state: 'starting', consumedMs: 0 })
    bench.receive(running)
    expect(bench.states).toEqual(['starting', 'running'])
    expect(bench.live.isConnected).toBe(true)
  })

  test('begins at once when video is there already', () => {
    const bench = setUp({ state: 'waiting', options: { ...aProcess().options, begins: 'when-live' } }, 1_000, true)
    expect(bench.launches()).toBe(1)
    expect(bench.live.process.state).toBe('starting')
  })

  test('waits again when the video is gone before its first picture', async () => {
    const bench = waiting('when-live')
    bench.live.onVideo()
    bench.receive(gone)
    await bench.clock.advance(0)
    expect(bench.live.process).toMatchObject({ state: 'waiting', error: null })
    expect(bench.isStopped()).toBe(true)
    await bench.clock.advance(10_000)
    bench.live.onVideo()
    expect(bench.launches()).toBe(2)
  })

  test('with again, waits for the next video after the last; its tracks are counted on', async () => {
    const bench = waiting('each-time-live')
    bench.live.onVideo()
    bench.receive(running, { type: 'scene', scene: aScene({ ids: [7] }) }, landed)
    await bench.clock.advance(0)
    await bench.clock.advance(5_000)
    expect(bench.live.process.state).toBe('waiting')
    bench.live.onVideo()
    bench.receive(running)
    expect(bench.states).toEqual(['starting', 'running', 'waiting', 'starting', 'running'])
    expect(bench.orders.at(-1)?.progress.highestTrackId).toBe(7)
  })

  test('without again, fails like any other when its video is lost for good', async () => {
    const bench = waiting('when-live')
    bench.live.onVideo()
    bench.receive(running, landed)
    await bench.live.ended
    expect(bench.live.process).toMatchObject({ state: 'failed', stopReason: 'source-lost' })
  })

  test('video that came while the last worker ended is not missed', async () => {
    const bench = waiting('each-time-live')
    bench.live.onVideo()
    bench.receive(running, landed)
    bench.setVideo(true)
    bench.live.onVideo()
    expect(bench.launches()).toBe(1)
    await bench.clock.advance(0)
    await bench.clock.advance(5_000)
    expect(bench.launches()).toBe(2)
  })

  test('video without pictures is given up in time, said, and tried again', async () => {
    const bench = waiting('when-live')
    bench.setVideo(true)
    bench.live.onVideo()
    await bench.clock.advance(30_000)
    expect(bench.live.process.state).toBe('waiting')
    expect(bench.live.process.error).toMatch(/^No picture/)
    await bench.clock.advance(10_000)
    expect(bench.launches()).toBe(2)
  })

  test('one whose first picture comes late, as on a busy machine, has more time at each start until it does', async () => {
    const bench = waiting('each-time-live')
    bench.setVideo(true)
    bench.live.onVideo()
    await bench.clock.advance(30_000)
    await bench.clock.advance(10_000)
    await bench.clock.advance(59_000)
    expect(bench.live.process.state).toBe('starting')
    bench.receive(running)
    await bench.clock.advance(1_000)
    expect(bench.live.process.state).toBe('running')
    expect(bench.launches()).toBe(2)

    bench.receive(landed)
    await bench.clock.advance(0)
    await bench.clock.advance(10_000)
    expect(bench.live.process.state).toBe('starting')
    await bench.clock.advance(30_000)
    expect(bench.live.process.state).toBe('waiting')
  })

  test('a crash before its first picture is no end', () => {
    const bench = waiting('when-live')
    bench.live.onVideo()
    bench.crash('restart')
    expect(bench.live.process).toMatchObject({ state: 'reconnecting', restarts: 1 })
  })

  test('a pause while it waits holds from its first picture on', () => {
    const bench = waiting('when-live')
    bench.live.send(pause)
    expect(bench.live.process.state).toBe('paused')
    bench.live.onVideo()
    bench.receive(running)
    expect(bench.sent).toContain('pause')
    expect(bench.live.process.state).toBe('paused')
  })

  test('a pause that is over before its first picture leaves nothing behind', () => {
    const bench = waiting('when-live')
    bench.live.send(pause)
    bench.live.onVideo()
    bench.live.send(resume)
    bench.receive(running)
    expect(bench.sent).not.toContain('pause')
    expect(bench.live.process.state).toBe('running')
  })

  test('stops at once; a worker that is still ending is waited for', async () => {
    const bench = waiting('each-time-live')
    await bench.live.stop('requested')
    expect(bench.live.process.state).toBe('stopped')
  })
})

test.each(['when-live', 'each-time-live'] as const)(
  'one that was about to begin when the service ended waits again (%s)',
  (begins) => {
    const { live } = setUp({ state: 'starting', options: { ...aProcess().options, begins } })
    expect(live.process.state).toBe('waiting')
  },
)

describe('its last picture', () => {
  test('gets older while none comes, by the time that its worker gave it', async () => {
    const { live, clock, receive } = setUp()
    expect(live.vitals().lastFrame).toBeNull()
    receive(running)
    const lastFrameAtMs = clock.now() - 300
    receive({ type: 'stats', stats: aStats({ lastFrameAtMs }) })
    await clock.advance(5_000)
    receive({ type: 'stats', stats: aStats({ lastFrameAtMs }) })
    expect(live.vitals().lastFrame).toEqual({ atMs: lastFrameAtMs, ageMs: 5_300 })
  })

  test('is of now when pictures come again', async () => {
    const { live, clock, receive } = setUp()
    receive(running)
    receive({ type: 'stats', stats: aStats({ lastFrameAtMs: clock.now() }) })
    receive({ type: 'reconnecting', sentence: 'Lost.' })
    await clock.advance(60_000)
    expect(live.vitals().lastFrame?.ageMs).toBe(60_000)
    receive(running)
    expect(live.vitals().lastFrame?.ageMs).toBe(0)
  })

  test('is known from before a restart of the service', () => {
    const lastFrameAtMs = Date.UTC(2026, 0, 1) - 60_000
    const { live } = setUp({ state: 'running', startedAt: 1, stats: aStats({ lastFrameAtMs }) })
    expect(live.vitals().lastFrame).toEqual({ atMs: lastFrameAtMs, ageMs: 60_000 })
  })
})
