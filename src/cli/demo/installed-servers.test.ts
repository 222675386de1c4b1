import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findServers, type Places } from './installed-servers.ts'

let folder: string
let places: Places
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-installed-'))
  places = { path: join(folder, 'bin'), postgresVersions: join(folder, 'postgresql'), objectStore: 'vitest' }
})
afterEach(() => rmSync(folder, { recursive: true }))

function addProgram(...parts: string[]): void {
  const file = join(folder, ...parts)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '')
  chmodSync(file, 0o755)
}

test('the newest PostgreSQL is taken, and what is there is found', () => {
  for (const name of ['nats-server', 'setpriv']) addProgram('bin', name)
  for (const version of ['9.6', '14', '15']) addProgram('postgresql', version, 'bin', 'postgres')
  const { nats, postgresFolder, objectStore } = findServers(places)
  expect(nats).toBe(join(folder, 'bin/nats-server'))
  expect(postgresFolder).toBe(join(folder, 'postgresql/15/bin'))
  expect(objectStore).toContain('vitest')
})

test('all that is missing is said at once, and how to install it', () => {
  addProgram('bin', 'setpriv')
  addProgram('postgresql', '13', 'bin', 'postgres')
  expect(() => findServers({ ...places, objectStore: '@nobody/has-this' })).toThrow(
    'The demo of several nodes cannot start: this machine lacks nats-server and postgresql (Debian, as root: ' +
      'apt-get install nats-server postgresql); the object store @nobody/has-this, a package for developers, is not ' +
      'installed (npm ci --include=dev).',
  )
})
