import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { claimingSamples } from '../../../test/builders/claiming-mp4.ts'
import { fileSource } from './file-source.ts'

const folder = mkdtempSync(join(tmpdir(), 'aerie-file-source-'))
afterAll(() => rmSync(folder, { recursive: true }))

const openFile = (path: string) =>
  fileSource(path, { startedAtMs: null, resumeAfterSeconds: null }, new AbortController().signal).next()

test('a file that claims millions of pictures is not opened, though it is stored', async () => {
  const [plain, claims] = [join(folder, 'plain.mp4'), join(folder, 'claims.mp4')]
  const source = [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=64x64:rate=25',
    '-t',
    '1',
    '-c:v',
    'libx264',
    '-pix_fmt',
    'yuv420p',
  ]
  execFileSync('ffmpeg', ['-y', '-v', 'error', ...source, plain])
  expect(await openFile(plain)).toMatchObject({ value: { kind: 'opened', video: { codec: 'h264' } } })
  writeFileSync(claims, claimingSamples(plain, 26_000_000))
  await expect(openFile(claims)).rejects.toMatchObject({
    failure: 'source-unreadable',
    message: expect.stringMatching(
      /^The file cannot be opened: It claims to hold more than 4000000 pictures.*files\.$/,
    ),
  })
})

test('a file that is no video is refused, without the words of what reads it', async () => {
  const notes = join(folder, 'notes.mp4')
  writeFileSync(notes, 'just text')
  await expect(openFile(notes)).rejects.toMatchObject({
    failure: 'source-unreadable',
    message: expect.stringMatching(/^The file cannot be opened: It holds no MP4, MOV or AVI video that can be read: /),
  })
})
