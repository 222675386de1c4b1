import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { until } from '../support/until.ts'

let cluster: NodeCluster
beforeAll(async () => void (cluster = await createNodeCluster([])))
afterAll(() => cluster.remove())

test('a node that is declared dead while it still starts, as on a machine that stood still, joins anew', async () => {
  let isReady = false
  const added = cluster.add('late').then((node) => ((isReady = true), node))
  const epoch = async () => (await cluster.postgres.query("select epoch from node where id = 'late'").catch(() => undefined))?.rows[0]?.['epoch'] // prettier-ignore
  let first: unknown
  await until(async () => (first = await epoch()) !== undefined)
  // As the others do it.
  await cluster.postgres.query("update node set epoch = epoch + 1, is_alive = 0 where id = 'late'")
  await cluster.postgres.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'aerie node late %'") // prettier-ignore
  expect(isReady).toBe(false)
  const node = await added
  expect(node.service.stderr()).toMatch(/joins anew/)
  expect(Number(await epoch())).toBeGreaterThan(Number(first) + 1)
  expect((await node.call('GET', '/status')).status).toBe(200)
})
