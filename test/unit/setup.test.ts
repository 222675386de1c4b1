import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('packages that a link leads to are used as they are, and never installed over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-setup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const copy = join(folder, 'copy')
  const shared = join(folder, 'shared')
  for (const name of ['scripts/setup.js', 'scripts/run-compiled.js', 'package.json', 'package-lock.json'])
    cpSync(join(root, name), join(copy, name))
  for (const name of ['copy/src', 'shared', 'called']) mkdirSync(join(folder, name), { recursive: true })
  symlinkSync(shared, join(copy, 'node_modules'))
  // Ends the set-up once it is about to build.
  writeFileSync(join(copy, 'scripts/bundle.js'), 'process.exit(7)')
  writeFileSync(join(folder, 'called/npm'), `#!/bin/sh\ntouch ${join(folder, 'installed')}\n`, { mode: 0o755 })

  const { stderr } = spawnSync(process.execPath, ['-e', `import('./scripts/setup.js').then(({ setUp }) => setUp())`], {
    cwd: copy,
    env: { ...process.env, PATH: `${join(folder, 'called')}:${process.env['PATH']}` },
    encoding: 'utf8',
  })
  expect(stderr).toContain('building …')
  expect(existsSync(join(folder, 'installed'))).toBe(false)
})
