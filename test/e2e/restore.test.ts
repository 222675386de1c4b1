/** A backup brings everything back, also what others hold of an installation by their cameras, players and brokers; and costs nothing of what is there. */
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createLinkSigner } from '../../src/core/signed-token.ts'
import { createOutputTokens } from '../../src/outputs/output-tokens.ts'
import { readServiceSecret, toInstanceId } from '../../src/storage/secret-files.ts'
import { type Installation } from '../support/installation.ts'
import { createInstallation } from '../support/service.ts'

let installation: Installation
let backup: string
beforeAll(async () => {
  installation = createInstallation()
  await (await installation.start()).stop()
  backup = join(installation.dataDir, 'saved.backup')
  await installation.command('backup', backup)
})
afterAll(() => installation.remove())

function identityOf(dataDir: string) {
  const secret = readServiceSecret(dataDir)
  const outputToken = createOutputTokens(createLinkSigner(secret)).issue('00000000-0000-4000-8000-000000000000')
  return { instanceId: toInstanceId(secret), outputToken }
}

test('a fresh folder has the addresses of outputs and the instance id of before, for its owner only', async () => {
  const before = identityOf(installation.dataDir)
  const elsewhere = join(installation.dataDir, 'elsewhere')
  await installation.commandWith({ AERIE_DATA_DIR: elsewhere }, 'restore', backup)
  expect(identityOf(elsewhere)).toEqual(before)
  for (const name of ['link.secret', 'master.key'])
    expect(statSync(join(elsewhere, name)).mode & 0o777, name).toBe(0o600)
  expect(statSync(backup).mode & 0o777).toBe(0o600)
})

test('a backup of an earlier version, which has no secret of links, is restored, and leaves the one that is there', async () => {
  const before = identityOf(installation.dataDir)
  const [header, ...rows] = gunzipSync(readFileSync(backup)).toString().split('\n')
  const { files, ...rest } = JSON.parse(header!) as { files: Record<string, string> }
  const older = JSON.stringify({ ...rest, files: { 'master.key': files['master.key'] } })
  const file = join(installation.dataDir, 'older.backup')
  writeFileSync(file, gzipSync([older, ...rows].join('\n')))
  await installation.command('restore', file, '--force')
  expect(identityOf(installation.dataDir)).toEqual(before)
})

test('a restore replaces a database that cannot be read, and no settings that are in use', async () => {
  const copy = createInstallation()
  onTestFinished(() => copy.remove())
  cpSync(installation.dataDir, copy.dataDir, { recursive: true })
  const settings = join(copy.dataDir, 'config.yml')
  writeFileSync(settings, 'AERIE_LOG_LEVEL: info\n')
  const { stdout } = await copy.command('backup', 'with-settings.backup')
  expect(stdout).toMatch(/and the settings in .*config\.yml to .*settings\.backup\. .* environment are not in it\.$/m)
  writeFileSync(settings, 'AERIE_LOG_LEVEL: warn\n')
  writeFileSync(join(copy.dataDir, 'aerie.db'), 'not a database at all, but long enough to be looked at'.repeat(100))
  await expect(copy.command('restore', 'with-settings.backup')).rejects.toThrow('--force')
  await copy.command('restore', 'with-settings.backup', '--force')
  expect(readFileSync(settings, 'utf8')).toContain('warn')
  expect(readFileSync(join(copy.dataDir, 'config.restored.yml'), 'utf8')).toContain('info')
  expect((await (await copy.start()).call('GET', '/login')).status).toBe(200)
})

test('a master key that cannot be laid in its place is kept beside it, and the command says where', async () => {
  const elsewhere = { AERIE_DATA_DIR: join(installation.dataDir, 'without-key') }
  await installation.commandWith(elsewhere, 'restore', backup)
  const key = join(elsewhere.AERIE_DATA_DIR, 'master.key')
  rmSync(key)
  mkdirSync(key)
  const restored = installation.commandWith(elsewhere, 'restore', backup, '--force')
  await expect(restored).rejects.toThrow(/database is restored, but .*master\.key\.restoring could not be moved/)
  expect(readFileSync(`${key}.restoring`, 'utf8').trim()).toBe(installation.masterKey)
})

test('a damaged backup never costs what is there', async () => {
  const file = join(installation.dataDir, 'damaged.backup')
  writeFileSync(file, readFileSync(backup).subarray(0, -30))
  const elsewhere = { AERIE_DATA_DIR: join(installation.dataDir, 'new', 'data') }
  await Promise.all([
    expect(installation.command('restore', file, '--force')).rejects.toThrow('damaged'),
    expect(installation.commandWith(elsewhere, 'restore', file)).rejects.toThrow('damaged'),
  ])
  expect(existsSync(join(installation.dataDir, 'new'))).toBe(false)
  expect((await installation.command('keys', 'list')).stdout).toMatch(/^admin /m)
})

test('a backup taken while running brings everything back', async () => {
  const service = await installation.start()
  await service.call('POST', '/keys', { body: { username: 'pilot', minutes: 7 } })
  const file = join(installation.dataDir, 'running.backup')
  expect((await installation.command('backup', file)).stdout).toMatch(/^Saved \d+ rows to /)
  await service.call('DELETE', '/keys/pilot')
  await expect(installation.command('restore', file)).rejects.toThrow('Another Aerie is running')
  await service.stop()
  await expect(installation.command('restore', file)).rejects.toThrow('--force')
  await installation.command('restore', file, '--force')

  const again = await installation.start()
  expect(await (await again.call('GET', '/keys')).json()).toMatchObject([
    { username: 'pilot', subscription: { remaining_minutes: 7 } },
  ])
})
