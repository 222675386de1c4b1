import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fromBufferPromise, openPromise } from 'yauzl'
import { expect, test } from 'vitest'
import { aPackage, each, inPieces, smallFiles } from '../../../test/builders/evidence-package.ts'
import { useTemporaryFolder } from '../../../test/support/temporary-folder.ts'
import { writeZip, type ZipMember } from './zip-writer.ts'

const folder = useTemporaryFolder('aerie-zip-')

async function zipOf(...members: readonly ZipMember[]): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of writeZip(each(members))) pieces.push(piece)
  return Buffer.concat(pieces)
}

test('another reader finds each file with its content', async () => {
  const zip = await fromBufferPromise(await zipOf(...smallFiles()), { lazyEntries: true, strictFileNames: true })
  const found: [string, number, string][] = []
  for await (const entry of zip.eachEntry()) {
    expect(entry.compressionMethod).toBe(0)
    found.push([entry.fileName, entry.uncompressedSize, String(await buffer(await zip.openReadStreamPromise(entry)))])
  }
  expect(found).toEqual([
    ['README.txt', 14, 'What this is.\n'],
    ['clips/01-gate.mp4', 22, 'the pictures of a clip'],
    ['reports/p/tracks.json', 13, '{"tracks":[]}'],
    ['reports/p/Tür-夜.txt', 0, ''],
  ])
})

test('unzip finds no fault in it, and unpacks the same', async () => {
  const file = join(folder(), 'package.zip')
  writeFileSync(file, await aPackage())
  expect(execFileSync('unzip', ['-t', file], { encoding: 'utf8' })).toContain('No errors detected')
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  expect(execFileSync('unzip', ['-p', file, 'clips/01-gate.mp4'], { encoding: 'utf8', env })).toBe(
    'the pictures of a clip',
  )
})

test('Python reads every content and finds its checksum right', async () => {
  const file = join(folder(), 'package.zip')
  writeFileSync(file, await aPackage())
  const script = 'import sys, zipfile; z = zipfile.ZipFile(sys.argv[1]); print(z.testzip(), z.namelist()[3])'
  const env = { ...process.env, PYTHONIOENCODING: 'utf-8' }
  expect(execFileSync('python3', ['-c', script, file], { encoding: 'utf8', env }).trim()).toBe(
    'None reports/p/Tür-夜.txt',
  )
})

test('the same files make the same bytes, however they come', async () => {
  const text = Buffer.from('said in pieces')
  const once = await zipOf({ name: 'a', pieces: inPieces(text, 1) })
  expect(await zipOf({ name: 'a', pieces: inPieces(text, 100) })).toEqual(once)
})

test('more files than the old form can count', { timeout: 120_000 }, async () => {
  const count = 70_000
  const members = Array.from({ length: count }, (_, index) => ({
    name: `pictures/${index}.jpg`,
    bytes: Buffer.alloc(0),
  }))
  const zip = await fromBufferPromise(await zipOf(...members), { lazyEntries: true })
  expect(zip.entryCount).toBe(count)
})

const GB = 2 ** 30

test('a file of more than 4 GB, and one behind it', { timeout: 300_000 }, async () => {
  const file = join(folder(), 'large.zip')
  const size = Math.ceil(4.1 * GB)
  const members = [
    { name: 'large.mp4', pieces: zeros(size), size },
    { name: 'behind.txt', bytes: Buffer.from('behind') },
  ]
  await writeSparse(file, writeZip(each<ZipMember>(members)))
  const zip = await openPromise(file, { lazyEntries: true, autoClose: false })
  const found: [string, number][] = []
  let behind = ''
  for await (const entry of zip.eachEntry()) {
    found.push([entry.fileName, entry.uncompressedSize])
    if (entry.fileName === 'behind.txt') behind = String(await buffer(await zip.openReadStreamPromise(entry)))
  }
  zip.close()
  expect([found, behind]).toEqual([
    [
      ['large.mp4', size],
      ['behind.txt', 6],
    ],
    'behind',
  ])
  expect(execFileSync('unzip', ['-t', file, 'behind.txt'], { encoding: 'utf8' })).toContain('No errors detected')
})

const ZEROS = Buffer.alloc(1024 * 1024)

async function* zeros(size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0; left -= ZEROS.length) yield ZEROS.subarray(0, Math.min(left, ZEROS.length))
}

/** What is nothing but zeros becomes a hole. */
async function writeSparse(file: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const handle = await open(file, 'w')
  let size = 0
  for await (const piece of pieces) {
    if (!piece.equals(ZEROS.subarray(0, piece.length))) await handle.write(piece, 0, piece.length, size)
    size += piece.length
  }
  await handle.truncate(size)
  await handle.close()
}

test.each([
  ['shorter', 23, 'a ended after 22 of 23 bytes'],
  ['longer', 21, 'a is longer than the 21 bytes that it may have'],
])('a file that is %s than was said breaks it off', async (_, size, sentence) => {
  const pieces = inPieces(Buffer.from('the pictures of a clip'))
  await expect(zipOf({ name: 'a', pieces, size })).rejects.toThrow(sentence)
})

test('nothing is asked for before what came before it is taken', async () => {
  const asked: string[] = []
  const members = (async function* () {
    for (const name of ['a', 'b', 'c']) {
      asked.push(name)
      yield { name, bytes: Buffer.from(name) }
    }
  })()
  const zip = writeZip(members)
  await zip.next()
  expect(asked).toEqual(['a'])
  await zip.return(undefined)
})
