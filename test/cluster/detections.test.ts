import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { type Started } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

interface Look {
  readonly timestamp: string
  readonly process_uuid: string
}
interface Line {
  readonly classes: readonly { readonly class_name: string; readonly tracks: number }[]
  readonly processes: readonly { readonly process_uuid: string }[]
}

let cluster: NodeCluster
beforeAll(async () => void (cluster = await createNodeCluster(['a', 'b'])))
afterAll(() => cluster.remove())

test('what a node saw is read by way of another; without it the others’ is, and it is named', async () => {
  const { sourceId, publisher } = await cluster.goLive('a', 'seen')
  const { process_uuid: processId } = await cluster.node('a').ask<Started>('POST', `/start?source_uuid=${sourceId}`)
  const from = new Date(Date.now() - 60_000).toISOString()
  const read = async (node: string, path = 'detections') => {
    const to = new Date(Date.now() + 60_000).toISOString()
    const response = await cluster.node(node).call('GET', `/source/${sourceId}/${path}?from=${from}&to=${to}`)
    const body = (await response.json()) as Look[]
    return { status: response.status, missing: response.headers.get('x-aerie-missing-nodes'), body }
  }
  await until(async () => (await read('a')).body.length > 5, 60_000)
  await cluster.node('a').ask('DELETE', `/process/${processId}`)
  const here = await read('a')
  expect(here.missing).toBeNull()
  expect(new Set(here.body.map((look) => look.process_uuid))).toEqual(new Set([processId]))
  expect(await read('b')).toEqual(here)

  await publisher.kill()
  await cluster.node('a').kill()
  expect(await read('b')).toEqual({ status: 200, missing: 'a', body: [] })
  // The database knows how many they were.
  const line = await cluster.node('b').ask<Line>('GET', `/source/${sourceId}/timeline?from=${from}&step_seconds=60`)
  expect(line.classes.find(({ class_name: name }) => name === 'person')!.tracks).toBeGreaterThan(0)
  expect(line.processes.map((one) => one.process_uuid)).toEqual([processId])
  await cluster.node('a').start()
  await until(async () => (await read('b')).body.length === here.body.length)
})
