import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { type RequestSubject, subjectOf } from '../api/about-node.ts'
import { createServer } from '../api/server.ts'
import { loadConfig } from '../config/config.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { createHealth } from '../observe/health.ts'
import { createLog } from '../observe/log.ts'
import { createMetrics } from '../observe/metrics.ts'
import { createProcessedVideoLinks, type ProcessedVideoLinks } from './processed-video-links.ts'
import { processedVideoRoutes } from './processed-video.routes.ts'
import { createProcessedVideoFolder } from './processed-video-folder.ts'

const id = '00000000-0000-7000-8000-000000000001'
let dataDir: string
let folder: string
let clock: FakeClock
let links: ProcessedVideoLinks
let api: FastifyInstance
let hasKey: boolean
/** What other nodes were thought of for. */
let subjects: (RequestSubject | undefined)[]
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'aerie-video-'))
  const videos = createProcessedVideoFolder(dataDir, diskOnly(dataDir))
  folder = videos.folderOf(id)
  mkdirSync(folder, { recursive: true })
  clock = createFakeClock()
  hasKey = true
  subjects = []
  links = createProcessedVideoLinks({
    videos,
    signer: createLinkSigner('secret'),
    hasKey: async () => hasKey,
    clock,
  })
  const log = createLog({ level: 'silent' })
  api = await createServer({
    options: { ...loadConfig({}), bodyLimitBytes: 1_000 },
    log,
    metrics: createMetrics(),
    health: createHealth(log),
    authenticate: () => Promise.reject(new Error('nobody is asked for a key')),
    recheck: () => Promise.reject(new Error('nobody is asked for a key')),
    nodes: {
      async nodeOf(request) {
        subjects.push(await subjectOf(request, () => true))
        return undefined
      },
      openTunnel: () => Promise.reject(new Error('nothing is elsewhere')),
      acceptTunnels: () => () => {},
    },
    routes: [processedVideoRoutes({ links })],
  })
})
afterEach(async () => {
  await api.close()
  rmSync(dataDir, { recursive: true })
})

test('every file has a link that works by itself, also in parts', async () => {
  writeFileSync(join(folder, '1000.mp4'), '0123456789')
  writeFileSync(join(folder, '999.mp4'), 'earlier')
  writeFileSync(join(folder, '1001.mp4'), '')
  const [first, second, ...more] = await links.list('', id)
  expect(more).toEqual([])
  expect((await api.inject(first!)).body).toBe('earlier')
  const whole = await api.inject(second!)
  expect([whole.statusCode, whole.body]).toEqual([200, '0123456789'])
  expect(whole.headers).toMatchObject({ 'content-type': 'video/mp4', 'accept-ranges': 'bytes', 'content-length': '10' })
  const part = await api.inject({ url: second!, headers: { range: 'bytes=2-4' } })
  expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, '234', 'bytes 2-4/10'])
  const beyond = await api.inject({ url: second!, headers: { range: 'bytes=10-' } })
  expect(beyond.headers).toMatchObject({ 'content-type': 'application/problem+json', 'content-range': 'bytes */10' })
  expect(beyond.json()).toMatchObject({ status: 416, code: 'range-not-satisfiable' })
})

test('only who has a link has the node of its process looked up', async () => {
  writeFileSync(join(folder, '1.mp4'), 'one')
  const [link] = await links.list('', id)
  await api.inject(link!)
  await api.inject(link!.replace(/token=.*/, 'token=made-up'))
  await api.inject(link!.replace('1.mp4', '2.mp4'))
  expect(subjects).toEqual([{ processId: id }, undefined, undefined])
})

test('without the right token nothing is served, and links end', async () => {
  writeFileSync(join(folder, '1.mp4'), 'one')
  writeFileSync(join(folder, '2.mp4'), 'two')
  const [link] = await links.list('', id)
  for (const wrong of [
    link!.replace('1.mp4', '2.mp4'),
    link!.replace(/token=.*/, ''),
    link!.replace(id, `${id.slice(0, -1)}2`),
  ])
    expect((await api.inject(wrong)).json()).toMatchObject({ status: 403, code: 'link-expired' })
  rmSync(join(folder, '1.mp4'))
  expect((await api.inject(link!)).json()).toMatchObject({ status: 404, code: 'recording-not-found' })
  writeFileSync(join(folder, '1.mp4'), 'one')
  expect((await api.inject(link!)).statusCode).toBe(200)
  hasKey = false
  expect((await api.inject(link!)).json()).toMatchObject({ status: 403, code: 'link-expired' })
  hasKey = true
  await clock.advance(24 * 3_600_000 + 1_000)
  expect((await api.inject(link!)).json()).toMatchObject({ code: 'link-expired' })
  expect(await links.list('', 'none')).toEqual([])
})

test('a file that another node has is asked for there, by whoever has a link of it', async () => {
  const file = `processed/${id}/1000.mp4`
  const places = {
    ...diskOnly(dataDir),
    listElsewhere: async () => [file],
    nodeOf: async (wanted: string) => (wanted === file ? 'north' : undefined),
  }
  const videos = createProcessedVideoFolder(dataDir, places)
  const signer = createLinkSigner('secret')
  const elsewhere = createProcessedVideoLinks({ videos, signer, hasKey: async () => true, clock })
  writeFileSync(join(folder, '2000.mp4'), 'here')
  const addresses = (await elsewhere.list('http://localhost', id)).map((link) => new URL(link))
  expect(addresses.map(({ pathname }) => pathname.split('/').at(-1))).toEqual(['1000.mp4', '2000.mp4'])
  const [token, other] = addresses.map(({ searchParams }) => searchParams.get('token')!)
  expect(await elsewhere.nodeOf(id, '1000.mp4', token!)).toBe('north')
  expect(await elsewhere.nodeOf(id, '2000.mp4', other!)).toBeUndefined()
  expect(await elsewhere.nodeOf(id, '1000.mp4', other!)).toBeUndefined()
})
