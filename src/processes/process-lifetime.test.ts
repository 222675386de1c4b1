import { beforeEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess } from '../../test/builders/process.ts'
import { AppError } from '../core/errors.ts'
import { type Process } from './process.ts'
import { createProcessLifetime, type ProcessLifetime } from './process-lifetime.ts'

let lifetime: ProcessLifetime
let steps: string[]
let process: Process
/** How often it is waited for the end to be written before it is. */
let failures: number
beforeEach(() => {
  steps = []
  failures = 0
  process = aProcess({ state: 'running' })
  lifetime = createProcessLifetime({
    record: {
      get current() {
        return process
      },
      change(changes) {
        process = { ...process, ...changes }
        steps.push(process.state)
      },
      flush: async () => void steps.push('flush'),
      seal: () => void steps.push('seal'),
      get writeFailure() {
        return steps.filter((step) => step === 'flush').length < failures ? new Error('locked') : undefined
      },
    },
    clock: createFakeClock(5_000),
  })
  lifetime.onRelease(async () => void steps.push('release'))
})

test('a stop is visible at once, and written when everything is released', async () => {
  const stopped = lifetime.end({ state: 'stopped', stopReason: 'requested' })
  expect(lifetime.signal.aborted).toBe(true)
  // Should we be killed, the next service writes the end with it.
  expect(process).toMatchObject({ state: 'stopping', stopReason: 'requested' })
  await stopped
  await lifetime.ended
  expect(steps).toEqual(['stopping', 'release', 'stopped', 'flush'])
  expect(process).toMatchObject({ stopReason: 'requested', error: null, stoppedAt: 5_000 })
  await expect(lifetime.started).rejects.toMatchObject({ code: 'process-not-live' })
})

test('the first end counts, and a later one waits for it', async () => {
  const first = lifetime.end({ state: 'failed', stopReason: 'source-lost', error: 'Lost.' })
  await Promise.all([first, lifetime.end({ state: 'stopped', stopReason: 'requested' })])
  expect(steps).toEqual(['release', 'failed', 'flush'])
  expect(process).toMatchObject({ stopReason: 'source-lost', error: 'Lost.' })
})

test('a start that failed is answered with its refusal, before all is released', async () => {
  const refusal = new AppError('source-not-live', { reason: 'Nothing.' })
  void lifetime.end({ state: 'failed', stopReason: 'source-not-live', refusal })
  await expect(lifetime.started).rejects.toBe(refusal)
})

test('a process that has started keeps that answer', async () => {
  lifetime.markStarted()
  await lifetime.end({ state: 'finished', stopReason: 'source-ended' })
  await expect(lifetime.started).resolves.toBeUndefined()
})

test('a service that closes leaves the process in its state', async () => {
  await lifetime.leave()
  expect(steps).toEqual(['release', 'running', 'flush'])
  await expect(lifetime.started).rejects.toMatchObject({ code: 'shutting-down' })
})

test('a service that closes tries once more to write an end that could not be written', async () => {
  failures = 2
  await lifetime.end({ state: 'failed', stopReason: 'source-lost' })
  await lifetime.leave()
  expect(steps).toEqual(['release', 'failed', 'flush', 'flush', 'flush'])
})

test('who asks for one that ended by itself is told when that could not be written yet', async () => {
  failures = 100
  void lifetime.end({ state: 'failed', stopReason: 'source-lost' })
  await expect(lifetime.endWritten({ state: 'stopped', stopReason: 'requested' })).rejects.toThrow('locked')
  await lifetime.written
  await lifetime.endWritten({ state: 'stopped', stopReason: 'requested' })
  expect(process).toMatchObject({ state: 'failed', stopReason: 'source-lost' })
})

test('an end that can not be written for long has come all the same, and is said to be written only when it is', async () => {
  failures = 3
  const heard: string[] = []
  void lifetime.written.then(() => heard.push('written'))
  void lifetime.ended.then(() => heard.push('ended'))
  await lifetime.end({ state: 'stopped', stopReason: 'requested' })
  await lifetime.written
  expect(heard).toEqual(['ended', 'written'])
  expect(steps).toEqual(['stopping', 'release', 'stopped', 'flush', 'flush', 'flush'])
})

test('one that is handed over is left in its state, and nothing of it is written once everything is', async () => {
  failures = 3
  const heard: string[] = []
  void lifetime.gone.then(() => heard.push('gone'))
  void lifetime.ended.then(() => heard.push('ended'))
  await lifetime.handOver()
  expect(steps).toEqual(['release', 'running', 'flush', 'flush', 'flush', 'seal'])
  await lifetime.gone
  expect(heard).toEqual(['gone'])
  // A service that closes meanwhile does not leave it twice.
  await lifetime.leave()
  expect(steps.at(-1)).toBe('seal')
})

test('a stop of one that is being handed over is refused, to be tried where it is then', async () => {
  const handedOver = lifetime.handOver()
  await expect(lifetime.endWritten({ state: 'stopped', stopReason: 'requested' })).rejects.toMatchObject({
    code: 'process-moving',
  })
  await handedOver
  expect(process.state).toBe('running')
})

test('one that ends while it is to be handed over has ended', async () => {
  const stopped = lifetime.endWritten({ state: 'stopped', stopReason: 'requested' })
  await lifetime.handOver()
  await stopped
  expect(steps).toEqual(['stopping', 'release', 'stopped', 'flush', 'flush', 'seal'])
})
