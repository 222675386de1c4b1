import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { deflateRawSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aLookAt } from '../../test/builders/recorded-looks.ts'
import { useTemporaryFolder } from '../../test/support/temporary-folder.ts'
import { AppError } from '../core/errors.ts'
import { encodeBlock, frameBlock, readBlockHeads } from '../core/look-blocks.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { type ClipLooksDeps, createClipLooks } from './clip-looks.ts'
import { type LookFile } from './look-files.store.ts'

const folder = useTemporaryFolder('aerie-clip-looks-')
const clock = createFakeClock(1_000_000)
const signer = createLinkSigner('a secret that is long enough')
const stays = new AbortController().signal
const of = { sourceId: 'cam', processId: null, stretch: { from: 50_000, to: 60_000 } }

let listed: LookFile[]
/** What other nodes have, by the id of the file. */
let elsewhere: Map<string, Buffer | AppError>
let asked: string[]
let scratch: string
beforeEach(() => {
  ;[listed, elsewhere, asked] = [[], new Map(), []]
  for (const name of ['data', 'scratch']) mkdirSync(join(folder(), name))
  scratch = join(folder(), 'scratch')
})

function looksOf(change: Partial<ClipLooksDeps> = {}) {
  return createClipLooks({
    store: { list: async () => listed },
    places: diskOnly(join(folder(), 'data')),
    node: { id: 'south', epoch: 1 },
    nodeFiles: {
      async open(nodeId, path) {
        const url = new URL(path, 'http://node')
        const id = url.pathname.split('/').at(-1)!
        asked.push(`${nodeId} ${url.pathname}`)
        expect(signer.isValid(`looks ${id}`, url.searchParams.get('token')!, clock.now())).toBe(true)
        const content = elsewhere.get(id)
        if (content instanceof AppError) throw content
        return content && Readable.from([content.subarray(0, 50), content.subarray(50)])
      },
    },
    signer,
    clock,
    ...change,
  })
}

/** One look a second in it. */
function aBlock(fromMs: number, toMs: number): Buffer {
  const looks = []
  for (let at = fromMs; at <= toMs; at += 1_000) looks.push(aLookAt(at))
  const payload = encodeBlock(looks)
  return frameBlock(deflateRawSync(payload), payload.length, looks)
}

function addFile(id: string, bytes: Buffer | undefined, change: Partial<LookFile> = {}): void {
  const file = `${id}.looks`
  listed.push({ id, processId: 'p1', file, nodeId: 'south', ...change })
  if (bytes) writeFileSync(join(folder(), 'data', file), bytes)
}

const spansIn = (path: string) =>
  readBlockHeads(readFileSync(path)).heads.map(({ firstAtMs, lastAtMs }) => [firstAtMs, lastAtMs])

test('of its files only the blocks of the clip are brought, and those that are still shown when it begins', async () => {
  addFile('a', Buffer.concat([aBlock(30_000, 39_000), aBlock(40_000, 47_000), aBlock(48_000, 55_000)]))
  addFile('b', Buffer.concat([aBlock(56_000, 60_000), aBlock(61_000, 70_000)]))
  const paths = await looksOf().bring(of, scratch, stays)
  expect(paths.map(spansIn)).toEqual([
    [
      [40_000, 47_000],
      [48_000, 55_000],
      [56_000, 60_000],
    ],
  ])
  expect(readdirSync(scratch)).toEqual(['1.looks'])
})

test('each process has a file of its own; one that saw nothing then has none', async () => {
  addFile('a', aBlock(50_000, 52_000))
  addFile('b', aBlock(10_000, 12_000), { processId: 'p2' })
  addFile('c', aBlock(53_000, 55_000), { processId: 'p3' })
  expect((await looksOf().bring(of, scratch, stays)).map(spansIn)).toEqual([[[50_000, 52_000]], [[53_000, 55_000]]])
})

test('what is gone, empty or torn is left out', async () => {
  addFile('gone', undefined)
  addFile('empty', Buffer.alloc(0))
  const torn = aBlock(53_000, 55_000)
  addFile('torn', Buffer.concat([aBlock(50_000, 52_000), torn.subarray(0, torn.length - 1)]))
  expect((await looksOf().bring(of, scratch, stays)).map(spansIn)).toEqual([[[50_000, 52_000]]])
})

test('what cannot be read is no reason to leave out boxes', async () => {
  addFile('a', undefined)
  mkdirSync(join(folder(), 'data', 'a.looks'))
  await expect(looksOf().bring(of, scratch, stays)).rejects.toMatchObject({ code: 'EISDIR' })
})

test('nothing seen is no file', async () => {
  expect(await looksOf().bring(of, scratch, stays)).toEqual([])
  expect(readdirSync(scratch)).toEqual([])
})

test('what another node has is asked for there, and what is in the store is not', async () => {
  elsewhere.set('b', aBlock(53_000, 55_000))
  addFile('a', aBlock(50_000, 52_000))
  addFile('b', undefined, { nodeId: 'north' })
  addFile('c', undefined, { nodeId: 'north' })
  expect((await looksOf().bring(of, scratch, stays)).map(spansIn)).toEqual([
    [
      [50_000, 52_000],
      [53_000, 55_000],
    ],
  ])
  expect(asked).toEqual(['north /recorded_detections/b', 'north /recorded_detections/c'])

  const path = join(folder(), 'fetched')
  writeFileSync(path, aBlock(57_000, 58_000))
  const stored = { sizeBytes: 1, link: async () => undefined, open: () => Promise.reject<never>(new Error('unused')) }
  const places = { kept: () => ({ path, inStore: async () => stored }), bring: async () => path }
  listed = listed.slice(1, 2)
  expect((await looksOf({ places }).bring(of, scratch, stays)).map(spansIn)).toEqual([[[57_000, 58_000]]])
  expect(asked).toHaveLength(2)
})

test('a node that is away makes it wait', async () => {
  const away = new AppError('node-unreachable', { node: 'north', retry_after_seconds: 2 })
  elsewhere.set('b', away)
  addFile('b', undefined, { nodeId: 'north' })
  await expect(looksOf().bring(of, scratch, stays)).rejects.toBe(away)
})

test('it ends between two files when nobody wants it any more', async () => {
  addFile('a', aBlock(50_000, 52_000))
  const gone = new AbortController()
  gone.abort(new Error('deleted'))
  await expect(looksOf().bring(of, scratch, gone.signal)).rejects.toThrow('deleted')
  expect(readdirSync(scratch)).toEqual([])
})
