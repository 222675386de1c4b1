/** Parts that stand still without ending, as a process does whose disk or driver hangs: they are ended and started again. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { childrenOf, isRunning } from '../support/child-processes.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

const NOTICED_WITHIN_MS = 40_000

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterAll(() => rig.remove())

const partsOf = (entry: string) => childrenOf(rig.service.process.pid!, entry)
/** Resolves when it was replaced by another. */
async function hang(entry: string): Promise<void> {
  const [pid] = partsOf(entry)
  process.kill(pid!, 'SIGSTOP')
  await until(async () => !isRunning(pid!) && partsOf(entry).length === 1, NOTICED_WITHIN_MS)
}

test('a worker that hangs while its source is lost, a recorder and the media server are replaced', async () => {
  const { sourceId: recorded } = await rig.goLive('recorded')
  const { sourceId, publisher } = await rig.goLive('lost')
  const { process_uuid: id } = await rig.start(sourceId)
  await until(async () => partsOf('recording/worker.js').length === 2)
  await publisher.kill()
  await rig.untilState(id, 'reconnecting')
  await until(async () => partsOf('recording/worker.js').length === 1)
  await Promise.all([hang('pipeline/worker.js'), hang('recording/worker.js')])
  expect(await rig.info(id)).toMatchObject({ restarts: 1, state: 'reconnecting' })
  rig.publish('lost')
  await rig.untilState(id, 'running')

  await hang('media/media-server.js')
  await until(async () => (await rig.service.call('GET', '/readyz')).ok)
  rig.publish('lost')
  rig.publish('recorded')
  await rig.untilState(id, 'running', 20_000)
  const recording = async () => (await rig.ask<{ recording: string }>('GET', `/source/${recorded}`)).recording
  await until(async () => (await recording()) === 'on')
  await rig.clear()
}, 150_000)
