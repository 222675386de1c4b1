/** Parts that stand still without ending, as a process does whose disk or driver hangs: they are ended and started again. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isRunning } from '../support/child-processes.ts'
import { createProcessRig, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

/** Three seconds, five for a pipeline, and what the next one takes to start on a busy machine. */
const REPLACED_WITHIN_MS = 20_000

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterAll(() => rig.remove())

const partsOf = (entry: string) => rig.service.children(entry)
/** Resolves when it was replaced by another. */
async function hang(entry: string): Promise<void> {
  const [pid] = partsOf(entry)
  process.kill(pid!, 'SIGSTOP')
  await until(async () => !isRunning(pid!) && partsOf(entry).length === 1, REPLACED_WITHIN_MS)
}
/** Nothing that could be connected to, but enough for the gateway to be started. */
const offer = (name: string) =>
  fetch(`${rig.service.url}/webrtc/admin/${name}/whep`, {
    method: 'POST',
    headers: { api_key: rig.installation.masterKey, 'content-type': 'application/sdp' },
    body: 'v=0',
  })
const watch = (name: string) => rig.service.call('GET', `/hls/admin/${name}/index.m3u8`)

test('a worker that hangs while its source is lost, a recorder, HLS, WebRTC and the media server are replaced', async () => {
  const { sourceId: recorded } = await rig.goLive('recorded')
  const { sourceId, publisher } = await rig.goLive('lost')
  const { process_uuid: id } = await rig.start(sourceId)
  await until(async () => partsOf('recording/worker.js').length === 2)
  await publisher.kill()
  await rig.untilState(id, 'reconnecting')
  await until(async () => partsOf('recording/worker.js').length === 1)
  await until(async () => (await watch('recorded')).ok)
  await offer('recorded')
  await until(async () => partsOf('webrtc/worker.js').length === 1)
  await Promise.all([
    hang('pipeline/worker.js'),
    hang('recording/worker.js'),
    hang('webrtc/worker.js'),
    // It starts again for the next who watches.
    Promise.all([hang('hls/worker.js'), until(async () => (await watch('recorded')).ok, REPLACED_WITHIN_MS)]),
  ])
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

test('after the service itself stood still, nobody is judged by that', async () => {
  const { sourceId } = await rig.goLive('patient')
  const { process_uuid: id } = await rig.start(sourceId)
  const parts = () => ['pipeline/worker.js', 'media/media-server.js'].flatMap(partsOf)
  // A recorder that just asks who may read is answered by nobody, and ends by itself.
  const judged = () => rig.service.stderr().split('"isHung":true').length
  const before = [...parts(), judged()]
  expect(before).toHaveLength(3)
  expect(judged()).toBeGreaterThan(2)
  const main = rig.service.process.pid!
  process.kill(main, 'SIGSTOP')
  await sleep(8_000)
  process.kill(main, 'SIGCONT')
  await sleep(6_000)
  expect([...parts(), judged()]).toEqual(before)
  expect(await rig.info(id)).toMatchObject({ restarts: 0, state: 'running' })
  await rig.clear()
}, 60_000)

test('what stood still when the service was killed does not keep the ports of the next', async () => {
  const { sourceId } = await rig.goLive('left')
  await rig.start(sourceId)
  const left = ['pipeline/worker.js', 'media/media-server.js'].flatMap(partsOf)
  expect(left).toHaveLength(2)
  for (const pid of left) process.kill(pid, 'SIGSTOP')
  await rig.service.stop('SIGKILL')
  await rig.restart()
  expect(left.filter(isRunning)).toEqual([])
  await until(async () => (await rig.service.call('GET', '/readyz')).ok)
}, 60_000)
