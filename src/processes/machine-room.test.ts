import { expect, test } from 'vitest'
import { countRoom, type MachineLoad, shortageOf, type WorkerLoad } from './machine-room.ts'

const idle: MachineLoad = { cores: 2, usedCores: 0, memoryBytes: 8 * 2 ** 30, availableBytes: 6 * 2 ** 30 }
const MEGABYTE = 2 ** 20

/** Looked at fifteen times a second, for 40 ms each, and 0.1 of a core beside that. */
const stream: WorkerLoad = {
  usedCores: 0.7,
  memoryBytes: 250 * MEGABYTE,
  modelCores: 0.6,
  processedFps: 15,
  sparedCores: 0,
}

test('an idle machine has room for as many as can be looked at five times a second', () => {
  // 1.9 cores, 0.1 and 5 × 0.04 of one each.
  expect(countRoom(idle, [], 0, 40)).toBe(6)
  expect(countRoom(idle, [], 0, 400)).toBe(0)
})

test('what scenes at rest spare is no room: they may begin to move', () => {
  const resting: WorkerLoad = { ...stream, usedCores: 0.02, modelCores: 0, processedFps: 2, sparedCores: 0.08 }
  expect(countRoom({ ...idle, usedCores: 0.1 }, [resting, resting], 0, 40)).toBe(5)
})

test('streams that are looked at more often than that make room for others', () => {
  const workers = [stream, stream]
  expect(countRoom({ ...idle, usedCores: 1.4 }, workers, 0, 40)).toBe(4)
  // Only those that need it no more often.
  const seldom = workers.map((worker) => ({ ...worker, processedFps: 5 }))
  expect(countRoom({ ...idle, usedCores: 1.4 }, seldom, 0, 40)).toBe(1)
})

test('a full machine has no room, and what others use counts as well', () => {
  const slow = Array.from({ length: 8 }, () => ({ ...stream, usedCores: 0.24, modelCores: 0.14, processedFps: 3.5 }))
  expect(countRoom({ ...idle, usedCores: 1.99 }, slow, 0, 40)).toBe(0)
  expect(countRoom({ ...idle, usedCores: 1.95 }, [], 0, 40)).toBe(0)
})

test('those that are about to start take their places', () => {
  expect(countRoom(idle, [], 4, 40)).toBe(2)
  expect(countRoom(idle, [], 9, 40)).toBe(0)
})

test('memory limits as well', () => {
  expect(countRoom({ ...idle, availableBytes: 0.05 * idle.memoryBytes + 600 * MEGABYTE }, [stream], 0, 10)).toBe(2)
})

test.each([
  { load: idle, shortage: null },
  { load: { ...idle, usedCores: 1.95 }, shortage: 'cpu' },
  { load: { ...idle, availableBytes: 500 * MEGABYTE, usedCores: 2 }, shortage: 'memory' },
])('of $load there is too little $shortage', ({ load, shortage }) => {
  expect(shortageOf(load)).toBe(shortage)
})
