import fc from 'fast-check'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountsOn, addAccount, sumOfBook } from '../../test/builders/account.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aSource } from '../../test/builders/source.ts'
import { type Account } from '../core/account.ts'
import { createSessionStore } from '../sessions/sessions.store.ts'
import { createSourceTokenStore } from '../sources/source-tokens.store.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { createJobStore } from '../storage/jobs.store.ts'
import { toKey } from './accounts.schema.ts'
import { type AccountWithBalance } from './accounts.store.ts'
import { hashApiKey } from './api-key.ts'
import { defaultRights, type Rights, RightsSchema } from './rights.ts'

const fifty = Array.from({ length: 50 }, (_, i) => i)
const byUsername = (a: { username: string }, b: { username: string }) => a.username.localeCompare(b.username)

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
    // What waits for a connection too long on a busy machine is refused; asked again, it has what is left.
    for (let refused = results.length - fulfilled(results); refused > 0; refused--)
      results.push(...(await Promise.allSettled([service.allocate(master, 'child', 7)])))
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

  test('a charge that is sent again, late or by several at once counts once', async () => {
    const { ledger } = accountsOn(database)
    await Promise.all(fifty.map((i) => ledger.charge('run-1', master.id, i * 1000, 0)))
    await ledger.charge('run-1', master.id, 49_000, 0)
    const balance = await ledger.charge('run-1', master.id, 12_000, 0)
    expect(balance).toMatchObject({ consumedSeconds: 49, remainingSeconds: 6000 - 49 })
  })

  test('runs of less than a second cost what they took, each of them once', async () => {
    const { ledger } = accountsOn(database)
    const charge = (run: number) => ledger.charge(`run-${run}`, master.id, 400, 0)
    // Twice, as by a caller that does not know whether it was heard.
    await Promise.all(fifty.flatMap((run) => [charge(run), charge(run)]))
    expect(await ledger.balance(master.id)).toMatchObject({ consumedSeconds: 20, remainingSeconds: 6000 - 20 })
  })

  test('what is less than a second waits for the next run', async () => {
    const { ledger } = accountsOn(database)
    expect(await ledger.charge('run-1', master.id, 999.9, 0)).toMatchObject({ consumedSeconds: 0 })
    expect(await ledger.charge('run-2', master.id, 1, 0)).toMatchObject({ consumedSeconds: 1 })
    expect(await ledger.charge('run-1', master.id, 1_998, 0)).toMatchObject({ consumedSeconds: 1 })
    expect(await ledger.charge('run-1', master.id, 1_999, 0)).toMatchObject({ consumedSeconds: 2 })
  })

  test('use beyond what remains stays in the book', async () => {
    const { ledger, service } = accountsOn(database)
    await ledger.charge('run-1', master.id, 6_007_000, 0)
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
      fc.record({ do: fc.constant('charge' as const), ms: fc.nat(6_000_000), run: fc.nat(3) }),
      fc.record({ do: fc.constant('lift' as const), unlimited: fc.boolean() }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        for (const action of steps) {
          if (action.do === 'grant') await service.grant('admin', { pendingMinutes: action.minutes })
          if (action.do === 'allocate') await service.allocate(master, 'child', action.minutes).catch(() => {})
          if (action.do === 'lift') await service.update(master, { unlimited: action.unlimited })
          if (action.do === 'charge') await ledger.charge(`run-${action.run}`, child.id, action.ms, 0)
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
    // What notifies the features is in the same transaction, so that neither a crash nor the command line loses it.
    const [job] = await createJobStore(database).claim('key-revoked', 1, 'me', Date.now(), Date.now(), 600_000)
    expect(job?.payload).toEqual({ accountId: account.id, username: 'child', purge: true })
    await expect(service.createChild(master, { username: 'child', minutes: 0 })).rejects.toMatchObject({
      code: 'username-taken',
    })
  })

  test('a master is revoked though it has more children than a statement takes values', async () => {
    const { service } = accountsOn(database)
    await service.createChild(master, { username: 'child', minutes: 0 })
    const { db } = database
    const child = await db.selectFrom('account').selectAll().where('username', '=', 'child').executeTakeFirstOrThrow()
    const columns = Object.keys(child)
    const copied = columns.map((name) => {
      if (name === 'revoked_at') return sql`1`
      return ['id', 'username', 'key_sha256'].includes(name) ? sql`${sql.ref(name)} || '-' || i` : sql.ref(name)
    })
    await sql`with recursive numbers(i) as (select 1 union all select i + 1 from numbers where i < 70000)
      insert into account (${sql.join(columns.map((name) => sql.ref(name)))})
      select ${sql.join(copied)} from account, numbers where username = 'child'`.execute(db)
    expect((await service.revoke(master, { purge: false })).toSorted()).toEqual(['admin', 'child'])
  })

  describe('the name of a revoked key', () => {
    const child = { username: 'crew', minutes: 0 }
    const LONG_AGO = 1

    test('can be purged later, by its own master only, however often that is asked', async () => {
      const { service } = accountsOn(database)
      const { account: other } = await addAccount(database, { username: 'other' })
      const { account } = await service.createChild(master, child)
      await service.revokeChild(master, 'crew', { purge: false })
      await expect(service.revokeChild(other, 'crew', { purge: true })).rejects.toMatchObject({ code: 'key-not-found' })
      await expect(service.revokeChild(master, 'crew', { purge: false })).rejects.toMatchObject({
        code: 'key-not-found',
      })
      for (const _ of [1, 2]) await service.revokeChild(master, 'crew', { purge: true })
      const jobs = await createJobStore(database).claim('key-revoked', 9, 'me', Date.now(), Date.now(), 600_000)
      expect(jobs.map(({ payload }) => payload)).toEqual(
        [false, true].map((purge) => ({ accountId: account.id, username: 'crew', purge })),
      )
    })

    test('is free for its master once the purge is long over, and nothing of the old account is the new one’s', async () => {
      const { service, store, ledger } = accountsOn(database)
      const { account: old } = await service.createChild(master, { ...child, minutes: 40 })
      await ledger.charge('run-1', old.id, 60_000, 0)
      await service.revoke(old, { purge: true })
      const taken = { code: 'username-taken', message: expect.stringContaining('/keys/crew?purge=true') as string }
      await expect(service.createChild(master, child)).rejects.toMatchObject(taken)
      await store.markPurged(old.id, LONG_AGO)
      const { account: fresh } = await service.createChild(master, child)
      expect(fresh.id).not.toBe(old.id)
      expect(fresh.balance).toEqual({ isUnlimited: false, remainingSeconds: 0, consumedSeconds: 0, pendingSeconds: 0 })
      expect((await service.find('admin')).balance.pendingSeconds).toBe(99 * 60)
      for (const { id } of [master, old, fresh]) expect(await ledger.balance(id)).toEqual(await sumOfBook(database, id))
      await expect(service.createChild(master, child)).rejects.toMatchObject({
        message: 'The username crew is taken; choose another.',
      })
    })

    test('rests for five minutes, which the error says with the time, and purging again makes it no longer', async () => {
      const clock = createFakeClock()
      const { service, store } = accountsOn(database, { clock })
      const { account: old } = await service.createChild(master, child)
      await service.revoke(old, { purge: true })
      await store.markPurged(old.id, clock.now())
      const free = new Date(clock.now() + 5 * 60_000).toISOString()
      const message = `The username crew is taken; choose another, or wait: the key that had the name was purged, and it is free from ${free} on.`
      await expect(service.createChild(master, child)).rejects.toMatchObject({ message })
      await clock.advance(4 * 60_000)
      await service.revokeChild(master, 'crew', { purge: true })
      await store.markPurged(old.id, clock.now())
      await expect(service.createChild(master, child)).rejects.toMatchObject({ message })
      await clock.advance(60_000)
      expect((await service.createChild(master, child)).account.id).not.toBe(old.id)
    })

    test('rests as long after its master was purged, for anybody else', async () => {
      const clock = createFakeClock()
      const { service, store } = accountsOn(database, { clock })
      const { account: other } = await addAccount(database, { username: 'other' })
      const { account: old } = await service.createChild(master, child)
      await service.revoke(master, { purge: true })
      await store.markPurged(old.id, LONG_AGO)
      await store.markPurged(master.id, clock.now())
      await expect(service.createChild(other, child)).rejects.toMatchObject({ code: 'username-taken' })
      await clock.advance(5 * 60_000)
      expect((await service.createChild(other, child)).account.masterId).toBe(other.id)
    })

    test('is no other master’s, whose sources and tokens for its paths may stay, until that one is purged too', async () => {
      const { service, store } = accountsOn(database)
      const { account: other } = await addAccount(database, { username: 'other' })
      const plain = { message: 'The username crew is taken; choose another.' }
      const { account: old } = await service.createChild(master, child)
      await service.revoke(old, { purge: true })
      await expect(service.createChild(other, child)).rejects.toMatchObject(plain)
      await store.markPurged(old.id, LONG_AGO)
      await expect(service.createChild(other, child)).rejects.toMatchObject(plain)
      await expect(service.createMaster('crew')).rejects.toMatchObject(plain)
      await service.revoke(master, { purge: true })
      await store.markPurged(master.id, LONG_AGO)
      expect((await service.createChild(other, child)).account.masterId).toBe(other.id)
      expect((await service.createMaster('admin')).account.id).not.toBe(master.id)
    })

    test('goes to one of fifty who ask for it at once', async () => {
      const { service, store } = accountsOn(database)
      const { account: old } = await service.createChild(master, child)
      await service.revoke(old, { purge: true })
      await store.markPurged(old.id, LONG_AGO)
      expect(fulfilled(await Promise.allSettled(fifty.map(() => service.createChild(master, child))))).toBe(1)
    })
  })

  test('with a master go its children, in the same transaction, and no new one comes', async () => {
    const { service, store } = accountsOn(database)
    const { account: other } = await addAccount(database, { username: 'other' })
    const { account: stranger } = await service.createChild(other, { username: 'stranger', minutes: 0 })
    const { account: child, key } = await service.createChild(master, { username: 'child', minutes: 0 })
    const { account: gone } = await service.createChild(master, { username: 'gone', minutes: 0 })
    await service.revoke(gone, { purge: false })
    expect((await service.revoke(master, { purge: true })).toSorted()).toEqual(['admin', 'child'])
    expect(await store.findByKeyHash(hashApiKey(key))).toBeUndefined()
    expect(await store.findById(child.id)).toBeUndefined()
    expect((await store.findById(stranger.id))?.username).toBe('stranger')
    const jobs = await createJobStore(database).claim('key-revoked', 9, 'me', Date.now(), Date.now(), 600_000)
    expect(jobs.map(({ payload }) => payload as { username: string }).toSorted(byUsername)).toEqual([
      { accountId: master.id, username: 'admin', purge: true },
      { accountId: child.id, username: 'child', purge: true },
      { accountId: gone.id, username: 'gone', purge: false },
      { accountId: gone.id, username: 'gone', purge: true },
    ])
    await expect(service.createChild(master, { username: 'late', minutes: 0 })).rejects.toMatchObject({
      code: 'api-key-invalid',
    })
  })

  test('children of a master that was revoked before its children went with it have no rights either', async () => {
    const { service, store } = accountsOn(database)
    const { account: child, key } = await service.createChild(master, { username: 'child', minutes: 0 })
    await database.db.updateTable('account').set({ revoked_at: 1 }).where('id', '=', master.id).execute()
    expect(await store.findByKeyHash(hashApiKey(key))).toBeUndefined()
    expect(await store.findWithHa1('child')).toBeUndefined()
    expect(await store.findById(child.id)).toBeUndefined()
    expect(await service.listAll()).toEqual([])
  })

  test('however many children are made while their master is revoked, none is left', async () => {
    const { service } = accountsOn(database)
    await Promise.allSettled([
      ...fifty.slice(0, 10).map((i) => service.createChild(master, { username: `child-${i}`, minutes: 0 })),
      service.revoke(master, { purge: false }),
      ...fifty.slice(10, 20).map((i) => service.createChild(master, { username: `child-${i}`, minutes: 0 })),
    ])
    const rows = await database.db.selectFrom('account').select('revoked_at').where('revoked_at', 'is', null).execute()
    expect(rows).toEqual([])
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
    expect(await store.findKeyHash(account.id)).toBe(hashApiKey(rotated.key))
    await service.revoke(account, { purge: false })
    expect(await store.findKeyHash(account.id)).toBeUndefined()
  })

  test.each(['revoked', 'replaced'] as const)('sessions are gone with a key that is %s', async (end) => {
    const { service } = accountsOn(database)
    const sessions = createSessionStore(database.db)
    const { key, account } = await service.createChild(master, { username: 'child', minutes: 0 })
    const session = { secretSha256: 's', keySha256: hashApiKey(key), createdAt: 1, expiresAt: Date.now() + 60_000 }
    await sessions.insertWithinLimit(session, 5)
    await (end === 'revoked' ? service.revoke(account, { purge: true }) : service.rotate(account))
    expect(await sessions.find('s')).toBeUndefined()
    // Who was let in by the old key a moment ago is too late.
    const late = sessions.insertWithinLimit({ ...session, secretSha256: 'late' }, 5)
    await expect(late).rejects.toMatchObject({ code: 'api-key-invalid' })
  })

  test('source tokens outlive the key, unless they are revoked with it', async () => {
    const { service } = accountsOn(database)
    const tokens = createSourceTokenStore(database.db)
    const { account } = await service.createChild(master, { username: 'child', minutes: 0 })
    const addToken = async (id: string, owner: Account, expiresAt: number | null) => {
      const source = aSource({ accountId: owner.id, mediaPath: `${owner.username}/${id}` })
      await createSourceStore(database.db).insertWithinLimits(owner, source)
      const token = { id, sourceId: source.id, action: 'publish', expiresAt, createdAt: 1 } as const
      await tokens.insertWithinLimit(owner.id, token, { sha256: id, ha1: id }, 10)
    }
    await addToken('lasting', account, null)
    await addToken('later', account, Date.now() + 60_000)
    await addToken('over', account, 1)
    await addToken('other', master, null)

    expect((await service.rotate(account)).sourceTokens).toEqual({ kept: 2, revoked: 0 })
    expect(await tokens.findByHash('lasting')).toBeDefined()
    expect((await service.rotate(account, { revokeTokens: true })).sourceTokens).toEqual({ kept: 0, revoked: 2 })
    for (const id of ['lasting', 'later', 'over']) expect(await tokens.findByHash(id)).toBeUndefined()
    expect(await tokens.findByHash('other')).toBeDefined()
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

  test('no key is made, or changed, to have expired before', async () => {
    const { service } = accountsOn(database)
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10)
    const refused = { code: 'expiration-date-past', status: 422, message: expect.stringContaining(day(-1)) as string }
    const expired = { expiration_date: day(-1) }
    await expect(service.createChild(master, { username: 'late', minutes: 0, ...expired })).rejects.toMatchObject(
      refused,
    )
    await expect(service.createMaster('late', { rights: expired })).rejects.toMatchObject(refused)
    await expect(service.update(master, expired)).rejects.toMatchObject(refused)
    const { account } = await service.createChild(master, { username: 'late', minutes: 0, expiration_date: day(0) })
    expect((await service.update(account, { expiration_date: day(1) })).expirationDate).toBe(day(1))
  })

  describe('a child and its master', () => {
    const generous = {
      ...Object.fromEntries(Object.keys(defaultRights).map((name) => [name, 1000])),
      track_logger: true,
      enhancement: true,
      process_recording: true,
      unlimited: false,
      expiration_date: null,
    } as Rights
    const narrow: Rights = {
      ...(Object.fromEntries(Object.keys(defaultRights).map((name) => [name, 3])) as unknown as Rights),
      track_logger: false,
      enhancement: false,
      process_recording: false,
      unlimited: false,
      expiration_date: '2030-01-01',
    }
    const rightsOf = (account: AccountWithBalance) => RightsSchema.strip().parse(toKey(account))
    const pair = async (masters: Rights, childs: Rights) => {
      const { service, store } = accountsOn(database)
      const { account: boss } = await service.createMaster('boss', { rights: masters })
      const { account: child } = await service.createChild(boss, { username: 'child', minutes: 0, ...childs })
      return { service, store, boss, child }
    }

    test.each([
      ['a generous master', generous, narrow],
      ['a narrow master', narrow, generous],
    ])('%s: of every right the smaller counts', async (_name, masters, childs) => {
      const { boss, child } = await pair(masters, childs)
      expect(rightsOf(child)).toEqual(narrow)
      expect(rightsOf(boss)).toEqual(masters)
    })

    test.each([
      ['2030-01-01', null, '2030-01-01'],
      [null, '2030-01-01', '2030-01-01'],
      ['2030-01-01', '2029-12-31', '2029-12-31'],
      ['2029-12-31', '2030-01-01', '2029-12-31'],
      [null, null, null],
    ])('a master until %s and a child until %s: the child until %s', async (masters, childs, expected) => {
      const rights = (expiration_date: string | null) => ({ ...generous, expiration_date })
      expect((await pair(rights(masters), rights(childs))).child.expirationDate).toBe(expected)
    })

    test('what counts follows the master, in every way to find the child; what was given stays', async () => {
      const { service, store, boss, child } = await pair(generous, generous)
      await service.update(boss, { max_sources: 2, expiration_date: '2031-01-01' })
      const { key } = await service.rotate(child)
      const found = [
        await store.findById(child.id),
        await store.findByKeyHash(hashApiKey(key)),
        await store.findByUsername('child'),
        (await store.findWithHa1('child'))?.account,
        (await service.listChildren(boss, { limit: 9 })).items[0],
        (await service.listAll()).find(({ username }) => username === 'child'),
      ]
      for (const account of found)
        expect(account).toMatchObject({ limits: { maxSources: 2 }, expirationDate: '2031-01-01' })
      await service.update(boss, { max_sources: 500, expiration_date: null })
      expect(await store.findById(child.id)).toMatchObject({ limits: { maxSources: 500 }, expirationDate: null })
      await service.update(boss, { max_sources: 5000 })
      expect(await store.findById(child.id)).toMatchObject({ limits: { maxSources: 1000 } })
    })

    test('how the first master keeps its own video binds nobody; its limits do', async () => {
      const { service } = accountsOn(database)
      const { account } = await service.createChild(master, { username: 'child', minutes: 0, ...generous })
      expect(account).toMatchObject({
        limits: { maxSources: 50 },
        features: { processRecording: true, recordingRetentionDays: 1000 },
      })
    })

    test.each([
      { name: 'as given', days: [7, 14, 30], counts: [7, 14, 30] },
      { name: 'what is of more importance for no less than the rest', days: [60, 14, 30], counts: [60, 60, 60] },
      { name: 'alerts for no less than tracks', days: [1, 20, 2], counts: [1, 20, 20] },
    ])('recordings are kept $name', async ({ days, counts }) => {
      const [recording_retention_days, track_retention_days, alert_retention_days] = days
      const { service } = accountsOn(database)
      const rights = { recording_retention_days, track_retention_days, alert_retention_days } as Partial<Rights>
      const { account } = await service.createMaster('boss', { rights })
      expect(daysOf(account)).toEqual(counts)
    })

    test('no part of a recording is kept for longer than by the master', async () => {
      const { service } = accountsOn(database)
      const rights = { recording_retention_days: 2, track_retention_days: 4, alert_retention_days: 6 }
      const { account: boss } = await service.createMaster('boss', { rights })
      const { account } = await service.createChild(boss, { username: 'child', minutes: 0 })
      expect(daysOf(account)).toEqual([2, 4, 6])
    })

    const daysOf = ({ features }: Account) => [
      features.recordingRetentionDays,
      features.trackRetentionDays,
      features.alertRetentionDays,
    ]
  })

  describe('unlimited', () => {
    const unlimited = { rights: { unlimited: true } }

    test('use is counted and takes nothing; limited again, it has what it had', async () => {
      const { service, ledger } = accountsOn(database)
      await service.update(master, { unlimited: true })
      expect(await ledger.charge('run-1', master.id, 90_000_000, 0)).toEqual({
        isUnlimited: true,
        remainingSeconds: 6000,
        consumedSeconds: 90_000,
        pendingSeconds: 6000,
      })
      const { balance } = await service.update(master, { unlimited: false })
      expect(balance).toMatchObject({ isUnlimited: false, remainingSeconds: 6000, consumedSeconds: 90_000 })
      expect(await ledger.charge('run-1', master.id, 90_010_000, 0)).toMatchObject({ remainingSeconds: 5990 })
      expect(await ledger.balance(master.id)).toEqual(await sumOfBook(database, master.id))
    })

    test('a master gives what it does not have; what a child has left is set off against it', async () => {
      const { service, ledger } = accountsOn(database)
      const { account: boss } = await service.createMaster('boss', unlimited)
      const { account: child } = await service.createChild(boss, { username: 'child', minutes: 10 })
      await service.allocate(boss, 'child', 5)
      expect((await service.find('child')).balance).toMatchObject({ isUnlimited: false, remainingSeconds: 900 })
      await ledger.charge('run-1', child.id, 60_000, 0)
      await service.revokeChild(boss, 'child', { purge: false })
      expect((await service.find('boss')).balance).toMatchObject({ isUnlimited: true, pendingSeconds: -60 })
      for (const { id } of [boss, child]) expect(await ledger.balance(id)).toEqual(await sumOfBook(database, id))
      await service.update(boss, { unlimited: false })
      await expect(service.createChild(boss, { username: 'another', minutes: 1 })).rejects.toMatchObject({
        code: 'minutes-not-pending',
        message: expect.stringContaining('only 0;') as string,
      })
    })

    test('only an unlimited master has unlimited children, and only for as long as it is', async () => {
      const { service, ledger } = accountsOn(database)
      const refused = { code: 'unlimited-not-allowed' }
      await expect(service.createChild(master, { username: 'child', minutes: null })).rejects.toMatchObject(refused)
      const { account: plain } = await service.createChild(master, { username: 'plain', minutes: 0 })
      await expect(service.update(plain, { unlimited: true })).rejects.toMatchObject(refused)

      const { account: boss } = await service.createMaster('boss', unlimited)
      const { account: child } = await service.createChild(boss, { username: 'child', minutes: null })
      expect(toKey(child).subscription).toEqual({
        remaining_minutes: 52_560_000,
        pending_to_allocate: 52_560_000,
        consumed_minutes: 0,
        expiration_date: null,
        unlimited: true,
      })
      expect(await ledger.charge('run-1', child.id, 5_000, 0)).toMatchObject({ isUnlimited: true, remainingSeconds: 0 })
      await service.update(boss, { unlimited: false })
      expect(toKey(await service.find('child')).subscription).toMatchObject({ remaining_minutes: 0, unlimited: false })
      expect(await ledger.charge('run-1', child.id, 7_000, 0)).toMatchObject({
        isUnlimited: false,
        remainingSeconds: -2,
      })
    })
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
      expect(issued?.account).toMatchObject({
        username: 'admin',
        limits: { maxSources: 1000, maxOutputs: 1000, maxProcesses: 1000, maxAttachedOutputs: 8 },
      })
      expect(kept).toEqual([issued?.key])
      expect((await service.find('admin')).balance).toEqual({
        isUnlimited: true,
        remainingSeconds: 0,
        pendingSeconds: 0,
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
      expect((await service.listAll()).map(({ username }) => username)).toEqual(['admin'])
    })
  })
})
