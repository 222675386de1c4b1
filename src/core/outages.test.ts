import { expect, test } from 'vitest'
import { isDiskFull } from './outages.ts'

const failed = (code: string, cause?: unknown) => Object.assign(new Error('failed', { cause }), { code })

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
