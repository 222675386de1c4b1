import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createVideoFolder, toVideoFile, type VideoFolder } from './video-upload.ts'

let dataDir: string
let folder: VideoFolder
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'aerie-videos-'))
  folder = createVideoFolder(dataDir, diskOnly(dataDir))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

const unlimited = { limitBytes: 1_000, reserve: async () => {} }
const receive = (text: string, limits = unlimited) =>
  folder.receive(Readable.from([Buffer.from(text)]), 'A.MP4', limits)
const incoming = () => readdirSync(join(dataDir, 'videos', 'incoming'))

test('the same content of an account is one file, and of another account another', async () => {
  const first = await receive('film')
  const again = await receive('film')
  const file = toVideoFile('bob', first)
  expect(file).toMatch(/^bob\/[0-9a-f]{64}\.mp4$/)
  expect(toVideoFile('bob', again)).toBe(file)
  expect(toVideoFile('eve', again)).not.toBe(file)
  await folder.keep(first, file)
  await folder.keep(again, file)
  expect(readFileSync((await folder.find(file))!, 'utf8')).toBe('film')
  expect(incoming()).toEqual([])
  await folder.remove(file)
  expect(await folder.find(file)).toBeUndefined()
})

test('nothing is written that was not reserved, and what is refused leaves nothing', async () => {
  const reserved: number[] = []
  const reserve = async (bytes: number) => {
    reserved.push(bytes)
    if (reserved.length === 2) throw new Error('no room')
  }
  const stream = Readable.from(['one', 'three'].map((text) => Buffer.from(text)))
  await expect(folder.receive(stream, 'a.mp4', { limitBytes: 1_000, reserve })).rejects.toThrow()
  expect(reserved).toEqual([3, 5])
  expect(incoming()).toEqual([])
  await expect(receive('too large', { ...unlimited, limitBytes: 3 })).rejects.toMatchObject({ code: 'video-too-large' })
  expect(incoming()).toEqual([])
})

test('the file is there before anything is written to it, so that its removal never comes too early', async () => {
  const files: number[] = []
  const reserve = async () => void files.push(incoming().length)
  await receive('film', { ...unlimited, reserve })
  expect(files).toEqual([1])
})

test('what a crash left behind goes, and files with a source stay, also those named after it', async () => {
  const videos = join(dataDir, 'videos')
  mkdirSync(join(videos, 'bob'), { recursive: true })
  for (const name of ['source-1.mp4', 'source-2.mov', 'bob/known.mp4', 'bob/stray.mp4'])
    writeFileSync(join(videos, name), 'x')
  await receive('cut off')
  await folder.cleanUp(async () => ['source-1.mp4', 'bob/known.mp4'])
  expect(readdirSync(videos).sort()).toEqual(['bob', 'source-1.mp4'])
  expect(readdirSync(join(videos, 'bob'))).toEqual(['known.mp4'])
  expect(existsSync(join(videos, 'incoming'))).toBe(false)
})

test('there may be no folder yet', () => folder.cleanUp(async () => []))

test.each(['.mp4', '.MOV'])('a file that is called %s and nothing else needs a name', async (name) => {
  const refused = { code: 'input-invalid', errors: [{ path: 'body.file', message: expect.stringContaining('a name') }] }
  await expect(folder.receive(Readable.from([]), name, unlimited)).rejects.toMatchObject(refused)
})
