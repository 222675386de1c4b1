import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { diskOnly } from '../../test/builders/disk-only.ts'
import { createProcessedVideoFolder, type ProcessedVideoFolder } from './processed-video-folder.ts'

let dataDir: string
let videos: ProcessedVideoFolder
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'aerie-processed-'))
  videos = createProcessedVideoFolder(dataDir, diskOnly(dataDir))
})
afterEach(() => rmSync(dataDir, { recursive: true }))

function keep(processId: string, bytes: number): void {
  mkdirSync(videos.folderOf(processId), { recursive: true })
  writeFileSync(join(videos.folderOf(processId), '1.mp4'), Buffer.alloc(bytes))
}

test('each has its size and the time of its newest file', async () => {
  expect(await videos.listIds()).toEqual([])
  keep('one', 10)
  writeFileSync(join(videos.folderOf('one'), '2.mp4'), Buffer.alloc(5))
  utimesSync(join(videos.folderOf('one'), '1.mp4'), 100, 100)
  utimesSync(join(videos.folderOf('one'), '2.mp4'), 200, 200)
  mkdirSync(videos.folderOf('empty'))
  expect((await videos.listIds()).sort()).toEqual(['empty', 'one'])
  expect(await videos.measure('one')).toEqual({ processId: 'one', sizeBytes: 15, writtenAt: 200_000 })
  expect(await videos.measure('empty')).toEqual({ processId: 'empty', sizeBytes: 0, writtenAt: 0 })
})

test('videos go with their processes', async () => {
  keep('known', 1)
  keep('forgotten', 1)
  await videos.removeUnknown(async (id) => id === 'known')
  expect(existsSync(videos.folderOf('known'))).toBe(true)
  expect(existsSync(videos.folderOf('forgotten'))).toBe(false)
})
