import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createFakeExchanges, type FakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { aSource } from '../../test/builders/source.ts'
import { createLog } from '../observe/log.ts'
import { createSourceDirectory, type SourceDirectory } from './source-directory.ts'
import { createSourceNews, type SourceNews } from './source-news.ts'
import { type Source } from './source.ts'

interface Node {
  readonly news: SourceNews
  readonly directory: SourceDirectory
  /** Paths that were looked at again, and sources that were handed on. */
  readonly done: string[]
}

let clock: FakeClock
let exchanges: FakeExchanges
let rows: Map<string, Source>
let isDatabaseAway: boolean
let warnings: number
let nodes: Node[]
beforeEach(() => {
  clock = createFakeClock()
  exchanges = createFakeExchanges()
  rows = new Map()
  isDatabaseAway = false
  warnings = 0
  nodes = []
})
afterEach(() => Promise.all(nodes.map(({ news }) => news.close())))

const toListed = ({ id, accountId, alias, inputUrl, mediaPath, isPulled, telemetryCfg }: Source) =>
  ({ id, accountId, alias, inputUrl, mediaPath, isPulled, telemetryCfg }) // prettier-ignore

async function startNode(nodeId: string, ownPaths: readonly string[] = []): Promise<Node> {
  const directory = createSourceDirectory()
  const done: string[] = []
  const read = async <T>(value: T) => {
    if (isDatabaseAway) throw new Error('The database cannot be reached.')
    return value
  }
  const news = createSourceNews({
    exchange: exchanges.of(nodeId),
    store: { findById: (id) => read(rows.get(id)), listNames: () => read([...rows.values()].map(toListed)) },
    directory,
    listOwnPaths: () => ownPaths,
    refresh: async (...paths) => void done.push(...paths),
    onChanged: ({ inputUrl }) => void done.push(inputUrl),
    clock,
    log: createLog({ level: 'warn', write: () => void warnings++ }),
  })
  const node = { news, directory, done }
  nodes.push(node)
  news.start()
  await clock.advance(0)
  return node
}

const roof = aSource({ alias: 'roof', inputUrl: 'rtsp://roof.test/', mediaPath: 'ann/roof' })

test('what is registered, changed or removed at one node is known at the other at once, and its path looked at again', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')]
  rows.set(roof.id, roof)
  a.news.publish({ sourceId: roof.id, paths: ['ann/roof'] })
  await clock.advance(0)
  expect(b.directory.aliasOf(roof.id)).toBe('roof')
  rows.set(roof.id, { ...roof, alias: 'yard', inputUrl: 'rtsp://yard.test/', mediaPath: 'ann/yard' })
  a.news.publish({ sourceId: roof.id, paths: ['ann/roof', 'ann/yard'] })
  await clock.advance(0)
  expect(b.directory.aliasOf(roof.id)).toBe('yard')
  rows.clear()
  a.news.publish({ sourceId: roof.id, paths: ['ann/yard'] })
  await clock.advance(0)
  expect(b.directory.list()).toEqual([])
  expect(b.done).toEqual(['rtsp://roof.test/', 'ann/roof', 'rtsp://yard.test/', 'ann/roof', 'ann/yard', 'ann/yard'])
  expect(a.done).toEqual([])
})

test('what was not heard is found within a minute, at every path that is this node’s own', async () => {
  const [a, b] = [await startNode('a'), await startNode('b', ['ann/gate'])]
  b.directory.set(aSource({ alias: 'removed meanwhile' }))
  exchanges.isAway = true
  rows.set(roof.id, roof)
  a.news.publish({ sourceId: roof.id, paths: ['ann/roof'] })
  await clock.advance(59_000)
  expect(b.done).toEqual([])
  await clock.advance(1_000)
  expect(b.directory.list().map(({ alias }) => alias)).toEqual(['roof'])
  expect(b.done).toEqual(['rtsp://roof.test/', 'ann/gate'])
})

test('after NATS was away it is found at once, and only what has changed is handed on', async () => {
  rows.set(roof.id, roof)
  const gate = aSource({ alias: 'gate', inputUrl: 'rtsp://gate.test/', mediaPath: 'ann/gate' })
  rows.set(gate.id, gate)
  const [a, b] = [await startNode('a'), await startNode('b')]
  await clock.advance(60_000)
  b.done.length = 0
  exchanges.isAway = true
  rows.set(roof.id, { ...roof, inputUrl: 'rtsp://moved.test/' })
  a.news.publish({ sourceId: roof.id, paths: ['ann/roof'] })
  exchanges.isAway = false
  await clock.advance(2_000)
  expect(b.done).toEqual(['rtsp://moved.test/'])
  await clock.advance(60_000)
  expect(b.done).toEqual(['rtsp://moved.test/'])
})

test('a database that is away loses nothing: it is looked at again, and the log says so once', async () => {
  const [a, b] = [await startNode('a'), await startNode('b')]
  rows.set(roof.id, roof)
  isDatabaseAway = true
  a.news.publish({ sourceId: roof.id, paths: ['ann/roof'] })
  await clock.advance(0)
  await clock.advance(2_000)
  expect([b.directory.list(), warnings]).toEqual([[], 1])
  isDatabaseAway = false
  await clock.advance(2_000)
  expect(b.directory.aliasOf(roof.id)).toBe('roof')
})
