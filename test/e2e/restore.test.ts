/** What others hold of an installation, by their cameras, players and brokers, survives a restore into another folder. */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLinkSigner } from '../../src/core/signed-token.ts'
import { createOutputTokens } from '../../src/outputs/output-tokens.ts'
import { readServiceSecret, toInstanceId } from '../../src/storage/service-secret.ts'
import { createInstallation, type Installation } from '../support/service.ts'

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
