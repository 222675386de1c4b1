import { beforeEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess, aScene, aStats } from '../../test/builders/process.ts'
import { createBus } from '../core/bus.ts'
import { type AppEvents } from '../core/events.ts'
import { createLog } from '../observe/log.ts'
import { createProcessEvents, type ProcessEvents } from './process-events.ts'

const running = aProcess({ state: 'running' })

let events: ProcessEvents
let emitted: unknown[]
let calls: string[]
let logged: object[]
beforeEach(() => {
  emitted = []
  calls = []
  logged = []
  const bus = createBus<AppEvents>(() => {})
  bus.on('process-state', (change) => void emitted.push(change))
  bus.on('scene', ({ process }) => void emitted.push(process))
  events = createProcessEvents({
    bus,
    channel: {
      onScene: () => void calls.push('scene'),
      onMinutesLow: () => void calls.push('minutes low'),
      onEnd: () => void calls.push('end'),
    },
    lookAt: ({ state }) => void calls.push(`status ${state}`),
    speeds: { note: async (model, threads) => void calls.push(`speed of ${model} with ${threads}`) },
    inferenceThreads: 2,
    clock: createFakeClock(),
    log: createLog({ level: 'info', write: (line) => void logged.push(JSON.parse(line) as object) }),
  })
})

test('a scene goes to the clients, and to the other features with what they may know of its process', () => {
  events.onScene(running, aScene())
  expect(calls).toEqual(['scene'])
  const { id: processId, accountId, sourceId, sourceUrl } = running
  expect(emitted).toEqual([{ processId, accountId, sourceId, sourceUrl, isReported: false }])
})

test('another state of a live process is only announced', () => {
  events.onState({ ...running, error: 'Lost.', state: 'reconnecting' }, running)
  expect(emitted).toMatchObject([
    { state: 'reconnecting', previousState: 'running', isLive: true, reason: 'Lost.', restarts: 0 },
  ])
  expect(calls).toEqual(['status reconnecting'])
  expect(logged).toMatchObject([{ process_uuid: running.id, state: 'reconnecting', reason: 'Lost.' }])
})

test('at the end its clients are closed, and the speed of its model is kept', () => {
  events.onState({ ...running, state: 'stopped', stopReason: 'requested', stats: aStats() }, running)
  expect(emitted).toMatchObject([{ state: 'stopped', isLive: false, reason: 'requested' }])
  expect(calls).toEqual(['status stopped', 'end', 'speed of fast with 2'])
})

test('that minutes are low is passed on as often as it is said, and logged once until there are more', () => {
  const low = { accountId: 'a', processIds: ['p'], lastsSeconds: 60 }
  for (const [remainingSeconds, allottedSeconds] of [
    [60, 100],
    [55, 100],
    [50, 100],
    [50, 200],
    [45, 200],
  ] as const)
    events.onMinutesLow({ ...low, remainingSeconds, allottedSeconds })
  expect(calls).toHaveLength(5)
  expect(logged.map((line) => (line as { msg: string }).msg)).toEqual(
    Array(2).fill('a key has less than a day of minutes left'),
  )
})
