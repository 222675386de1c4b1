import { beforeEach, describe, expect, test } from 'vitest'
import { aProcess, aScene, aStats, createFakeWorkers } from '../../test/builders/process.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { createLog } from '../observe/log.ts'
import { type PipelineOrder, type PipelineReport } from '../pipeline/messages.ts'
import { type ProcessMessage, type Progress, startWorkerSequence, type WorkerSequence } from './worker-sequence.ts'
import { type WorkerSettings } from './worker-settings.ts'

const output: VideoOutput = { id: 'o', lines: null, target: { kind: 'rtmp', url: 'rtmp://host/app' } }
const running: PipelineReport = {
  type: 'running',
  video: { codec: 'h264', width: 2, height: 2, fps: null },
  startedAtMs: 1,
}
const stats = (droppedFrames: number): PipelineReport => ({
  type: 'stats',
  stats: aStats({ droppedFrames, decodeErrors: 1 }),
})
const sending = (outputId: string): PipelineReport => ({ type: 'output', outputId, state: 'sending', sentence: null })

let workers: WorkerSequence
let fake: ReturnType<typeof createFakeWorkers>
let orders: (Progress & WorkerSettings)[]
let messages: ProcessMessage[]
let signs: number
let crashes: number
let ending: AbortController
beforeEach(() => {
  orders = []
  fake = createFakeWorkers()
  messages = []
  signs = 0
  crashes = 0
  ending = new AbortController()
  workers = startWorkerSequence(aProcess({ lastTrackId: 100 }), [output], {
    isResting: false,
    onLaunched: () => {},
    launch: fake.launch,
    order(progress, settings) {
      orders.push({ ...progress, ...settings })
      return {} as PipelineOrder
    },
    onSign: () => void signs++,
    onMessage: (message) => void messages.push(message),
    onCrash: () => void crashes++,
    log: createLog({ level: 'silent', write: () => {} }),
    signal: ending.signal,
  })
})
const receive = (...messages: PipelineReport[]) => fake.receive(...messages)

test('the next worker goes on from where the last one was, with what that was sent', () => {
  receive(running, { type: 'scene', scene: aScene({ ids: [107, 103], ptsSeconds: 3 }) })
  workers.send({ type: 'feed', isWanted: true })
  workers.relaunch()
  expect(fake.sent).toEqual(['feed'])
  expect(orders).toMatchObject([
    { highestTrackId: 100, ptsSeconds: null, outputs: [output], isFeedWanted: false },
    { highestTrackId: 107, ptsSeconds: 3, outputs: [output], isFeedWanted: true },
  ])
})

test('counts of earlier workers are added to what is passed on', () => {
  receive(stats(5), stats(6))
  fake.crash()
  receive(stats(2))
  workers.relaunch()
  receive(stats(1))
  const dropped = messages.map((message) => message.type === 'stats' && message.stats.droppedFrames)
  expect(dropped).toEqual([5, 6, 8, 9])
})

test('the last picture is that of an earlier worker, until the next one has decoded its own', () => {
  const dated = (lastFrameAtMs: number): PipelineReport => ({ type: 'stats', stats: aStats({ lastFrameAtMs }) })
  receive(stats(0), dated(7_000))
  fake.crash()
  receive(stats(0), dated(9_000))
  const times = messages.map((message) => message.type === 'stats' && message.stats.lastFrameAtMs)
  expect(times).toEqual([undefined, 7_000, 7_000, 9_000])
})

test('every message is a sign of life, until the process is being ended', () => {
  receive(running, sending('o'), { type: 'warning', sentence: 'Slow.' }, stats(1))
  expect(signs).toBe(4)
  ending.abort()
  receive(stats(2))
  expect(signs).toBe(4)
})

describe('the status of an output', () => {
  test('is known once its worker has reported it, until it is detached', () => {
    expect(workers.outputStatus('o')).toBeUndefined()
    receive(sending('o'), sending('another'))
    expect(workers.outputStatus('o')).toEqual({ state: 'sending', error: null })
    expect(workers.outputStatus('another')).toBeUndefined()
    workers.send({ type: 'detach', outputId: 'o' })
    receive(sending('o'))
    expect(workers.outputStatus('o')).toBeUndefined()
  })

  test('is an error of the process while one of them has one', () => {
    receive(sending('o'))
    expect(workers.outputError).toBeNull()
    receive({ type: 'output', outputId: 'o', state: 'waiting', sentence: 'Refused.' })
    expect(workers.outputError).toBe('Refused.')
    receive(sending('o'))
    expect(workers.outputError).toBeNull()
  })

  test.each([
    ['crash', () => fake.crash()],
    ['relaunch', () => workers.relaunch()],
  ])('is unknown again after a %s', (_name, lose) => {
    receive(sending('o'))
    lose()
    expect(workers.outputStatus('o')).toBeUndefined()
  })
})

test('one that rests is heard no more, but for its last pictures; the next goes on from where it was', async () => {
  receive(running, { type: 'scene', scene: aScene({ ids: [107] }) })
  const before = messages.length
  await workers.rest()
  fake.receive({ type: 'finished' })
  fake.crash()
  fake.receive({ type: 'track-pictures', pictures: [] })
  expect(messages.slice(before)).toEqual([{ type: 'track-pictures', pictures: [] }])
  expect(crashes).toBe(0)
  workers.send({ type: 'feed', isWanted: true })
  expect(fake.sent).toEqual([])
  workers.wake()
  workers.wake()
  expect(fake.launches()).toBe(2)
  expect(orders.at(-1)).toMatchObject({ highestTrackId: 107, isFeedWanted: true })
})
