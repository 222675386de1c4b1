import { beforeEach, describe, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess } from '../../test/builders/process.ts'
import { createLog } from '../observe/log.ts'
import { createMeter, type Meter } from './meter.ts'
import { type Process } from './process.ts'
import {
  initialCondition,
  isRunning,
  type ProcessCondition,
  type ProcessStatus,
  startProcessStatus,
  stateOf,
} from './process-status.ts'

let clock: FakeClock
let meter: Meter
let status: ProcessStatus
let process: Process
let charged: number[]
let remainingSeconds: number
let isEmpty: boolean
let ending: AbortController
beforeEach(async () => {
  clock = createFakeClock()
  meter = createMeter(clock, 0)
  process = aProcess()
  charged = []
  remainingSeconds = 100
  isEmpty = false
  ending = new AbortController()
  status = startProcessStatus({
    record: {
      get current() {
        return process
      },
      change: (changes) => void (process = { ...process, ...changes }),
    },
    meter,
    async charge(_process, totalMs) {
      charged.push(totalMs)
      return { isUnlimited: false, remainingSeconds, consumedSeconds: 0, pendingSeconds: 0 }
    },
    onEmpty: () => void (isEmpty = true),
    clock,
    log: createLog({ level: 'silent', write: () => {} }),
    signal: ending.signal,
  })
  await clock.advance(0)
})

async function run(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    meter.noteSign()
    await clock.advance(1_000)
  }
}

test('the meter runs while the process does, and what it shows is charged at each interruption', async () => {
  await run(3)
  status.update({ link: 'running', trouble: null })
  expect(process).toMatchObject({ state: 'running', error: null })
  await run(4)
  status.update({ link: 'reconnecting', trouble: 'Lost.' })
  expect(process).toMatchObject({ state: 'reconnecting', error: 'Lost.' })
  await run(4)
  expect([meter.ms, charged.at(-1)]).toEqual([4_000, 4_000])
})

test('a pause stops the meter, and what is wrong stays known', async () => {
  status.update({ link: 'running', trouble: null })
  status.update({ isPaused: true })
  await run(4)
  expect([meter.ms, process.state]).toEqual([0, 'paused'])
  status.update({ link: 'reconnecting', trouble: 'Lost.' })
  status.update({ isPaused: false })
  expect(process).toMatchObject({ state: 'reconnecting', error: 'Lost.' })
})

test('the end of the minutes is reported', async () => {
  status.update({ link: 'running' })
  remainingSeconds = 0
  await run(6)
  expect(isEmpty).toBe(true)
})

test('while it ends nothing changes its state, and what was used last is charged', async () => {
  status.update({ link: 'running' })
  await run(2)
  ending.abort()
  status.update({ link: 'reconnecting', trouble: 'Lost.' })
  expect(process.state).toBe('running')
  status.stopMeter()
  await status.charge()
  expect(charged.at(-1)).toBe(2_000)
})

describe('the condition of a process', () => {
  const link = (change: Partial<ProcessCondition>): ProcessCondition => ({
    link: 'running',
    trouble: null,
    isPaused: false,
    ...change,
  })

  test.each([
    { condition: link({ link: 'starting' }), state: 'starting', runs: false },
    { condition: link({}), state: 'running', runs: true },
    { condition: link({ isPaused: true }), state: 'paused', runs: false },
    { condition: link({ link: 'reconnecting', trouble: 'Lost.' }), state: 'reconnecting', runs: false },
    { condition: link({ link: 'reconnecting', isPaused: true }), state: 'paused', runs: false },
  ])('$condition.link, paused: $condition.isPaused is $state', ({ condition, state, runs }) => {
    expect([stateOf(condition), isRunning(condition)]).toEqual([state, runs])
  })

  const later = { options: { ...aProcess().options, begins: 'each-time-live' } } as const
  test.each<{ change: Partial<Process>; expected: Partial<ProcessCondition> }>([
    { change: { state: 'starting' }, expected: { link: 'starting', trouble: null, isPaused: false } },
    { change: { state: 'running', startedAt: 5 }, expected: { link: 'reconnecting', isPaused: false } },
    { change: { state: 'paused', startedAt: 5 }, expected: { link: 'reconnecting', isPaused: true } },
    { change: { ...later, state: 'waiting' }, expected: { link: 'waiting', trouble: null, isPaused: false } },
    { change: { ...later, state: 'starting' }, expected: { link: 'waiting', isPaused: false } },
    { change: { ...later, state: 'paused' }, expected: { link: 'waiting', isPaused: true } },
    { change: { ...later, state: 'waiting', startedAt: 5 }, expected: { link: 'waiting' } },
    { change: { ...later, state: 'running', startedAt: 5 }, expected: { link: 'reconnecting' } },
  ])('one that was $change.state begins as $expected.link', ({ change, expected }) => {
    expect(initialCondition(aProcess(change))).toMatchObject(expected)
  })
})
