import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGunzip, type Gunzip, gunzipSync, gzipSync } from 'node:zlib'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  createMigratedDatabase,
  createTestDatabase,
  dialects,
  type TestDatabase,
} from '../../test/support/databases.ts'
import { accountsOn, addAccount, sumOfBook } from '../../test/builders/account.ts'
import { toBalance } from '../accounts/ledger.store.ts'
import { type BackupFiles, hasAccounts, readBackup, writeBackup } from './backup.ts'
import { openDatabase } from './database.ts'
import { createJobStore } from './jobs.store.ts'
import { migrate, schemaVersions } from './migrate.ts'

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
  await createJobStore(database).add({ kind: 'mail', payload: { text: 'grüße "\n\u2028' }, runAt: 1 }, 1)
  return database
}

/** With what every version has of an account. */
async function addOldAccount({ db }: TestDatabase): Promise<void> {
  await sql`insert into account (id, username, max_sources, max_outputs, max_attached_outputs, max_processes,
    max_video_upload_size_bytes, total_storage_size_bytes, track_logger, enhancement, process_recording,
    recording_retention_days, created_at) values ('1', 'old', 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1)`.execute(db)
}

describe.each(dialects)('a backup of %s', (from) => {
  test.each(dialects)('comes back whole in %s', async (to) => {
    const source = await filled(from)
    const file = join(folder, 'saved')
    const saved = { masterKey: 'secret', serviceSecret: 's'.repeat(43), settings: 'AERIE_HTTP_PORT: 80' }
    await writeBackup(source, saved, file)
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const target = await remember(createTestDatabase(to))
    let files: BackupFiles | undefined
    await readBackup(target, file, (read) => (files = read))
    expect(files).toEqual(saved)
    expect(await allRows(target)).toEqual(await allRows(source))
    // As the next start of the service does, which must find nothing to be done.
    await migrate(target.db)
  })

  test('is of one moment, though others write meanwhile', async () => {
    const source = await filled(from)
    const { service } = accountsOn(source)
    const master = await service.find('admin')
    for (let i = 0; i < 50; i++) await service.createChild(master, { username: `early-${i}`, minutes: 0 })

    const other = openDatabase(source.url)
    const { service: writer } = accountsOn(other)
    let isSaved = false
    let writes = 0
    const writing = (async () => {
      for (; !isSaved; writes++) {
        await writer.createChild(master, { username: `late-${writes}`, minutes: 0.1 }).catch(() => {})
        // SQLite never waits for anything by itself, and would let nobody else have a turn.
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()
    await writeBackup(source, {}, join(folder, 'saved'))
    isSaved = true
    await writing
    await other.close()
    expect(writes).toBeGreaterThan(0)

    const target = await remember(createTestDatabase(from))
    await readBackup(target, join(folder, 'saved'))
    for (const account of await target.db.selectFrom('account').selectAll().execute())
      expect(toBalance(account)).toEqual(await sumOfBook(target, account.id))
  })

  // What migrations do to rows in PostgreSQL, their own tests show; each backup read there costs a second.
  const versions = from === 'sqlite' ? schemaVersions : schemaVersions.filter((_, index) => index % 5 === 0)

  test('of any version is brought up to date', { timeout: 180_000 }, async () => {
    const source = await remember(createTestDatabase(from))
    // Tables that are there and empty must not keep their newer shape.
    const target = await remember(createMigratedDatabase(from))
    for (const [index, version] of versions.entries()) {
      await migrate(source.db, version)
      if (index === 0) await addOldAccount(source)
      const file = join(folder, version)
      await writeBackup(source, {}, file)
      await readBackup(target, file)
      const usernames = await target.db.selectFrom('account').select('username').execute()
      expect(usernames, version).toEqual([{ username: 'old' }])
      // The next one is read into tables without rows.
      await target.db.deleteFrom('account').execute()
    }
  })

  test('is checked to its end before what is there is dropped', async () => {
    const source = await filled(from)
    const file = join(folder, 'saved')
    await writeBackup(source, {}, file)
    const before = await allRows(source)
    writeFileSync(file, readFileSync(file).subarray(0, -20))
    await expect(readBackup(source, file)).rejects.toThrow('is damaged')
    expect(await allRows(source)).toEqual(before)
  })

  test('with a row that fits into no table leaves what is there as it is', async () => {
    const source = await filled(from)
    const file = join(folder, 'saved')
    await writeBackup(source, {}, file)
    rewrite(file, (lines) => {
      const account = lines.find(({ table }) => table === 'account')!
      const colourful = { ...account, row: { ...account.row, id: '2', colour: 'red' } }
      return [...lines.slice(0, -1), colourful, { rows: lines.length - 1 }]
    })
    const before = await allRows(source)
    await expect(readBackup(source, file)).rejects.toThrow(/row \d+ does not fit into the table account; nothing was/)
    expect(await allRows(source)).toEqual(before)
  })

  test('of an older version, with what that never wrote, is refused with a sentence', async () => {
    const old = await remember(createTestDatabase(from))
    await migrate(old.db, '0021-removed-job')
    await addOldAccount(old)
    await sql`insert into alert (id, account_id, alias, status, setup, created_at, updated_at)
      values ('1', '1', 'a', 'active', 'no JSON', 1, 1)`.execute(old.db)
    const file = join(folder, 'saved')
    await writeBackup(old, {}, file)
    const target = await filled(from)
    const before = await allRows(target)
    await expect(readBackup(target, file)).rejects.toThrow(
      /cannot be brought up to date \(.*\); nothing was restored\.$/,
    )
    expect(await allRows(target)).toEqual(before)
  })

  test('leaves what is there as it is when its files cannot be laid down', async () => {
    const source = await filled(from)
    const file = join(folder, 'saved')
    await writeBackup(source, { masterKey: 'secret' }, file)
    await createJobStore(source).add({ kind: 'later', payload: {}, runAt: 1 }, 1)
    const before = await allRows(source)
    const noRoom = () => {
      throw new Error('no space left on device')
    }
    await expect(readBackup(source, file, noRoom)).rejects.toThrow('no space left')
    expect(await allRows(source)).toEqual(before)
  })
})

test.each([
  ['of an earlier version, without the secret of links, is restored', () => ({}), undefined],
  [
    'with a secret that can be guessed is refused',
    () => ({ 'link.secret': ' ' }),
    'is not a backup of Aerie, or is damaged',
  ],
])('a backup %s', async (_name, files, refusal) => {
  const file = join(folder, 'saved')
  await writeBackup(await filled('sqlite'), { serviceSecret: 's'.repeat(43) }, file)
  rewrite(file, ([header, ...rows]) => [{ ...header, files: files() }, ...rows])
  const target = await remember(createTestDatabase('sqlite'))
  const staged: BackupFiles[] = []
  const restored = readBackup(target, file, (read) => void staged.push(read))
  if (refusal) await expect(restored).rejects.toThrow(refusal)
  else await restored
  expect(staged).toEqual(refusal ? [] : [{}])
})

interface BackupLine {
  readonly table?: string
  readonly row?: object
}

function rewrite(file: string, change: (lines: BackupLine[]) => unknown[]): void {
  const lines = gunzipSync(readFileSync(file)).toString().trimEnd().split('\n')
  const changed = change(lines.map((line) => JSON.parse(line) as BackupLine))
  writeFileSync(file, gzipSync(changed.map((line) => `${JSON.stringify(line)}\n`).join('')))
}

const gunzipPrototype = Object.getPrototypeOf(createGunzip()) as Gunzip

/** What comes out of every gunzip from now on, until the test ends. */
function countUnpacked(): () => number {
  const push = Reflect.get(gunzipPrototype, 'push')
  let bytes = 0
  const counted = vi.spyOn(gunzipPrototype, 'push').mockImplementation(function (this: Gunzip, chunk: Buffer | null) {
    bytes += chunk?.length ?? 0
    return push.call(this, chunk)
  })
  onTestFinished(() => counted.mockRestore())
  return () => bytes
}

test.each([
  ['one line of 64 MiB in 64 kB', () => [Buffer.alloc(64 << 20, ' ')], /line 1 has more than 16777216 bytes/],
  [
    'a row of 64 MiB behind good ones',
    (saved: Buffer) => [saved.subarray(0, saved.lastIndexOf('{"rows"')), Buffer.alloc(64 << 20, '[')],
    /line \d+ has more than 16777216 bytes, as no row has; nothing was restored/,
  ],
])('%s is refused before it is unpacked to its end', async (_name, contents, sentence) => {
  const file = join(folder, 'saved')
  await writeBackup(await filled('sqlite'), {}, file)
  writeFileSync(file, gzipSync(Buffer.concat(contents(gunzipSync(readFileSync(file))))))
  const target = await remember(createTestDatabase('sqlite'))
  const unpackedBytes = countUnpacked()
  await expect(readBackup(target, file)).rejects.toThrow(sentence)
  expect(unpackedBytes()).toBeGreaterThan(16 << 20)
  expect(unpackedBytes()).toBeLessThan(18 << 20)
})

test('rows without end are refused when they are more than a file of that size can hold', async () => {
  const file = join(folder, 'saved')
  await writeBackup(await filled('sqlite'), {}, file)
  rewrite(file, (lines) => [...lines, ...Array<unknown>(2_000).fill(lines[1])])
  const target = await remember(createTestDatabase('sqlite'))
  const limits = { maxLineBytes: 1 << 20, minTotalBytes: 100_000, maxExpansion: 1 }
  await expect(readBackup(target, file, undefined, limits)).rejects.toThrow(/unpacks to more than 100000 bytes/)
  expect(await hasAccounts(target)).toBe(false)
})

test.each([
  ['text', (_: Buffer) => Buffer.from('hello'), 'is not a backup of Aerie'],
  ['other gzip', (_: Buffer) => gzipSync('{"a":1}\n'), 'is not a backup of Aerie'],
  ['a cut file', (saved: Buffer) => saved.subarray(0, saved.length - 20), 'is damaged'],
  [
    'a wrong checksum',
    (saved: Buffer) => Buffer.concat([saved.subarray(0, -8), Buffer.alloc(4), saved.subarray(-4)]),
    'is damaged',
  ],
  ['a broken line', (saved: Buffer) => gzipSync(gunzipSync(saved).toString().replace('"row":', '"row"')), 'is damaged'],
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

test.skipIf(process.platform !== 'linux')('a file with a wrong header is not kept open', async () => {
  const file = join(folder, 'saved')
  await writeBackup(await filled('sqlite'), {}, file)
  // More than is read ahead, so that the end of the file does not close it.
  const more = randomBytes(4 << 20).toString('base64')
  rewrite(file, ([header]) => [{ ...header, schema_version: '9999-x' }, more])
  const target = await remember(createTestDatabase('sqlite'))
  await expect(readBackup(target, file)).rejects.toThrow('newer version')
  const isOpen = () => readdirSync('/proc/self/fd').some((fd) => linkOf(`/proc/self/fd/${fd}`) === file)
  await expect.poll(isOpen).toBe(false)
})

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    // The descriptor by which the folder was read is closed by now.
    return undefined
  }
}
