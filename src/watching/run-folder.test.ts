import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRunFolder, removeDeadRunFolders } from './run-folder.ts'

test('folders of processes that are gone are removed, with what is in them, and nothing else', () => {
  const parent = mkdtempSync(join(tmpdir(), 'aerie-run-'))
  onTestFinished(() => rmSync(parent, { recursive: true }))
  const { pid } = spawnSync('true')
  const ours = createRunFolder(parent)
  const names = [`aerie-hls-${pid}-AbC123`, `aerie-hls-${process.ppid}-AbC123`, 'aerie-hls-notes', 'others']
  for (const name of names) {
    mkdirSync(join(parent, name))
    writeFileSync(join(parent, name, '1.sock'), '')
  }
  symlinkSync(join(parent, 'others'), join(parent, `aerie-hls-${pid}-link`))
  removeDeadRunFolders(parent)
  expect([basename(ours), ...names].filter((name) => existsSync(join(parent, name)))).toEqual([
    basename(ours),
    ...names.slice(1),
  ])
  expect(existsSync(join(parent, 'others', '1.sock'))).toBe(true)
})
