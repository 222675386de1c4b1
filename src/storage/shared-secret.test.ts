import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { readNodeInstance, readServiceSecret } from './secret-files.ts'
import { sharedServiceSecret } from './shared-secret.ts'

const folders: string[] = []
function dataDir(): string {
  const folder = mkdtempSync(join(tmpdir(), 'aerie-secret-'))
  folders.push(folder)
  return folder
}
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

describe.each(dialects)('the secret of all nodes on %s', (dialect) => {
  let database: TestDatabase
  beforeEach(async () => void (database = await createMigratedDatabase(dialect)))
  afterEach(() => database.remove())

  test('is the first one’s, also when several start at once', async () => {
    const dataDirs = [dataDir(), dataDir(), dataDir()]
    const own = dataDirs.map(readServiceSecret)
    const shared = await Promise.all(dataDirs.map((folder) => sharedServiceSecret(database.db, folder)))
    expect(new Set(shared).size).toBe(1)
    expect(own).toContain(shared[0])
    expect(await sharedServiceSecret(database.db, dataDir())).toBe(shared[0])
  })
})

test('a data folder is the same instance at every start, and another than every other', () => {
  const [one, other] = [dataDir(), dataDir()]
  expect(readNodeInstance(one)).toBe(readNodeInstance(one))
  expect(readNodeInstance(one)).not.toBe(readNodeInstance(other))
})
