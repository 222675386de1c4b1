import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDir } from './data-dir.ts'

let dataDir: string
beforeEach(() => void (dataDir = join(mkdtempSync(join(tmpdir(), 'aerie-dir-')), 'data')))
afterEach(() => rmSync(join(dataDir, '..'), { recursive: true }))

test('only one service at a time has the folder', () => {
  const lock = lockDataDir(dataDir)
  expect(statSync(dataDir).mode & 0o777).toBe(0o700)
  expect(() => lockDataDir(dataDir)).toThrow('Another Aerie is running')
  lock.release()
  lockDataDir(dataDir).release()
})

test('who came to nothing leaves nothing, and takes nothing of others', () => {
  const folder = join(dataDir, 'deep', 'down')
  lockDataDir(folder).undo()
  expect(existsSync(dataDir)).toBe(false)

  const lock = lockDataDir(folder)
  writeFileSync(join(folder, 'mine'), '')
  lock.undo()
  expect(readdirSync(folder)).toEqual(['mine'])

  lockDataDir(folder).release()
  lockDataDir(folder).undo()
  expect(readdirSync(folder).toSorted()).toEqual(['aerie.lock', 'mine'])
})

test('another process sees the lock, and kill -9 frees it', async () => {
  lockDataDir(dataDir).release()
  const program = `
    const lock = new (require('libsql'))(process.argv[1])
    lock.exec('begin exclusive')
    process.stdout.write('locked')
    setInterval(() => lock.open, 1000)`
  const holder = spawn(process.execPath, ['-e', program, join(dataDir, 'aerie.lock')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(holder.stdout, 'data')
  expect(() => lockDataDir(dataDir)).toThrow('Another Aerie is running')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  lockDataDir(dataDir).release()
})

test.each([
  ['that is a file', '', 'there is a file of that name'],
  ['below a file', 'below', 'a part of that path is a file'],
])('a folder %s is refused in a sentence that names the setting', (_name, below, reason) => {
  writeFileSync(dataDir, '')
  const folder = join(dataDir, below)
  expect(() => lockDataDir(folder)).toThrow(`AERIE_DATA_DIR is ${folder}, and cannot be used: ${reason}. Set it to`)
})

test('so is one in which nothing can be made', () => {
  mkdirSync(join(dataDir, 'aerie.lock'), { recursive: true })
  expect(() => lockDataDir(dataDir)).toThrow('and cannot be used: nothing can be written into it.')
})
