import { afterEach, expect, onTestFinished, test } from 'vitest'
import { buildNewerVersion, type OtherVersion } from '../support/newer-version.ts'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { type Started } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let cluster: NodeCluster
afterEach(() => cluster.remove())

async function build(version: string, migration?: string): Promise<OtherVersion> {
  const newer = await buildNewerVersion(version, migration)
  onTestFinished(() => newer.remove())
  return newer
}

async function runAt(node: string, name: string): Promise<string> {
  const { sourceId } = await cluster.goLive(node, name)
  const { process_uuid: id } = await cluster.node(node).ask<Started>('POST', `/start?source_uuid=${sourceId}`)
  await cluster.untilState(node, id, 'running')
  return id
}

test('a version with the same tables serves beside the one before it, and takes its processes over', async () => {
  const newer = await build('99.0.0')
  cluster = await createNodeCluster(['old'])
  const id = await runAt('old', 'rolled')
  await cluster.add('new', {}, newer.program)
  const versions = async (at: string) => {
    const { nodes } = await cluster.node(at).ask<{ nodes: { node: string; version: string }[] }>('GET', '/nodes')
    return Object.fromEntries(nodes.map(({ node, version }) => [node, version]))
  }
  expect(await versions('new')).toEqual(await versions('old'))
  expect(await versions('old')).toMatchObject({ new: newer.version })
  // Each asks the other one.
  const [seen] = (await (await cluster.node('new').connect({ process_uuid: id })).more(3)).slice(-1)
  expect(seen).toMatchObject({ process_uuid: id })
  expect(await cluster.info('new', id)).toMatchObject({ state: 'running' })
  await cluster.node('old').stop()
  cluster.publish('new', 'admin/rolled')
  await cluster.untilState('new', id, 'running')
  expect(await cluster.nodeOf(id)).toBe('new')
  // And back, as after a mistake.
  await cluster.node('old').start()
  expect(await cluster.info('old', id)).toMatchObject({ state: 'running' })
  await cluster.node('old').ask('POST', `/process/${id}/stop`)
})

test('a version with other tables waits until none of an older one runs, which does not start on its tables', async () => {
  const newer = await build('99.0.0', '9999-next')
  cluster = await createNodeCluster(['a', 'b'])
  const id = await runAt('a', 'waiting')
  let isServing = false
  const added = cluster.add('c', {}, newer.program).then(() => void (isServing = true))
  const migrated = async () => {
    const { rows } = await cluster.postgres.query("select 1 from kysely_migration where name = '9999-next'")
    return rows.length > 0
  }
  const waits = async () => {
    // Several of its looks.
    await new Promise((resolve) => setTimeout(resolve, 5_000))
    expect([isServing, await migrated()]).toEqual([false, false])
    expect(await cluster.info('b', id)).toMatchObject({ state: 'running' })
  }
  await waits()
  await cluster.node('a').stop()
  cluster.publish('b', 'admin/waiting')
  await cluster.untilState('b', id, 'running')
  await waits()
  // The last one dies without a word: its lease must be over.
  await cluster.node('b').kill()
  await added
  expect(await migrated()).toBe(true)
  cluster.publish('c', 'admin/waiting')
  await cluster.untilState('c', id, 'running')
  expect(await cluster.nodeOf(id)).toBe('c')
  await expect(cluster.node('a').start()).rejects.toThrow(/made by a newer version/)
  await until(async () => (await cluster.info('c', id)).state === 'running')
})
