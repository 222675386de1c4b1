import { expect, test } from 'vitest'
import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { createKeyWatch } from './key-watch.ts'

async function stoppedWith(outcomes: Readonly<Record<string, Error | undefined>>) {
  const stopped: Record<string, string> = {}
  const watch = createKeyWatch({
    accounts: {
      async byId(accountId) {
        const error = outcomes[accountId]
        if (error) throw error
        return { id: accountId } as Account
      },
    },
    processes: {
      listAccounts: () => Object.keys(outcomes),
      async stopAll({ id }, reason) {
        stopped[id] = reason
      },
    },
  })
  return watch().then(
    () => stopped,
    (error: unknown) => ({ error, stopped }),
  )
}

test('what runs for keys that no longer work is stopped, and nothing else', async () =>
  expect(
    await stoppedWith({
      good: undefined,
      expired: new AppError('api-key-expired', { expiration_date: '2026-01-01' }),
      revoked: new AppError('api-key-invalid'),
    }),
  ).toEqual({ expired: 'key-expired', revoked: 'key-revoked' }))

test('a database that does not answer stops nothing', async () => {
  const away = new Error('the database is away')
  expect(await stoppedWith({ good: away })).toEqual({ error: away, stopped: {} })
})
