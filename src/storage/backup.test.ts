import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  createMigratedDatabase,
  createTestDatabase,
  dialects,
  type TestDatabase,
} from '../../test/builders/databases.ts'
import { addAccount } from '../../test/builders/account.ts'
import { dropAllTables, hasAccounts, readBackup, writeBackup } from './backup.ts'
import { createJobStore } from './jobs.store.ts'

let folder: string
const databases: TestDatabase[] = []
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'aerie-backup-'))))
afterEach(async () => {
  rmSync(folder, { recursive: true })
  for (const database of databases.splice(0)) await database.remove()
})

async function remember<T extends TestDatabase>(database: Promise<T>): Promise<T> {
  databases.push(await database)
  return database
}

async function allRows({ db }: TestDatabase): Promise<unknown> {
  return {
    account: await db.selectFrom('account').selectAll().orderBy('id').execute(),
    ledger: await db.selectFrom('ledger_entry').selectAll().orderBy('id').execute(),
    job: await db.selectFrom('job').selectAll().orderBy('id').execute(),
  }
}

async function filled(dialect: 'sqlite' | 'postgres'): Promise<TestDatabase> {
  const database = await remember(createMigratedDatabase(dialect))
  await addAccount(database, { username: 'admin', minutes: 5 })
  await createJobStore(database).add({ kind: 'mail', payload: { text: 'grüße "\n' }, runAt: 1 }, 1)
  return database
}

describe.each(dialects)('a backup of %s', (from) => {
  test.each(dialects)('comes back whole in %s', async (to) => {
    const source = await filled(from)
    const file = join(folder, 'saved')
    await writeBackup(source, { 'master.key': 'secret' }, file)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const target = await remember(createTestDatabase(to))
    const { files } = await readBackup(target, file)
    expect(files).toEqual({ 'master.key': 'secret' })
    expect(await allRows(target)).toEqual(await allRows(source))
  })

  test('can be taken while others write', async () => {
    const source = await filled(from)
    const writing = (async () => {
      for (let i = 0; i < 50; i++) await addAccount(source, { username: `user-${i}` })
    })()
    await writeBackup(source, {}, join(folder, 'saved'))
    await writing
    const target = await remember(createTestDatabase(from))
    await readBackup(target, join(folder, 'saved'))
    expect(await hasAccounts(target)).toBe(true)
  })
})

test.each([
  ['text', (_: Buffer) => Buffer.from('hello'), 'is not a backup of Aerie'],
  ['other gzip', (_: Buffer) => gzipSync('{"a":1}\n'), 'is not a backup of Aerie'],
  ['a cut file', (saved: Buffer) => saved.subarray(0, saved.length - 20), 'is damaged'],
  [
    'a file without its end',
    (saved: Buffer) => gzipSync(gunzipSync(saved).toString().trimEnd().split('\n').slice(0, -1).join('\n')),
    'is cut off',
  ],
  [
    'a newer one',
    (saved: Buffer) =>
      gzipSync(
        gunzipSync(saved)
          .toString()
          .replace(/"schema_version":"[^"]*"/, '"schema_version":"9999-x"'),
      ),
    'newer version',
  ],
])('%s is refused with a sentence, and nothing is restored', async (_name, damage, sentence) => {
  const file = join(folder, 'saved')
  await writeBackup(await filled('sqlite'), {}, file)
  writeFileSync(file, damage(readFileSync(file)))
  const target = await remember(createTestDatabase('sqlite'))
  await expect(readBackup(target, file)).rejects.toThrow(sentence)
  expect(await hasAccounts(target)).toBe(false)
})

test.each(dialects)('all tables can be dropped to make room, on %s', async (dialect) => {
  const database = await filled(dialect)
  await dropAllTables(database)
  expect(await hasAccounts(database)).toBe(false)
})
