import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { type Started } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let cluster: NodeCluster
beforeAll(async () => void (cluster = await createNodeCluster(['a', 'b'])))
afterAll(() => cluster.remove())

interface Recording {
  readonly source_uuid: string
  readonly ended_at: string | null
}

test('a source that one node streams, records and processes is looked after at any other', async () => {
  const { sourceId } = await cluster.goLive('a', 'shared')
  const b = cluster.node('b')
  const path = `/source/${sourceId}`
  const countOpen = async () => {
    const recordings = await b.ask<Recording[]>('GET', '/sources/recordings')
    return recordings.filter((one) => one.source_uuid === sourceId && one.ended_at === null).length
  }
  await until(async () => (await countOpen()) === 1)
  await b.ask('PATCH', path, { body: { record: false } })
  await until(async () => (await countOpen()) === 0)
  await b.ask('PATCH', path, { body: { record: true } })
  await until(async () => (await countOpen()) === 1)

  const started = await b.ask<Started>('POST', `/start?source_uuid=${sourceId}`)
  expect(await cluster.nodeOf(started.process_uuid)).toBe('a')
  expect(await b.ask('GET', path)).toMatchObject({ status: 'processing', problem: null })
  const refused = await b.call('DELETE', path)
  expect(await refused.json()).toMatchObject({ status: 409, code: 'source-in-use' })

  await b.ask('DELETE', `/process/${started.process_uuid}`)
  expect(await b.ask('GET', path)).toMatchObject({ status: 'streaming' })
  await b.ask('DELETE', path)
  await until(async () => (await countOpen()) === 0)
})

test('a link signs in at another node than the one that made it, once', async () => {
  const [a, b] = [cluster.node('a'), cluster.node('b')]
  const { code } = await b.ask<{ code: string }>('POST', '/session/code')
  const signIn = () => a.service.call('POST', '/session', { key: cluster.masterKey, body: { code } })
  const signedIn = await signIn()
  expect([signedIn.status, await signedIn.json()]).toMatchObject([201, { username: 'admin' }])
  expect(await (await signIn()).json()).toMatchObject({ code: 'sign-in-code-invalid' })
})
