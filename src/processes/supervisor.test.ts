import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess } from '../../test/builders/process.ts'
import { DEFAULT_PICTURE_LIMIT } from '../core/picture-limit.ts'
import { createDeferred } from '../core/deferred.ts'
import { createLog } from '../observe/log.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { type PipelineOrder, type ToWorker } from '../pipeline/messages.ts'
import { type WorkerEvents } from './pipeline-worker.ts'
import { createSupervisor, type Supervisor } from './supervisor.ts'

const process = aProcess()
const target = { kind: 'hub', path: 'ann/out' } as const
const running = { type: 'running', video: { codec: 'h264', width: 2, height: 2, fps: null }, startedAtMs: 1 } as const

let supervisor: Supervisor
let worker: WorkerEvents
let orders: PipelineOrder[]
let sent: ToWorker[]
let granted: Set<string>
let isDatabaseAway: boolean
let onUpdate: () => Promise<void>
let clock: FakeClock
beforeEach(() => {
  isDatabaseAway = false
  onUpdate = async () => {}
  clock = createFakeClock()
  orders = []
  sent = []
  granted = new Set()
  const ignore = () => {}
  supervisor = createSupervisor({
    options: {
      maxPicture: DEFAULT_PICTURE_LIMIT,
      modelCacheDir: '',
      inferenceThreads: 1,
      provider: 'cpu',
      reconnectMs: null,
    },
    launch(_process, events) {
      worker = events
      const order = () => void orders.push(events.order())
      order()
      const relaunch = async () => order()
      return { send: (command) => void sent.push(command), relaunch, stop: async () => {} }
    },
    store: {
      async update() {
        await onUpdate()
        if (isDatabaseAway) throw new Error('locked')
      },
    },
    ledger: {
      charge: async () => ({ isUnlimited: false, remainingSeconds: 9, consumedSeconds: 0, pendingSeconds: 0 }),
    },
    grant(action, path) {
      const url = `${action} ${path}`
      granted.add(url)
      return { url, revoke: () => void granted.delete(url) }
    },
    isPathLive: () => false,
    onScene: ignore,
    onState: ignore,
    onPicture: ignore,
    onScenePicture: ignore,
    onTrackPictures: ignore,
    shortage: () => null,
    clock,
    log: createLog({ level: 'silent', write: ignore }),
  })
})

function start() {
  const spec = { input: { kind: 'hub', path: 'ann/cam' }, telemetry: null, outbound: OPERATOR_RULES } as const
  return supervisor.launch(process, spec, [{ id: 'first', lines: null, target }])
}

describe('a worker', () => {
  test('is given addresses where others know paths, until its process ends', async () => {
    const live = start()
    expect(orders[0]).toMatchObject({
      input: { path: 'ann/cam', url: 'read ann/cam' },
      outputs: [{ id: 'first', target: { url: 'publish ann/out' } }],
    })
    await live.stop('requested')
    expect([...granted]).toEqual([])
  })

  test('gets what is sent to its process, and the next one starts with it', () => {
    start()
    worker.onMessage(running)
    const output = { id: 'second', lines: 360, target: { kind: 'rtmp', url: 'rtmp://host/app' } } as const
    supervisor.send(process.id, { type: 'attach', output })
    supervisor.send('somebody else', { type: 'feed', isWanted: true })
    expect(sent).toEqual([{ type: 'attach', output }])
    supervisor.relaunch(process.id)
    expect(orders[1]!.outputs.map(({ id }) => id)).toEqual(['first', 'second'])
  })

  test('tries again when its source is published again', () => {
    start()
    supervisor.pathIsLive('ann/other')
    expect(sent).toEqual([])
    supervisor.pathIsLive('ann/cam')
    expect(sent).toEqual([{ type: 'retry' }])
  })
})

test('only processes that see pictures are readers of a path', () => {
  start()
  expect(supervisor.listReaders('ann/cam')).toEqual([])
  worker.onMessage(running)
  expect(supervisor.listReaders('ann/cam')).toEqual([process.id])
  expect(supervisor.listReaders('ann/out')).toEqual([])
  expect([supervisor.countRunning(), supervisor.listLiveIds()]).toEqual([1, [process.id]])
})

describe('a handler of the end of a process', () => {
  test('is called when it has no supervisor any more, unless it was removed', async () => {
    const live = start()
    const called: unknown[] = []
    supervisor.onEnd(process.id, () => void called.push(supervisor.stateOf(process.id)))
    const leave = supervisor.onEnd(process.id, () => void called.push('left'))
    leave()
    await live.stop('requested')
    expect(called).toEqual([undefined])
  })

  test('is called when the end is written, also where it was set before that', async () => {
    const live = start()
    const writing = createDeferred()
    onUpdate = () => writing.promise
    const stopped = live.stop('requested')
    await clock.advance(0)
    expect(supervisor.stateOf(process.id)).toBe('stopped')
    let isCalled = false
    supervisor.onEnd(process.id, () => void (isCalled = true))
    await clock.advance(0)
    expect(isCalled).toBe(false)
    writing.resolve()
    await stopped
    expect(isCalled).toBe(true)
  })

  test('is called at once where it has ended', async () => {
    await new Promise<void>((resolve) => supervisor.onEnd(process.id, resolve))
  })
})

test('a stop that can not be written is refused, and the process known as stopped until it is', async () => {
  const live = start()
  worker.onMessage(running)
  await clock.advance(0)
  isDatabaseAway = true
  const stopped = expect(live.stop('requested')).rejects.toThrow('locked')
  for (let second = 0; second < 5; second++) await clock.advance(1_000)
  await stopped
  expect([supervisor.stateOf(process.id), supervisor.factsOf(process.id)]).toEqual(['stopped', undefined])
  expect([supervisor.listLiveIds(), supervisor.listReaders('ann/cam'), [...granted]]).toEqual([[], [], []])
  await new Promise<void>((resolve) => supervisor.onEnd(process.id, resolve))
  const again = live.stop('requested')
  await expect(again).rejects.toThrow('locked')
  isDatabaseAway = false
  await clock.advance(5_000)
  await live.written
  await live.stop('requested')
  expect(supervisor.stateOf(process.id)).toBeUndefined()
})

describe('one that is handed over', () => {
  test('is here no more once it is written, and has not ended', async () => {
    const live = start()
    worker.onMessage(running)
    await clock.advance(0)
    const written = createDeferred()
    onUpdate = () => written.promise
    let isGone = false
    supervisor.onEnd(process.id, () => void (isGone = true))
    const handedOver = supervisor.handOver(process.id)
    await clock.advance(0)
    expect([supervisor.findLive(process.id), isGone]).toEqual([live, false])
    written.resolve()
    await handedOver
    expect([supervisor.listLiveIds(), [...granted], isGone]).toEqual([[], [], true])
    expect(live.process.state).toBe('running')
  })

  test('writes nothing more, though its worker still speaks', async () => {
    start()
    worker.onMessage(running)
    await supervisor.handOver(process.id)
    let updates = 0
    onUpdate = async () => void updates++
    worker.onMessage({ type: 'reconnecting', sentence: 'Lost.' })
    worker.onCrash('restart')
    await clock.advance(60_000)
    expect(updates).toBe(0)
  })

  test('may be taken up here again', async () => {
    start()
    worker.onMessage(running)
    await supervisor.handOver(process.id)
    const again = start()
    expect(supervisor.findLive(process.id)).toBe(again)
    expect(orders).toHaveLength(2)
  })
})
