import { expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess } from '../../test/builders/process.ts'
import { type PipelineStats } from '../pipeline/messages.ts'
import { createCapacity } from './capacity.ts'
import { type Process } from './process.ts'

const stats: PipelineStats = {
  inputFps: 15,
  processedFps: 15,
  droppedFrames: 0,
  decodeErrors: 0,
  inferenceMs: { p50: 40, p95: 50, p99: 60 },
  latencyMs: { p50: 60, p95: 90, p99: 95 },
  modelLoad: 0.6,
}

function setUp({ usedCores, processes = [] }: { usedCores: number; processes?: readonly Process[] }) {
  const machine = { cores: 2, usedCores, memoryBytes: 8 * 2 ** 30, availableBytes: 6 * 2 ** 30 }
  return createCapacity({
    usage: {
      machine,
      listParts: () =>
        processes.map(({ id }) => ({
          name: 'pipeline',
          subject: id,
          usedCores: 0.7,
          loopDelayMs: 0,
          memoryBytes: 2 ** 28,
        })),
    },
    listProcesses: () => processes,
    inferenceMsOf: (model) => (model === 'fast' ? 40 : undefined),
    clock: createFakeClock(1_000_000),
  })
}

test('there is room until there is none, and then it is said', () => {
  const free = setUp({ usedCores: 0.2 })
  expect([free.roomFor('fast'), free.objectionTo('fast'), free.shortage]).toEqual([5, undefined, null])
  const full = setUp({ usedCores: 1.95 })
  expect([full.roomFor('fast'), full.shortage]).toEqual([0, 'cpu'])
  expect(full.objectionTo('fast')).toMatch(/^This machine is full: .* not all could be looked at 5 times a second/)
})

test('cores are free that would be, were none looked at more often than is wanted', () => {
  const process = aProcess({ state: 'running', createdAt: 0, stats: { ...stats, sparedLoad: 0.25 } })
  const { cores, freeCores, sparedCores } = setUp({ usedCores: 2, processes: [process, process] })
  // Of 0.6 of each for its model it needs a third, since it is looked at 15 times a second.
  expect([cores, sparedCores]).toEqual([2, 0.5])
  expect(freeCores).toBeCloseTo(0.95 * 2 - 2 + 2 * 0.4)
})

test('of a model that nobody has measured nothing is said', () => {
  const capacity = setUp({ usedCores: 1 })
  expect([capacity.roomFor('mine'), capacity.objectionTo('mine')]).toEqual([null, undefined])
})

test('but on a machine that is full it is one too many as well', () =>
  expect(setUp({ usedCores: 2 }).objectionTo('mine')).toMatch(/^This machine is full: /))

test('one that has just begun takes its place before it is seen at work', () => {
  const old = aProcess({ state: 'running', createdAt: 0, stats })
  const young = aProcess({ state: 'running', createdAt: 999_000, stats: null })
  const starting = aProcess({ state: 'starting', createdAt: 0, stats: null })
  const room = (processes: readonly Process[]) => setUp({ usedCores: 0.7, processes }).roomFor('fast')!
  expect(room([old]) - room([old, young, starting])).toBe(2)
  const ahead = aProcess({ state: 'running', createdAt: 9_000_000, stats })
  // The clock was set back since it began.
  expect(room([ahead])).toBe(room([old]))
  const waiting = aProcess({ state: 'waiting', createdAt: 999_000, stats: null })
  expect(room([old, waiting])).toBe(room([old]))
})
