import { copyFileSync, mkdtempSync, rmSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aRecordedFile } from '../../test/builders/recorded-file.ts'
import { recordClip, type RecordedClip } from '../../test/support/recorded-clip.ts'
import { type KeptFile } from '../core/kept-file.ts'
import { type RecordedFile } from '../core/recorded-time.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { createPieces } from './pieces.ts'
import { type PieceName, readPieceName } from './piece-name.ts'
import { createVodTokens } from './vod-token.ts'

const ID = '0190aaaa-0000-7000-8000-000000000001'
let folder: string
let clip: RecordedClip
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-pieces-'))
  clip = await recordClip(folder, { seconds: 5 })
}, 60_000)
afterAll(() => rmSync(folder, { recursive: true }))

function createRig(change: Partial<RecordedFile> = {}) {
  const rig = {
    mayWatch: true,
    path: 'ann/gate' as string | null,
    looked: [] as string[],
    /** What the store has. */
    stored: undefined as Buffer | undefined,
    ranges: [] as (string | undefined)[],
  }
  const { durationMs, index } = clip
  const file = aRecordedFile({ id: ID, file: basename(clip.file), durationMs, index, ...change })
  const tokens = createVodTokens(createLinkSigner('secret'), createFakeClock())
  const kept = (path: string): KeptFile => ({
    path: join(folder, path),
    inStore: async () =>
      rig.stored && {
        sizeBytes: rig.stored.length,
        link: () => expect.unreachable(),
        async open({ range }) {
          rig.ranges.push(range)
          const [from, to] = /bytes=(\d+)-(\d+)/.exec(range!)!.slice(1).map(Number)
          return { status: 206, headers: {}, body: Readable.from([rig.stored!.subarray(from, to! + 1)]) }
        },
      },
  })
  const pieces = createPieces({
    files: {
      async find(id) {
        rig.looked.push(id)
        return id === ID ? file : undefined
      },
    },
    sources: { findById: async () => ({ mediaPath: rig.path }) },
    tokens,
    viewers: { mayWatch: async () => rig.mayWatch },
    places: { kept },
    node: { id: 'south', epoch: 1 },
  })
  const token = tokens.issue({ sourceId: 'cam', viewer: 'ann' })
  const { signal } = new AbortController()
  const open = (piece: PieceName, shown = token) => pieces.open({ piece, token: shown, address: '127.0.0.1', signal })
  const bytesOf = async (piece: PieceName) => buffer((await open(piece)).body)
  return { rig, pieces, tokens, token, open, bytesOf }
}

const init: PieceName = { fileId: ID, kind: 'init' }
const pieceOf = (change: object = {}): PieceName => {
  const { groups } = clip.index
  return {
    fileId: ID,
    kind: 'mp4',
    fromByte: groups[1]!.byte,
    toByte: groups[2]!.byte,
    baseMs: 8_000,
    ...change,
  }
}

test('the header and the groups of a file are what they are on the disk, but for their times', async () => {
  const { bytesOf } = createRig()
  expect((await bytesOf(init)).equals(clip.bytes.subarray(0, clip.index.init))).toBe(true)
  const { groups } = clip.index
  const piece = await bytesOf(pieceOf())
  const original = clip.bytes.subarray(groups[1]!.byte, groups[2]!.byte)
  expect(piece.length).toBe(original.length)
  expect(piece.equals(original)).toBe(false)
  expect((await bytesOf(pieceOf({ baseMs: 0 }))).equals(original)).toBe(true)
  expect((await bytesOf(pieceOf({ kind: 'ts' })))[0]).toBe(0x47)
})

test('a file of before there was an index is read by what it says of itself', async () => {
  const { bytesOf } = createRig({ index: null })
  expect((await bytesOf(init)).equals(clip.bytes.subarray(0, clip.index.init))).toBe(true)
  const whole = pieceOf({ fromByte: 0, toByte: clip.bytes.length, baseMs: 0 })
  expect((await bytesOf(whole)).equals(clip.bytes.subarray(clip.index.groups[0]!.byte, clip.index.end))).toBe(true)
  expect((await bytesOf({ ...whole, kind: 'ts' } as PieceName))[0]).toBe(0x47)
})

test('from the store comes what is wanted and no more', async () => {
  const { rig, bytesOf } = createRig({ file: 'gone.mp4' })
  rig.stored = clip.bytes
  const { groups } = clip.index
  expect((await bytesOf(pieceOf({ baseMs: 0 }))).equals(clip.bytes.subarray(groups[1]!.byte, groups[2]!.byte))).toBe(
    true,
  )
  expect(rig.ranges).toEqual([`bytes=${groups[1]!.byte}-${groups[2]!.byte - 1}`])
})

test.each(['', 'made up', 'ann~cam~zzzz.abc'])('with the token "%s" nothing is looked for', async (token) => {
  const { rig, pieces, open } = createRig()
  await expect(open(pieceOf(), token)).rejects.toMatchObject({ code: 'viewing-expired' })
  expect(await pieces.nodeOf(pieceOf(), token)).toBeUndefined()
  expect(rig.looked).toEqual([])
})

test('a token is for the files of its source, and for as long as that may be watched', async () => {
  const { rig, tokens, open } = createRig()
  const borrowed = tokens.issue({ sourceId: 'yard', viewer: 'ann' })
  await expect(open(pieceOf(), borrowed)).rejects.toMatchObject({ code: 'recording-not-found' })
  rig.mayWatch = false
  await expect(open(pieceOf())).rejects.toMatchObject({ code: 'viewing-expired' })
  ;[rig.mayWatch, rig.path] = [true, null]
  await expect(open(pieceOf())).rejects.toMatchObject({ code: 'viewing-expired' })
})

test('what is not there, or no piece, is refused before anything is sent', async () => {
  const { open } = createRig()
  const { bytes, index } = clip
  const byte = index.groups[1]!.byte
  for (const [piece, code] of [
    [pieceOf({ fileId: ID.replace('1', '2') }), 'recording-not-found'],
    [pieceOf({ fromByte: byte + 1 }), 'recording-not-found'],
    [pieceOf({ fromByte: 0, toByte: 100 }), 'recording-not-found'],
    // The beginning of a fragment, but none of its media.
    [pieceOf({ toByte: byte + 100 }), 'recording-not-found'],
    [pieceOf({ fromByte: bytes.length, toByte: bytes.length + 1 }), 'range-not-satisfiable'],
  ] as const)
    for (const kind of ['mp4', 'ts'])
      await expect(open({ ...piece, kind } as PieceName), kind).rejects.toMatchObject({ code })
  const gone = createRig({ file: 'gone.mp4' })
  await expect(gone.open(pieceOf())).rejects.toMatchObject({ code: 'recording-not-found' })
})

test('a file that became shorter ends the piece sooner', async () => {
  copyFileSync(clip.file, join(folder, 'short.mp4'))
  truncateSync(join(folder, 'short.mp4'), clip.index.groups[1]!.byte + 5_000)
  const { bytesOf } = createRig({ file: 'short.mp4' })
  expect((await bytesOf(pieceOf())).length).toBeLessThanOrEqual(5_000)
})

test('a key has no more than 32 at a time, and places are given back', async () => {
  const { open } = createRig()
  const opened = await Promise.all(Array.from({ length: 32 }, () => open(pieceOf())))
  await expect(open(pieceOf())).rejects.toMatchObject({ code: 'stream-not-watchable', retryAfterSeconds: 1 })
  await Promise.all(opened.map(({ body }) => buffer(body)))
  await expect.poll(() => open(pieceOf()).then(({ body }) => void body.destroy())).toBeUndefined()
})

test('who watches at leisure what is another one’s keeps no place of the owner, nor do all of its guests', async () => {
  const { open, tokens } = createRig()
  const openAll = (viewer: string, count: number) => {
    const token = tokens.issue({ sourceId: 'cam', viewer })
    return Promise.all(Array.from({ length: count }, () => open(pieceOf(), token)))
  }
  await openAll('mallory:key', 32)
  await openAll('token:1', 20)
  await openAll('token:2', 12)
  for (const viewer of ['mallory:newkey', 'token:3', 'anonymous'])
    await expect(openAll(viewer, 1), viewer).rejects.toMatchObject({ code: 'stream-not-watchable' })
  await openAll(`${aRecordedFile().accountId}:key`, 32)
})

test.each([
  ['of another node', 'north', undefined, 'north'],
  ['of this one', 'south', undefined, undefined],
  ['that is in the store too', 'north', Buffer.alloc(9), undefined],
  ['in a service of one node', null, undefined, undefined],
])('a file %s is asked for there', async (_what, nodeId, stored, expected) => {
  const { rig, pieces, token } = createRig({ nodeId })
  rig.stored = stored
  expect(await pieces.nodeOf(pieceOf(), token)).toBe(expected)
})

test.each([
  [`${ID}-init.mp4`, init],
  [`${ID}-0-5--60000.m4s`, { fileId: ID, kind: 'mp4', fromByte: 0, toByte: 5, baseMs: -60_000 }],
  [`${ID}-10-50-86400000.ts`, { fileId: ID, kind: 'ts', fromByte: 10, toByte: 50, baseMs: 86_400_000 }],
  [`${ID}-5-5-0.m4s`, undefined],
  [`${ID}-6-5-0.m4s`, undefined],
  [`${ID}-0-5-999999999.m4s`, undefined],
  [`${ID}-0-5.m4s`, undefined],
  [`${ID}-0-5-0.mp4`, undefined],
  [`${ID}-init.m4s`, undefined],
  [`../${ID}-init.mp4`, undefined],
  [`${ID}-${'9'.repeat(16)}-5-0.m4s`, undefined],
  [`${ID}-init.mp4\n`, undefined],
])('the name %s', (name, piece) => expect(readPieceName(name)).toEqual(piece))
