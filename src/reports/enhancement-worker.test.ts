import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createScriptedWorker } from '../../test/support/report-rig.ts'
import { nothingFound } from '../enhance/messages.ts'
import { createEnhancementWorker, type EnhancementWorker, WorkerDied, WorkerUnusable } from './enhancement-worker.ts'

let clock: FakeClock
let worker: ReturnType<typeof createScriptedWorker>
let enhancer: EnhancementWorker
beforeEach(() => {
  clock = createFakeClock()
  worker = createScriptedWorker()
  enhancer = createEnhancementWorker({ launch: worker.launch, clock })
})
afterEach(() => enhancer.close())

const track = { className: 'car', pictures: [] }

test('one worker does all, and is let go when nobody needs it', async () => {
  await enhancer.start()
  expect(await enhancer.enhance(track)).toMatchObject({ data: { vehicle_type: 'car' } })
  worker.answer = () => 'fails'
  expect(await enhancer.enhance(track)).toMatchObject({ unread: expect.stringContaining('damaged') as string })
  expect([worker.launches, worker.stops]).toEqual([1, 0])
  await clock.advance(15_000)
  expect(worker.stops).toBe(1)
  worker.answer = () => nothingFound
  expect(await enhancer.enhance(track)).toEqual({ data: nothingFound, needsPictures: true })
  expect(worker.launches).toBe(2)
})

test('a worker that can’t be used says why', async () => {
  worker.answer = () => 'lacks weights'
  await expect(enhancer.enhance(track)).rejects.toThrow(new WorkerUnusable('The weights are missing.'))
  worker.greeting = 'dies'
  await expect(enhancer.start()).rejects.toBeInstanceOf(WorkerDied)
  worker.greeting = 'ready'
  await enhancer.start()
})

test('a worker that dies, hangs or never listens is replaced at the next request', async () => {
  worker.answer = () => 'dies'
  await expect(enhancer.enhance(track)).rejects.toBeInstanceOf(WorkerDied)
  worker.answer = () => 'hangs'
  const waiting = expect(enhancer.enhance(track)).rejects.toThrow('did not answer in time')
  await clock.advance(0)
  await clock.advance(120_000)
  await waiting
  worker.greeting = 'silent'
  const starting = expect(enhancer.start()).rejects.toThrow('did not answer in time')
  await clock.advance(0)
  await clock.advance(30_000)
  await starting
  worker.greeting = 'ready'
  worker.answer = () => nothingFound
  expect(await enhancer.enhance(track)).toEqual({ data: nothingFound, needsPictures: true })
  expect(worker.launches).toBe(4)
})

test('a long look is not cut off because somebody asked for the worker meanwhile', async () => {
  worker.answer = () => 'hangs'
  const looking = enhancer.enhance(track)
  looking.catch(() => {})
  await enhancer.start()
  await clock.advance(20_000)
  expect(worker.stops).toBe(0)
})
