import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountsOn, addAccount, sumOfBook } from '../../test/builders/account.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/builders/databases.ts'
import { type Account } from '../core/words.ts'
import { createJobStore } from '../storage/jobs.store.ts'
import { hashApiKey } from './api-key.ts'

const fifty = Array.from({ length: 50 }, (_, i) => i)

describe.each(dialects)('accounts on %s', (dialect) => {
  let database: TestDatabase
  let master: Account
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    ;({ account: master } = await addAccount(database, { username: 'admin', minutes: 100 }))
  })
  afterEach(() => database.remove())

  const fulfilled = (results: readonly PromiseSettledResult<unknown>[]) =>
    results.filter(({ status }) => status === 'fulfilled').length

  test('fifty allocations at once never give more than is pending', async () => {
    const { service } = accountsOn(database)
    await service.createChild(master, { username: 'child', minutes: 0 })
    const results = await Promise.allSettled(fifty.map(() => service.allocate(master, 'child', 7)))
    expect(fulfilled(results)).toBe(14)
    expect((await service.find('child')).balance.remainingSeconds).toBe(14 * 7 * 60)
    expect((await service.find('admin')).balance.pendingSeconds).toBe(2 * 60)
  })

  test('fifty creations at once never overrun the limit, nor take minutes for those that fail', async () => {
    const { service } = accountsOn(database, { maxChildKeys: 5 })
    const results = await Promise.allSettled(
      fifty.map((i) => service.createChild(master, { username: `child-${i}`, minutes: 10 })),
    )
    expect(fulfilled(results)).toBe(5)
    expect((await service.listChildren(master, { limit: 100 })).items).toHaveLength(5)
    expect((await service.find('admin')).balance.pendingSeconds).toBe(50 * 60)
  })

  test('fifty creations of one name at once make one', async () => {
    const { service } = accountsOn(database)
    const results = await Promise.allSettled(
      fifty.map(() => service.createChild(master, { username: 'twin', minutes: 1 })),
    )
    expect(fulfilled(results)).toBe(1)
    expect((await service.find('admin')).balance.pendingSeconds).toBe(99 * 60)
  })

  test('a charge that is told again, late or by several at once counts once', async () => {
    const { ledger } = accountsOn(database)
    await Promise.all(fifty.map((i) => ledger.charge('run-1', master.id, i, 0)))
    await ledger.charge('run-1', master.id, 49, 0)
    const balance = await ledger.charge('run-1', master.id, 12, 0)
    expect(balance).toMatchObject({ consumedSeconds: 49, remainingSeconds: 6000 - 49 })
  })

  test('use beyond what remains stays in the book', async () => {
    const { ledger, service } = accountsOn(database)
    await ledger.charge('run-1', master.id, 6007, 0)
    expect((await service.grant('admin', { minutes: 1 })).balance).toMatchObject({
      remainingSeconds: 53,
      consumedSeconds: 6007,
    })
  })

  test('whatever happens, balances are the sums over the book', async () => {
    const { ledger, service } = accountsOn(database)
    await service.createChild(master, { username: 'child', minutes: 3 })
    const child = await service.find('child')
    const step = fc.oneof(
      fc.record({ do: fc.constant('grant' as const), minutes: fc.nat(50) }),
      fc.record({ do: fc.constant('allocate' as const), minutes: fc.integer({ min: 1, max: 200 }) }),
      fc.record({ do: fc.constant('charge' as const), minutes: fc.nat(100), run: fc.nat(3) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        for (const action of steps) {
          if (action.do === 'grant') await service.grant('admin', { pendingMinutes: action.minutes })
          if (action.do === 'allocate') await service.allocate(master, 'child', action.minutes).catch(() => {})
          if (action.do === 'charge') await ledger.charge(`run-${action.run}`, child.id, action.minutes * 60, 0)
        }
        for (const { id } of [master, child]) expect(await ledger.balance(id)).toEqual(await sumOfBook(database, id))
      }),
      { numRuns: 15 },
    )
  })

  test('keys are kept as hashes only', async () => {
    const { service, store } = accountsOn(database)
    const { key } = await service.createChild(master, { username: 'child', minutes: 0 })
    expect(key).toMatch(/^ak_[A-Za-z0-9_-]{32}$/)
    const rows = await database.db.selectFrom('account').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(key)
    expect((await store.findByKeyHash(hashApiKey(key)))?.username).toBe('child')
  })

  test('a revoked key no longer works, and its minutes go back to the master', async () => {
    const { service, store } = accountsOn(database)
    const { key, account } = await service.createChild(master, { username: 'child', minutes: 40 })
    await service.revoke(account, { purge: true })
    expect(await store.findByKeyHash(hashApiKey(key))).toBeUndefined()
    expect((await service.find('admin')).balance.pendingSeconds).toBe(100 * 60)
    // What tells the features is in the same transaction, so that neither a crash nor the command line loses it.
    const [job] = await createJobStore(database).claim('key-revoked', 1, 'me', Date.now(), Date.now())
    expect(job?.payload).toEqual({ accountId: account.id, username: 'child', purge: true })
    await expect(service.createChild(master, { username: 'child', minutes: 0 })).rejects.toMatchObject({
      code: 'username-taken',
    })
  })

  test('a key that was revoked meanwhile gets no minutes, no key and no rights', async () => {
    const { service, store, ledger } = accountsOn(database)
    const { account } = await service.createChild(master, { username: 'child', minutes: 10 })
    await service.revoke(account, { purge: false })
    await expect(ledger.allocate(master.id, account.id, 60, 0)).rejects.toMatchObject({ code: 'key-not-found' })
    expect((await service.find('admin')).balance.pendingSeconds).toBe(100 * 60)
    await expect(service.rotate(account)).rejects.toMatchObject({ code: 'key-not-found' })
    await store.update(account.id, { max_sources: 1 })
    const row = await database.db.selectFrom('account').selectAll().where('id', '=', account.id).executeTakeFirst()
    expect(row).toMatchObject({ key_sha256: null, max_sources: 50 })
  })

  test('minutes never vanish, though keys are revoked while they are given some', async () => {
    const { service } = accountsOn(database)
    for (const i of fifty.slice(0, 10)) {
      const { account } = await service.createChild(master, { username: `child-${i}`, minutes: 0 })
      await Promise.allSettled([
        service.allocate(master, account.username, 1),
        service.revoke(account, { purge: false }),
        service.allocate(master, account.username, 1),
      ])
    }
    expect((await service.find('admin')).balance.pendingSeconds).toBe(100 * 60)
  })

  test('a new key takes the place of the old one', async () => {
    const { service, store } = accountsOn(database)
    const { key, account } = await service.createChild(master, { username: 'child', minutes: 0 })
    const rotated = await service.rotate(account)
    expect(await store.findByKeyHash(hashApiKey(key))).toBeUndefined()
    expect((await store.findByKeyHash(hashApiKey(rotated.key)))?.id).toBe(account.id)
  })

  test('children are listed a page at a time, newest first, and only one’s own', async () => {
    const { service } = accountsOn(database)
    const { account: other } = await addAccount(database, { username: 'other' })
    await service.createChild(other, { username: 'stranger', minutes: 0 })
    for (const username of ['a', 'b', 'c']) await service.createChild(master, { username, minutes: 0 })
    const first = await service.listChildren(master, { limit: 2 })
    const second = await service.listChildren(master, { limit: 2, cursor: first.nextCursor })
    expect([first, second].map(({ items }) => items.map(({ username }) => username))).toEqual([['c', 'b'], ['a']])
    expect(second.nextCursor).toBeUndefined()
    await expect(service.findChild(master, 'stranger')).rejects.toMatchObject({ code: 'key-not-found' })
  })

  test('an update changes what it names and nothing else', async () => {
    const { service } = accountsOn(database)
    const { account } = await service.createChild(master, { username: 'child', minutes: 0, max_sources: 3 })
    const updated = await service.update(account, {
      max_processes: 1,
      track_logger: false,
      expiration_date: '2030-01-01',
    })
    expect(updated).toMatchObject({
      expirationDate: '2030-01-01',
      limits: { maxSources: 3, maxProcesses: 1, maxOutputs: 50 },
      features: { trackLogger: false, enhancement: true },
    })
    expect((await service.update(account, { expiration_date: null })).expirationDate).toBeNull()
  })

  describe('the first master', () => {
    let fresh: TestDatabase
    beforeEach(async () => void (fresh = await createMigratedDatabase(dialect)))
    afterEach(() => fresh.remove())

    test('is made once; a key from the settings wins from then on', async () => {
      const { service, store } = accountsOn(fresh)
      const kept: string[] = []
      const keep = (key: string) => void kept.push(key)
      const issued = await service.ensureMaster(undefined, keep)
      expect(issued?.account.username).toBe('admin')
      expect(kept).toEqual([issued?.key])
      expect((await service.find('admin')).balance).toEqual({
        remainingSeconds: 6_000_000,
        pendingSeconds: 6_000_000,
        consumedSeconds: 0,
      })
      expect(await service.ensureMaster(undefined, keep)).toBeUndefined()
      await service.ensureMaster('a-key-from-settings', keep)
      expect((await store.findByKeyHash(hashApiKey('a-key-from-settings')))?.username).toBe('admin')
      expect(kept).toHaveLength(1)
    })

    test('is kept before it is made, so that nobody has a key that nobody knows', async () => {
      const { service } = accountsOn(fresh)
      const failing = service.ensureMaster(undefined, () => {
        throw new Error('the disk is full')
      })
      await expect(failing).rejects.toThrow('the disk is full')
      expect(await service.listAll()).toEqual([])
    })

    test('is made though there are other masters already', async () => {
      const { service } = accountsOn(fresh)
      await service.createMaster('boss')
      await service.ensureMaster('a-key-from-settings', () => {})
      expect((await service.listAll()).map(({ username }) => username).sort()).toEqual(['admin', 'boss'])
    })

    test('is made by one of several starts at once', async () => {
      const { service } = accountsOn(fresh)
      const made = await Promise.all(fifty.slice(0, 5).map(() => service.ensureMaster(undefined, () => {})))
      expect(made.filter(Boolean)).toHaveLength(1)
      expect((await service.find('admin')).balance.pendingSeconds).toBe(6_000_000)
    })
  })
})
