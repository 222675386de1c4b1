import { describe, expect, test } from 'vitest'
import { DatabaseAway, isDatabaseAway, isDiskFull } from './outages.ts'

const failed = (code: string, cause?: unknown) => Object.assign(new Error('failed', { cause }), { code })

describe('a disk that is full', () => {
  test.each([
    ['a file that could not be written', failed('ENOSPC'), true],
    ['a quota', failed('EDQUOT'), true],
    ['SQLite', failed('SQLITE_FULL'), true],
    ['shared memory of SQLite', failed('SQLITE_IOERR_SHMSIZE'), true],
    ['a quota of SQLite', failed('SQLITE_IOERR_WRITE'), true],
    ['PostgreSQL', failed('53100'), true],
    ['a disk that is broken', failed('SQLITE_IOERR_READ'), false],
    ['what one of them caused', new Error('not kept', { cause: failed('SQLITE_FULL') }), true],
    ['another failure', failed('SQLITE_BUSY', new Error('locked')), false],
    ['nothing that was thrown as an error', 'ENOSPC', false],
  ])('%s', (_name, error, expected) => expect(isDiskFull(error)).toBe(expected))
})

describe('a database that is away', () => {
  test.each([
    ['a file that is locked', failed('SQLITE_BUSY'), true],
    ['one that another repairs', failed('SQLITE_BUSY_RECOVERY'), true],
    ['a disk that is broken', failed('SQLITE_IOERR_READ'), true],
    ['a disk that can only be read', failed('SQLITE_READONLY'), true],
    ['a disk that is full', failed('SQLITE_IOERR_WRITE'), false],
    ['a server that does not answer', new DatabaseAway(failed('ECONNREFUSED')), true],
    ['what one of them caused', new Error('not kept', { cause: failed('SQLITE_BUSY') }), true],
    ['a row that exists already', failed('SQLITE_CONSTRAINT_PRIMARYKEY'), false],
    ['an error without a code', new Error('failed'), false],
  ])('%s', (_name, error, expected) => expect(isDatabaseAway(error)).toBe(expected))
})
