import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openSqliteConnection, type SqliteConnection } from './sqlite-connection.ts'

let folder: string
let connection: SqliteConnection
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'aerie-thread-'))
  connection = openSqliteConnection(join(folder, 'test.db'), [
    'create table if not exists bird (name text primary key)',
  ])
})
afterEach(async () => {
  await connection.close()
  rmSync(folder, { recursive: true })
})

const add = (name: string) => connection.execute('insert into bird (name) values (?)', [name])

test('rows that were written are read, with what was changed', async () => {
  expect(await add('osprey')).toMatchObject({ rows: [], changes: 1, lastId: 1 })
  expect(await connection.execute('select name from bird where name = ?', ['osprey'])).toMatchObject({
    rows: [{ name: 'osprey' }],
  })
  expect(await connection.execute('delete from bird returning name', [])).toMatchObject({ rows: [{ name: 'osprey' }] })
})

test('a failure has its code, and the same statement works afterwards', async () => {
  await add('osprey')
  await expect(add('osprey')).rejects.toMatchObject({
    message: expect.stringContaining('UNIQUE') as unknown,
    code: 'SQLITE_CONSTRAINT_PRIMARYKEY',
  })
  await add('kite')
})

test('many orders at once are answered in their order', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `bird ${index}`)
  const counts = names.map(async (name) => {
    await add(name)
    return name
  })
  expect(await Promise.all(counts)).toEqual(names)
  const { rows } = await connection.execute('select name from bird order by rowid', [])
  expect(rows.map((row) => (row as { name: string }).name)).toEqual(names)
})

test('more texts of statements than are kept prepared do no harm', async () => {
  for (let round = 0; round < 2; round++)
    for (let number = 0; number < 250; number++)
      expect(await connection.execute(`select ${number} as number`, [])).toMatchObject({ rows: [{ number }] })
})

test('rows come in parts', async () => {
  for (let number = 10; number < 35; number++) await add(`bird ${number}`)
  const parts: unknown[][] = []
  for await (const rows of connection.iterate('select name from bird order by name', [], 10)) parts.push(rows)
  expect(parts.map((rows) => rows.length)).toEqual([10, 10, 5])
  expect(parts.flat()[24]).toEqual({ name: 'bird 34' })
})

test('it knows whether a transaction is open', async () => {
  await connection.execute('begin', [])
  expect(connection.isInTransaction).toBe(true)
  await expect(connection.execute('nonsense', [])).rejects.toThrow('syntax error')
  expect(connection.isInTransaction).toBe(true)
  await connection.execute('rollback', [])
  expect(connection.isInTransaction).toBe(false)
})

test('a file that cannot be opened is tried again by the next order', async () => {
  const path = join(folder, 'other.db')
  writeFileSync(path, 'this is no database, and it is long enough to be looked at by the driver as if it were one')
  const other = openSqliteConnection(path, ['pragma journal_mode = wal'])
  await expect(other.execute('select 1', [])).rejects.toMatchObject({ code: 'SQLITE_NOTADB' })
  rmSync(path)
  expect(await other.execute('select 1 as number', [])).toMatchObject({ rows: [{ number: 1 }] })
  await other.close()
})

test('after it is closed it says so', async () => {
  await add('osprey')
  await connection.close()
  expect(connection.isOpen).toBe(false)
  await expect(add('kite')).rejects.toThrow('The database has been closed.')
})
