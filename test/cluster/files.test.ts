import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { createSigningKey } from '../../src/clips/evidence/signing-key.ts'
import { verifyPackage } from '../../src/clips/evidence/verify-package.ts'
import { bytesSource } from '../../src/clips/evidence/zip-reader.ts'
import { createNatsBus } from '../../src/cluster/nats-bus.ts'
import { createNodeFiles } from '../../src/cluster/node-files.ts'
import { createTunnels } from '../../src/cluster/tunnel/tunnels.ts'
import { createLog } from '../../src/observe/log.ts'
import { type ShownClip } from '../support/clip-client.ts'
import { createNodeCluster, type NodeCluster } from '../support/node-cluster.ts'
import { startS3Server } from '../support/s3-server.ts'
import { until } from '../support/until.ts'

interface Recording {
  readonly source_uuid: string
  readonly ended_at: string | null
  readonly segments: readonly { readonly start: string; readonly size_bytes: number; readonly download_url: string }[]
}

const settings = { AERIE_RECORDING_SEGMENT_SECONDS: '10' }
let cluster: NodeCluster
afterEach(() => cluster.remove())

/** Some seconds of a stream that comes to this node, which has ended. */
async function record(node: string, name: string): Promise<void> {
  const { publisher } = await cluster.goLive(node, name)
  await until(async () => (await recordingsAt(node)).some(({ segments }) => segments.length > 0))
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  await publisher.kill()
  await until(async () => (await recordingsAt(node)).every(({ ended_at: endedAt }) => endedAt !== null))
}

const recordingsAt = (node: string) => cluster.node(node).ask<Recording[]>('GET', '/sources/recordings')
/** Of the newest file, as this node lists it: a link needs no key. */
const linkAt = async (node: string) => (await recordingsAt(node))[0]!.segments.at(-1)!.download_url

async function download(url: string, range?: string) {
  const response = await fetch(url, { headers: range === undefined ? {} : { range } })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, bytes, sha256: createHash('sha256').update(bytes).digest('hex') }
}

test('a recording of one node is downloaded by way of another, whole and in parts; without its node it is refused by name', async () => {
  cluster = await createNodeCluster(['a', 'b'], settings)
  await record('a', 'kept')
  const [own, other] = [await linkAt('a'), await linkAt('b')]
  expect(new URL(other).origin).toBe(cluster.node('b').service.url)
  const whole = await download(own)
  expect(whole.status).toBe(200)
  expect(await download(other)).toEqual(whole)
  const part = await download(other, 'bytes=100-299')
  expect(part.status).toBe(206)
  expect(part.bytes.equals(whole.bytes.subarray(100, 300))).toBe(true)
  // The link is for this file only, at every node.
  expect((await download(other.replace(/token=\w/, 'token=z'))).status).toBeGreaterThanOrEqual(400)
  await cluster.node('a').kill()
  const refusal = await fetch(other)
  expect(refusal.status).toBe(503)
  expect(await refusal.json()).toMatchObject({
    code: 'node-unreachable',
    detail: expect.stringContaining(' a ') as string,
  })
  // It is listed all the same, and there again when its node is.
  expect(await linkAt('b')).toContain(new URL(other).pathname)
  await cluster.node('a').start()
  await until(async () => (await download(other)).sha256 === whole.sha256)
})

/** Ready, as this node shows it. */
async function cutAt(node: string, body: object): Promise<ShownClip> {
  const asked = cluster.node(node)
  const { clip_uuid: id } = await asked.ask<ShownClip>('POST', '/clip', { body })
  const show = () => asked.ask<ShownClip>('GET', `/clip/${id}`)
  await until(async () => ['ready', 'failed'].includes((await show()).state), 60_000)
  return show()
}

test('a clip that one node is asked for is cut where its recordings are, and downloaded and packed by way of both', async () => {
  cluster = await createNodeCluster(['a', 'b'], settings)
  await record('a', 'kept')
  const [recording] = await recordingsAt('b')
  const { source_uuid, segments } = recording!
  const from = segments[0]!.start
  const clip = await cutAt('b', { source_uuid, from, to: new Date(Date.parse(from) + 2_000).toISOString() })
  expect(clip).toMatchObject({ state: 'ready', error: null, parts: [{ duration_seconds: expect.closeTo(2, 0) }] })
  const { rows } = await cluster.postgres.query('select node_id from clip')
  expect(rows).toEqual([{ node_id: 'a' }])
  expect(new URL(clip.url!).origin).toBe(cluster.node('b').service.url)
  const whole = await download(clip.url!)
  expect([whole.status, whole.sha256]).toEqual([200, clip.parts[0]!.sha256])
  const path = `/evidence?reports=false&clip_uuid=${clip.clip_uuid}`
  const [atA, atB] = await Promise.all(
    ['a', 'b'].map(async (name) => Buffer.from(await (await cluster.node(name).call('GET', path)).arrayBuffer())),
  )
  const { rows: secrets } = await cluster.postgres.query("select value from service_secret where name = 'link.secret'")
  const key = createSigningKey(String(secrets[0]!['value']))
  for (const bytes of [atA!, atB!]) expect((await verifyPackage(bytesSource(bytes), key)).problems).toEqual([])

  await cluster.node('a').kill()
  for (const refusal of [await fetch(clip.url!), await cluster.node('b').call('GET', path)]) {
    expect(refusal.status).toBe(503)
    expect(await refusal.json()).toMatchObject({ code: 'node-unreachable' })
  }
})

test('a node reads the files of another through a tunnel, by their links and without a key', async () => {
  cluster = await createNodeCluster(['a'], settings)
  await record('a', 'kept')
  const { pathname, search, href } = new URL(await linkAt('a'))
  const whole = await download(href)
  const { rows } = await cluster.postgres.query("select value from service_secret where name = 'link.secret'")
  const log = createLog({ level: 'silent' })
  const bus = createNatsBus({ url: cluster.nats.url, name: 'reader' }, { log })
  const tunnels = createTunnels({ bus, nodeId: 'reader', secret: String(rows[0]!['value']), log })
  try {
    await until(async () => bus.isConnected)
    const files = createNodeFiles(tunnels)
    const open = (path: string) => files.open('a', path, AbortSignal.timeout(60_000))
    expect((await buffer((await open(pathname + search))!)).equals(whole.bytes)).toBe(true)
    const unreachable = { code: 'node-unreachable' }
    await expect(open(`${pathname}?token=made.up`)).rejects.toMatchObject(unreachable)
    rmSync(join(cluster.node('a').installation.dataDir, 'recordings'), { recursive: true })
    expect(await open(pathname + search)).toBeUndefined()
    await cluster.node('a').kill()
    await expect(open(pathname + search)).rejects.toMatchObject(unreachable)
  } finally {
    tunnels.close()
    await bus.close()
  }
})

test('what is in the object store is downloaded from there when its node is dead', async () => {
  const store = await startS3Server()
  try {
    cluster = await createNodeCluster(['a', 'b'], { ...settings, ...store.settings })
    await record('a', 'stored')
    const whole = await download(await linkAt('a'))
    expect(whole.status).toBe(200)
    const inStore = async () => {
      const { rows } = await cluster.postgres.query("select place from stored_file where kind = 'recordings'")
      return rows.length > 0 && rows.every(({ place }) => place !== 'disk')
    }
    await until(inStore, 60_000)
    expect(store.keys().length).toBeGreaterThan(0)
    const other = await linkAt('b')
    await cluster.node('a').kill()
    expect(await download(other)).toEqual(whole)
    expect((await download(other, 'bytes=100-299')).bytes.equals(whole.bytes.subarray(100, 300))).toBe(true)
  } finally {
    await store.remove()
  }
})
