import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isDataDirInUse, lockDataDir } from './data-dir.ts'

let dataDir: string
beforeEach(() => void (dataDir = join(mkdtempSync(join(tmpdir(), 'aerie-dir-')), 'data')))
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true }))

test('only one service at a time has the folder', () => {
  const lock = lockDataDir(dataDir)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(isDataDirInUse(dataDir)).toBe(true)
  expect(() => lockDataDir(dataDir)).toThrow('Another Aerie is running')
  lock.release()
  expect(isDataDirInUse(dataDir)).toBe(false)
  lockDataDir(dataDir).release()
})

test.each(['999999999 5', `${process.pid} 1`, '', 'nonsense'])(
  'a lock that its holder left behind (%j) is taken over',
  (left) => {
    lockDataDir(dataDir).release()
    writeFileSync(join(dataDir, 'aerie.lock'), left)
    expect(isDataDirInUse(dataDir)).toBe(false)
    lockDataDir(dataDir).release()
  },
)
