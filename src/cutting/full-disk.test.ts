/** A real disk that is full: a small one in memory, which only root may mount. Others have nothing to test with. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordClip } from '../../test/support/recorded-clip.ts'
import { DEFAULT_PICTURE_LIMIT } from '../core/picture-limit.ts'
import { cut } from './cutter.ts'

const folder = mkdtempSync(join(tmpdir(), 'aerie-full-disk-'))
const disk = join(folder, 'disk')
const isMounted = mount()
let recorded: string
beforeAll(async () => {
  if (isMounted) recorded = (await recordClip(folder, { seconds: 4 })).file
})
afterAll(() => {
  if (isMounted) execFileSync('umount', [disk])
  rmSync(folder, { recursive: true })
})

/** Of two pages. */
function mount(): boolean {
  if (process.getuid?.() !== 0) return false
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8k,mode=700', 'tmpfs', disk])
  return true
}

test.skipIf(!isMounted).each([
  ['copied', null],
  ['encoded anew', []],
])('where there is no room for what is %s it says so, and leaves nothing', async (_what, looks) => {
  const files = [{ path: recorded, startedAtMs: 0, gapMs: null }]
  const order = {
    files,
    fromMs: 500,
    toMs: 3_500,
    target: join(disk, 'clip'),
    looks,
    maxPicture: DEFAULT_PICTURE_LIMIT,
  }
  await expect(cut(order, () => {})).rejects.toMatchObject({
    reason: 'disk-full',
    message: 'There was no room on the disk of the service; make room and cut it again.',
  })
  expect(readdirSync(disk)).toEqual([])
})
