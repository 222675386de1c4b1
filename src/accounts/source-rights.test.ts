import { beforeEach, describe, expect, test } from 'vitest'
import { accountsOn } from '../../test/builders/account.ts'
import { aProcess } from '../../test/builders/process.ts'
import { aSourceRightRow } from '../../test/builders/recorded-rows.ts'
import { aSource } from '../../test/builders/source.ts'
import { useAccountDatabase } from '../../test/support/account-database.ts'
import { dialects } from '../../test/support/databases.ts'
import { type Account } from '../core/account.ts'
import { createAttemptLimiter } from '../core/attempt-limiter.ts'
import { systemClock } from '../core/clock.ts'
import { type SourceRight, type SourceRights } from '../core/source-rights.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { createAuthenticator } from './authenticator.ts'
import { createOwners } from './owners.ts'
import { createSourceRights } from './source-rights.ts'
import { createSourceRightStore } from './source-rights.store.ts'

describe.each(dialects)('rights on sources on %s', (dialect) => {
  const created = useAccountDatabase(dialect)
  let rights: SourceRights
  let master: Account
  /** The one has the source; the other guards it. */
  let ada: Account
  let guard: Account
  let sourceId: string
  let processId: string

  beforeEach(async () => {
    const { database, account } = created()
    const { store, service } = accountsOn(database)
    await service.grant('admin', { minutes: 60, pendingMinutes: 60 })
    const authenticator = createAuthenticator({
      store,
      limiter: createAttemptLimiter({ clock: systemClock }),
      clock: systemClock,
    })
    const owners = createOwners(service)
    rights = createSourceRights({ store: createSourceRightStore(database.db), owners, authenticator })
    master = account
    ada = (await service.createChild(master, { username: 'ada', minutes: 10 })).account
    guard = (await service.createChild(master, { username: 'guard', minutes: 0 })).account
    sourceId = await addSource(ada)
    processId = await addProcess(ada)
  })

  async function addSource(owner: Account, mediaPath = `${owner.username}/cam`): Promise<string> {
    const source = aSource({ accountId: owner.id, mediaPath })
    await createSourceStore(created().database.db).insertWithinLimits(owner, source)
    return source.id
  }

  async function addProcess(owner: Account): Promise<string> {
    const process = aProcess({ accountId: owner.id, sourceId })
    expect(await createProcessStore(created().database.db).insertWithinLimits(owner, process)).toBe('inserted')
    return process.id
  }

  const give = (account: Account, given: readonly SourceRight[], id = sourceId) =>
    created()
      .database.db.insertInto('source_right')
      .values(aSourceRightRow({ account_id: account.id, source_id: id, rights: JSON.stringify(given) }))
      .execute()
  const revoke = (account: Account) => accountsOn(created().database).store.revoke(account, false, 1)
  const ownerFor = async (caller: Account, right: SourceRight, username?: string) =>
    (await rights.ownerFor(caller, sourceId, right, username)).username

  test('one’s own is one’s own, and a master has its children’s by their names', async () => {
    expect(await ownerFor(ada, 'control')).toBe('ada')
    expect(await ownerFor(master, 'control', 'ada')).toBe('ada')
    expect((await rights.ownerForProcess(ada, processId, 'events')).username).toBe('ada')
    expect((await rights.ownerForProcess(master, processId, 'events', 'ada')).username).toBe('ada')
    await expect(ownerFor(ada, 'watch', 'guard')).rejects.toMatchObject({ code: 'master-key-required' })
    await expect(ownerFor(master, 'watch', 'nobody')).rejects.toMatchObject({ code: 'key-not-found' })
  })

  test('what it has no right on is looked for among its own', async () => {
    expect(await ownerFor(guard, 'watch')).toBe('guard')
    expect((await rights.ownerFor(guard, 'no such source', 'watch')).username).toBe('guard')
    expect((await rights.ownerForProcess(guard, processId, 'events')).username).toBe('guard')
    expect(await rights.listGiven(guard.id)).toEqual([])
  })

  test('what it was given it has as its owner, and nothing else of it', async () => {
    await give(guard, ['watch', 'events'])
    expect(await ownerFor(guard, 'watch')).toBe('ada')
    expect(await ownerFor(guard, 'events')).toBe('ada')
    expect((await rights.ownerForProcess(guard, processId, 'events')).username).toBe('ada')
    const refusal = { code: 'right-missing', message: expect.stringContaining('the right control') as string }
    await expect(ownerFor(guard, 'control')).rejects.toMatchObject(refusal)
    await expect(rights.ownerForProcess(guard, processId, 'control')).rejects.toMatchObject(refusal)
    expect(await rights.listGiven(guard.id)).toEqual([{ sourceId, ownerId: ada.id, rights: ['watch', 'events'] }])
    // Of nothing else that is Ada's.
    expect((await rights.ownerFor(guard, await addSource(ada, 'ada/other'), 'watch')).username).toBe('guard')
  })

  test('a process of somebody else on the source is not the owner’s', async () => {
    const others = await addProcess(master)
    await give(guard, ['events'])
    expect((await rights.ownerForProcess(guard, others, 'events')).username).toBe('guard')
  })

  test('a right on one’s own source takes nothing away', async () => {
    await give(ada, ['watch'])
    expect(await ownerFor(ada, 'control')).toBe('ada')
    expect(await rights.listGiven(ada.id)).toEqual([])
  })

  test('with the key of who has given it, a right counts no more; with the source it is gone', async () => {
    await give(guard, ['watch'])
    const second = await addSource(master, 'admin/cam')
    await give(guard, ['watch'], second)
    await revoke(ada)
    expect(await ownerFor(guard, 'watch')).toBe('guard')
    expect(await rights.listGiven(guard.id)).toMatchObject([{ sourceId: second }])
    await createSourceStore(created().database.db).remove(second)
    expect(await rights.listGiven(guard.id)).toEqual([])
  })

  test('a path is watched by who may use it, and by who was given a source on it', async () => {
    expect(await rights.mayWatch(ada.id, 'ada/cam')).toBe(true)
    expect(await rights.mayWatch(master.id, 'ada/cam')).toBe(true)
    expect(await rights.mayWatch(guard.id, 'ada/cam')).toBe(false)
    await give(guard, ['events'])
    expect(await rights.mayWatch(guard.id, 'ada/cam')).toBe(false)
    await created().database.db.updateTable('source_right').set({ rights: '["watch"]' }).execute()
    expect(await rights.mayWatch(guard.id, 'ada/cam')).toBe(true)
    expect(await rights.mayWatch(guard.id, 'ada/other')).toBe(false)
    await revoke(guard)
    expect(await rights.mayWatch(guard.id, 'ada/cam')).toBe(false)
  })

  test('nobody can give a path that it may not use itself', async () => {
    await give(guard, ['watch'], await addSource(ada, 'admin/secret'))
    expect(await rights.mayWatch(guard.id, 'admin/secret')).toBe(false)
  })
})
