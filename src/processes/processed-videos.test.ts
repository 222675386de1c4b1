import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProcessedVideos, type ProcessedVideos } from './processed-videos.ts'

let dataDir: string
let videos: ProcessedVideos
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'aerie-processed-'))
  videos = createProcessedVideos(dataDir)
})
afterEach(() => rmSync(dataDir, { recursive: true }))

function keep(processId: string, bytes: number): void {
  mkdirSync(videos.folderOf(processId), { recursive: true })
  writeFileSync(join(videos.folderOf(processId), '1.mp4'), Buffer.alloc(bytes))
}

test('what is kept is counted', async () => {
  expect(await videos.totalBytes()).toBe(0)
  keep('one', 1_000)
  keep('two', 500)
  expect(await videos.totalBytes()).toBe(1_500)
})

test('videos go with their processes', async () => {
  keep('known', 1)
  keep('forgotten', 1)
  await videos.removeUnknown(async (id) => id === 'known')
  expect(existsSync(videos.folderOf('known'))).toBe(true)
  expect(existsSync(videos.folderOf('forgotten'))).toBe(false)
})
