import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { LEAVES_WHEN_ASKED, writeChildScript } from '../../test/support/child-script.ts'
import { type RunningChild } from './running-children.ts'
import { checkLoopDelay, createUsageMeter } from './usage-meter.ts'

/** Computes until it is told to stop; then it has taken more than `ms` of CPU. */
const BUSY = `
process.on('message', (ms) => {
  const start = process.cpuUsage()
  while ((process.cpuUsage(start).user + process.cpuUsage(start).system) / 1000 < ms);
  process.send('done')
})
process.send('ready')
${LEAVES_WHEN_ASKED}`

test('what a child has computed is told by the time in which it did', async () => {
  const child = fork(writeChildScript(BUSY))
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'message')
  const clock = createFakeClock()
  let children: RunningChild[] = [{ name: 'busy', subject: 'cam', pid: child.pid!, loopDelayMs: () => 40 }]
  const meter = createUsageMeter({ listChildren: () => children, clock })
  onTestFinished(() => meter.stop())
  meter.start()
  expect(meter.listParts()).toMatchObject([
    { name: 'service', subject: undefined, usedCores: null },
    { name: 'busy', subject: 'cam', usedCores: null, loopDelayMs: 40 },
  ])

  child.send(600)
  await once(child, 'message')
  await clock.advance(3_000)
  const [, busy] = meter.listParts()
  // 0.6 s in three; ticks are hundredths, and a message takes a little too.
  expect(busy!.usedCores).toBeGreaterThan(0.18)
  expect(busy!.usedCores).toBeLessThan(0.3)
  expect(busy!.memoryBytes).toBeGreaterThan(20 * 2 ** 20)
  expect(meter.machine.usedCores).toBeGreaterThan(0.18)
  expect(meter.machine.availableBytes).toBeLessThanOrEqual(meter.machine.memoryBytes)

  children = []
  expect(meter.listParts()).toHaveLength(1)
})

test('of a child that is gone nothing is known', async () => {
  const clock = createFakeClock()
  const gone: RunningChild = { name: 'gone', subject: undefined, pid: 2 ** 22 + 1, loopDelayMs: () => 0 }
  const meter = createUsageMeter({ listChildren: () => [gone], clock })
  onTestFinished(() => meter.stop())
  meter.start()
  await clock.advance(3_000)
  expect(meter.listParts()[1]).toMatchObject({ usedCores: null, memoryBytes: 0 })
})

test.each([
  ['media server', 2_500, 'did nothing for 2500 ms'],
  ['media server', 1_500, undefined],
  ['service', 2_500, undefined],
])('of the %s, held up for %i ms, it is said: %s', (name, loopDelayMs, sentence) => {
  const part = { name: 'media server', subject: undefined, usedCores: null, memoryBytes: 0, loopDelayMs }
  const check = () => checkLoopDelay({ listParts: () => [part] }, name)
  if (sentence === undefined) expect(check).not.toThrow()
  else expect(check).toThrow(sentence)
})
