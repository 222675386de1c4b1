import { expect, test } from 'vitest'
import { unrecorded } from '../../test/builders/alert-events.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createDurableNotifier } from '../delivery/durable-notifier.ts'
import { createProgressWriter } from '../delivery/progress-writer.ts'
import { createLog } from '../observe/log.ts'
import { createEngine } from './engine.ts'

function createIdleEngine() {
  const clock = createFakeClock()
  return createEngine({
    delivery: {
      createDurableNotifier: (source) => createDurableNotifier(source, { send: async () => {}, clock }),
      createProgressWriter: (options) => createProgressWriter(options, clock),
    },
    pipelineOf: () => ({ keepsPictures: () => true, setWanted: () => {}, request: () => {} }),
    sources: { find: async () => undefined },
    record: unrecorded,
    links: { urlOf: () => 'http://service/' },
    sequences: { reserve: async () => 1, addChannel: async () => {}, saveProgress: async () => {} },
    clock,
    log: createLog({ level: 'silent' }),
  })
}

test('a pipeline is launched again when its restarts have grown while the process is watched', async () => {
  const engine = createIdleEngine()
  const process = { processId: 'p', accountId: 'a', sourceId: 's' }
  engine.open(process)
  const seen = [2, 2, 3, 3].map((restarts) => engine.noteRestarts('p', restarts))
  expect(seen).toEqual([false, false, true, false])

  await engine.close('p', 'process-ended')
  // What is heard of it after its end is not kept for one that begins later.
  expect(engine.noteRestarts('p', 4)).toBe(false)
  engine.open(process)
  expect(engine.noteRestarts('p', 5)).toBe(false)
})
