import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createLog } from '../observe/log.ts'
import { createRunFolder, removeDeadRunFolders } from './run-folder.ts'

const log = createLog({ level: 'silent' })

function createParent(): string {
  const parent = mkdtempSync(join(tmpdir(), 'aerie-run-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  return parent
}

test('folders where nobody listens any more are removed, with what is in them, and nothing else', async () => {
  const parent = createParent()
  const [dead, empty, alive, fresh] = [0, 1, 2, 3].map(() => createRunFolder(parent))
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(alive!.socketPath, resolve))
  onTestFinished(() => void server.close())
  writeFileSync(dead!.socketPath, '')
  const others = ['aerie-hls-notes', 'others'].map((name) => join(parent, name))
  for (const folder of others) mkdirSync(folder)
  symlinkSync(others[1]!, join(parent, 'aerie-hls-AbC123'))
  const [deadFolder, emptyFolder, aliveFolder, freshFolder] = [dead, empty, alive, fresh].map((one) =>
    dirname(one!.socketPath),
  )
  for (const folder of [deadFolder!, emptyFolder!, aliveFolder!, ...others]) utimesSync(folder, 0, 0)

  await removeDeadRunFolders(log, { parent })
  expect([deadFolder!, emptyFolder!].filter((folder) => existsSync(folder))).toEqual([])
  expect([aliveFolder!, freshFolder!, ...others].filter((folder) => !existsSync(folder))).toEqual([])
})

test('a folder for temporary things that cannot be read is no reason to stop', async () => {
  await removeDeadRunFolders(log, { parent: join(createParent(), 'missing') })
})

test('a folder goes with its worker', () => {
  const folder = createRunFolder(createParent())
  writeFileSync(folder.socketPath, '')
  folder.remove()
  folder.remove()
  expect(existsSync(dirname(folder.socketPath))).toBe(false)
})
