import { expect, test } from 'vitest'
import { anAccount } from '../../test/builders/plain-account.ts'
import { aSource } from '../../test/builders/source.ts'
import { createSourceDirectory, withDirectory } from './source-directory.ts'
import { type ChangeSourceOutcome, type InsertSourceOutcome } from './sources.store.ts'

test('the directory learns what is stored, changed and removed, and nothing of what is refused', async () => {
  const account = anAccount()
  const directory = createSourceDirectory()
  const source = aSource({ id: 's', alias: 'roof', inputUrl: 'rtsp://roof.test/', mediaPath: 'ann/roof' })
  const listed = { id: 's', accountId: source.accountId, inputUrl: 'rtsp://roof.test/', isPulled: false }
  const telemetryCfg = { type: 'websocket', format: 'native', parameters: {} } as const
  const changes: (string | readonly string[])[] = []
  let isRefusing = false
  const store = withDirectory(
    {
      insertWithinLimits: async (_account, inserted): Promise<InsertSourceOutcome> =>
        isRefusing ? 'source-limit-reached' : { source: inserted, isNew: true },
      change: async (_account, _id, change): Promise<ChangeSourceOutcome> =>
        isRefusing ? { takenPath: 'ann/yard' } : { before: source, source: change(source) },
      remove: async (_id: string) => {},
    },
    directory,
    (...change) => changes.push(...change),
  )
  await store.insertWithinLimits(account, source)
  expect(directory.list()).toEqual([{ ...listed, alias: 'roof', mediaPath: 'ann/roof', telemetryCfg: null }])
  await store.change(account, 's', (known) => ({ ...known, alias: 'yard', mediaPath: 'ann/yard', telemetryCfg }))
  isRefusing = true
  await store.insertWithinLimits(account, aSource({ id: 'other' }))
  await store.change(account, 's', (known) => ({ ...known, alias: 'refused' }))
  expect(directory.list()).toEqual([{ ...listed, alias: 'yard', mediaPath: 'ann/yard', telemetryCfg }])
  const sameTelemetry = { parameters: {}, format: 'native', type: 'websocket' } as const
  expect([sameTelemetry, null].map((cfg) => directory.hasTelemetry('s', cfg))).toEqual([true, false])
  await store.remove('s')
  expect(directory.aliasOf('s')).toBeUndefined()
  expect(changes).toEqual(['s', ['ann/roof'], 's', ['ann/roof', 'ann/yard'], 's', ['ann/yard']])
})
