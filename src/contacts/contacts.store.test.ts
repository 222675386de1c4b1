import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type Account } from '../core/account.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type ListedContact, type NamedDevice } from './contact.ts'
import { type ContactStore, createContactStore } from './contacts.store.ts'

const AT = Date.parse('2026-11-20T12:00:00Z')

describe.each(dialects)('contacts on %s', (dialect) => {
  let database: TestDatabase
  let account: Account
  let store: ContactStore
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    ;({ account } = await addAccount(database, { username: 'admin' }))
    store = createContactStore(database.db, { now: () => AT })
  })
  afterEach(() => database.remove())

  const add = async (change: Partial<ListedContact> = {}): Promise<ListedContact> => {
    const contact = {
      id: orderedUuid(),
      accountId: account.id,
      alias: 'phone',
      type: 'webpush',
      config: {},
      quietHours: null,
      maxPerMinute: 6,
      devices: [],
      createdAt: 1,
      heldCount: 0,
      lastSentAt: null,
      problem: null,
      ...change,
    } as ListedContact
    expect(await store.insertWithinLimit(account, contact, 50)).toBe(true)
    return contact
  }
  const device = (name: string): NamedDevice => ({
    id: orderedUuid(),
    name,
    endpoint: `https://push.example.org/${name}`,
    keys: { p256dh: 'p', auth: 'a' },
    createdAt: 1,
  })
  const ask = (contactId: string, messageId: string, atMs = 0) =>
    store.takeTurn({ contactId, messageId, label: 'fence (gate)', processId: 'p', nowMs: AT + atMs })

  test('what is stored comes back whole', async () => {
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'UTC', days: [1] }
    const contact = await add({ quietHours, maxPerMinute: 3 })
    expect(await store.findOf(account.id, contact.id)).toEqual(contact)
    expect(await store.find(contact.id)).toEqual(contact)
    expect(await store.findOf('somebody', contact.id)).toBeUndefined()
    expect((await store.list(account.id, { limit: 10 })).items).toEqual([contact])
  })

  test('of many that ask for a turn at once exactly as many as are allowed have one, and all others are counted', async () => {
    const { id } = await add({ maxPerMinute: 7 })
    const outcomes = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(id, `m${n}`, n)))
    expect(outcomes.filter((outcome) => outcome === 'send')).toHaveLength(7)
    expect((await store.find(id)) as ListedContact).toMatchObject({ heldCount: 33 })
    expect(await ask(id, 'late', 60_100)).toBe('send')
  })

  test('the same message is counted once, however often it asks', async () => {
    const { id } = await add({ maxPerMinute: 1 })
    const outcomes = [await ask(id, 'a'), await ask(id, 'a'), await ask(id, 'b'), await ask(id, 'b')]
    expect(outcomes).toEqual(['send', 'send', 'held', 'held'])
    expect(await store.findOf(account.id, id)).toMatchObject({ heldCount: 1 })
  })

  test('a sum is set apart once, stays that after a crash, and leaves what came meanwhile', async () => {
    const { id } = await add({ maxPerMinute: 1 })
    for (const [n, message] of ['a', 'b', 'c'].entries()) await ask(id, message, n)
    expect(await store.listHeld()).toEqual([id])
    expect(await store.beginSum(id, AT + 59_999)).toBeUndefined()
    const begun = await Promise.all([store.beginSum(id, AT + 60_000), store.beginSum(id, AT + 60_001)])
    expect(begun[0]).toEqual(begun[1])
    expect(begun[0]).toMatchObject({
      accountId: account.id,
      processId: 'p',
      sum: { count: 2, fromMs: AT + 1, labels: { 'fence (gate)': 2 } },
    })
    expect([await ask(id, 'd', 60_002), await ask(id, 'e', 60_003)]).toEqual(['send', 'held'])
    await store.endSum(id, begun[0]!.sum.id)
    await store.endSum(id, 'another')
    expect(await store.findOf(account.id, id)).toMatchObject({ heldCount: 1 })
    const next = await store.beginSum(id, AT + 130_000)
    expect(next?.sum).toMatchObject({ count: 1, fromMs: AT + 60_003 })
    await store.endSum(id, next!.sum.id)
    expect(await store.listHeld()).toEqual([])
  })

  test('a contact that an alert names is not removed, and which do is answered', async () => {
    const { id } = await add()
    const setup = JSON.stringify({ output: [{ type: 'contact', config: { contact_uuid: id } }] })
    const row = { account_id: account.id, status: 'inactive', setup, has_sources: 0 } as const
    const times = { created_at: 1, updated_at: 1 }
    await database.db
      .insertInto('alert')
      .values({ ...row, ...times, id: 'alert', alias: 'fence' })
      .execute()
    expect(await store.remove(account.id, id)).toEqual(['fence'])
    await database.db.deleteFrom('alert').execute()
    expect(await store.remove('somebody', id)).toBe(false)
    expect(await store.remove(account.id, id)).toBe(true)
    expect(await ask(id, 'a')).toBe('held')
  })

  test('a browser that registers again is the same device, and too many are refused', async () => {
    const { id } = await add()
    const [first, second] = [device('one'), device('two')]
    expect(await store.insertDeviceWithinLimit(id, first, 2)).toEqual(first)
    expect(await store.insertDeviceWithinLimit(id, second, 2)).toEqual(second)
    const again = { ...device('one'), name: 'renamed', keys: { p256dh: 'new', auth: 'new' } }
    expect(await store.insertDeviceWithinLimit(id, again, 2)).toEqual({ ...again, id: first.id })
    expect(await store.insertDeviceWithinLimit(id, device('three'), 2)).toBeUndefined()
    expect((await store.find(id))!.devices).toHaveLength(2)
    expect(await store.removeDeviceOf('another', first.id)).toBe(false)
    expect(await store.removeDeviceOf(id, first.id)).toBe(true)
    await store.removeDevice(second.id)
    expect((await store.find(id))!.devices).toEqual([])
  })

  test('what came of sending is noted', async () => {
    const { id } = await add()
    await store.noteSent(id, { hasArrived: false, problem: 'It is away.' })
    expect(await store.findOf(account.id, id)).toMatchObject({ problem: 'It is away.', lastSentAt: null })
    await store.noteSent(id, { hasArrived: true, problem: null })
    expect(await store.findOf(account.id, id)).toMatchObject({ problem: null, lastSentAt: AT })
  })
})
