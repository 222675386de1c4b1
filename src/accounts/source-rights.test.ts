import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { accountsOn, addAccount } from '../../test/builders/account.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess } from '../../test/builders/process.ts'
import { aSource } from '../../test/builders/source.ts'
import { useAccountDatabase } from '../../test/support/account-database.ts'
import { dialects } from '../../test/support/databases.ts'
import { type Account } from '../core/account.ts'
import { createAttemptLimiter } from '../core/attempt-limiter.ts'
import { systemClock } from '../core/clock.ts'
import { type SourceRight } from '../core/source-rights.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { createAuthenticator } from './authenticator.ts'
import { type ChildSources, createChildSources } from './child-sources.ts'
import { createOwners } from './owners.ts'
import { createSourceRights, type RememberedRights } from './source-rights.ts'
import { createSourceRightStore, type SourceRightStore } from './source-rights.store.ts'

describe.each(dialects)('rights on sources on %s', (dialect) => {
  const created = useAccountDatabase(dialect)
  let clock: FakeClock
  let store: SourceRightStore
  let rights: RememberedRights
  let childSources: ChildSources
  let master: Account
  /** The one has the source; the other guards it. */
  let ada: Account
  let guard: Account
  let sourceId: string
  let processId: string

  beforeEach(async () => {
    const { database, account } = created()
    const { store: accounts, service } = accountsOn(database)
    await service.grant('admin', { minutes: 60, pendingMinutes: 60 })
    const authenticator = createAuthenticator({
      store: accounts,
      limiter: createAttemptLimiter({ clock: systemClock }),
      clock: systemClock,
    })
    const owners = createOwners(service)
    clock = createFakeClock()
    store = createSourceRightStore(database.db)
    rights = createSourceRights({ store, owners, authenticator, clock })
    childSources = createChildSources({ accounts: service, store, forget: rights.forget, clock })
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
    childSources.give(master, account.username, id, given)
  async function revoke(account: Account): Promise<void> {
    await accountsOn(created().database).store.revoke(account, false, 1)
    await clock.advance(2_000)
  }
  /** As another node has them: it is told nothing. */
  async function createRightsElsewhere(): Promise<RememberedRights> {
    const { store: accounts, service } = accountsOn(created().database)
    const limiter = createAttemptLimiter({ clock })
    const authenticator = createAuthenticator({ store: accounts, limiter, clock: systemClock })
    return createSourceRights({ store, owners: createOwners(service), authenticator, clock })
  }
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
    const given = { sourceId, ownerId: ada.id, rights: ['watch', 'events'] }
    expect(await rights.listGiven(guard.id)).toEqual([
      { ...given, owner: expect.objectContaining({ id: ada.id }) as Account },
    ])
    expect(await rights.findGiven(guard, sourceId)).toMatchObject({ ...given, owner: { username: 'ada' } })
    expect(await rights.findGiven(ada, sourceId)).toBeUndefined()
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
    await give(guard, ['watch'])
    expect(await rights.mayWatch(guard.id, 'ada/cam')).toBe(true)
    expect(await rights.mayWatch(guard.id, 'ada/other')).toBe(false)
    await revoke(guard)
    expect(await rights.mayWatch(guard.id, 'ada/cam')).toBe(false)
  })

  test('nobody can give a path that it may not use itself', async () => {
    await give(guard, ['watch'], await addSource(ada, 'admin/secret'))
    expect(await rights.mayWatch(guard.id, 'admin/secret')).toBe(false)
  })

  test('what is given replaces what was given before, in their own order, and keeps its first date', async () => {
    const first = await give(guard, ['events', 'watch', 'events'])
    expect(first).toEqual({
      isNew: true,
      stored: { sourceId, rights: ['watch', 'events'], createdAt: clock.now() },
    })
    await clock.advance(1)
    const second = await give(guard, ['control'])
    expect(second).toEqual({ isNew: false, stored: { ...first.stored, rights: ['control'] } })
    expect(await childSources.list(master, 'guard', { limit: 1 })).toEqual({
      items: [second.stored],
      nextCursor: undefined,
    })
    await expect(ownerFor(guard, 'watch')).rejects.toMatchObject({ code: 'right-missing' })
  })

  test('what is taken is gone at once where it is taken, and within two seconds elsewhere', async () => {
    await give(guard, ['watch'])
    const elsewhere = await createRightsElsewhere()
    expect(await ownerFor(guard, 'watch')).toBe('ada')
    expect((await elsewhere.ownerFor(guard, sourceId, 'watch')).username).toBe('ada')
    await childSources.take(master, 'guard', sourceId)
    expect(await ownerFor(guard, 'watch')).toBe('guard')
    expect((await elsewhere.ownerFor(guard, sourceId, 'watch')).username).toBe('ada')
    await clock.advance(2_000)
    expect((await elsewhere.ownerFor(guard, sourceId, 'watch')).username).toBe('guard')
    await expect(childSources.take(master, 'guard', sourceId)).rejects.toMatchObject({ code: 'source-right-not-found' })
  })

  test('a master gives what is its own or its children’s, to its children', async () => {
    const { account: stranger } = await addAccount(created().database, { username: 'stranger' })
    const strange = await addSource(stranger, 'stranger/cam')
    await expect(give(guard, ['watch'], strange)).rejects.toMatchObject({ code: 'source-not-found' })
    await expect(give(guard, ['watch'], randomUUID())).rejects.toMatchObject({ code: 'source-not-found' })
    await expect(give(stranger, ['watch'])).rejects.toMatchObject({ code: 'key-not-found' })
    await expect(give(master, ['watch'])).rejects.toMatchObject({ code: 'key-not-found' })
    await expect(childSources.give(ada, 'guard', sourceId, ['watch'])).rejects.toMatchObject({
      code: 'master-key-required',
    })
    await revoke(ada)
    await expect(give(guard, ['watch'])).rejects.toMatchObject({ code: 'source-not-found' })
  })

  test('what a key was given goes with the key', async () => {
    await give(guard, ['watch'])
    await revoke(guard)
    expect(await store.find(guard.id, sourceId)).toBeUndefined()
  })

  test('rights given at once, while the source is removed, leave none on nothing', async () => {
    const sources = createSourceStore(created().database.db)
    const gifts = Array.from({ length: 20 }, (_, i) => give(guard, [i % 2 === 0 ? 'watch' : 'events']))
    const outcomes = await Promise.allSettled([...gifts, sources.remove(sourceId)])
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    expect(reasons.map((reason) => (reason as { code?: string }).code)).toEqual(reasons.map(() => 'source-not-found'))
    expect(await store.find(guard.id, sourceId)).toBeUndefined()
  })
})
