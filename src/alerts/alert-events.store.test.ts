import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount, keepForDays } from '../../test/builders/account.ts'
import { addNodeRow } from '../../test/builders/node-row.ts'
import { aProcess } from '../../test/builders/process.ts'
import { anAlertEventRow } from '../../test/builders/recorded-rows.ts'
import { aSource } from '../../test/builders/source.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { createSourceStore } from '../sources/sources.store.ts'
import { type AlertEventRow } from '../storage/schema.ts'
import { fromEventCursor } from './alert-event-cursor.ts'
import { type AlertEventStore, createAlertEventStore } from './alert-events.store.ts'
import { eventPictureFile } from './event-picture-files.ts'

const DAY_MS = 86_400_000

describe.each(dialects)('alert events by %s', (dialect) => {
  let database: TestDatabase
  let store: AlertEventStore
  let accountId: string
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    store = createAlertEventStore(database.db)
    accountId = (await addAccount(database, { username: 'admin', minutes: 10 })).account.id
  })
  afterEach(() => database.remove())

  const anEvent = (change: Partial<AlertEventRow> = {}): AlertEventRow =>
    anAlertEventRow({ id: orderedUuid(), account_id: accountId, ...change })
  const all = { range: {} }
  const idsOf = (events: readonly AlertEventRow[]) => events.map(({ id }) => id)

  async function listIds(search: Parameters<AlertEventStore['list']>[1] = all): Promise<string[]> {
    return idsOf((await store.list(accountId, search, { limit: 100 })).items)
  }

  test('the same one again changes nothing; its picture is added, and stays', async () => {
    const event = anEvent({ alias: 'fence' })
    await store.put([event])
    await store.put([{ ...event, alias: 'other' }])
    await store.put([{ ...event, file: 'events/p/1.jpg', size_bytes: 7 }])
    await store.put([event])
    expect(await store.find(event.id)).toEqual({ ...event, file: 'events/p/1.jpg', size_bytes: 7 })
  })

  test('of a key that is revoked nothing is written, and others keep theirs', async () => {
    const { account: other } = await addAccount(database, { username: 'other', minutes: 10 })
    await database.db.updateTable('account').set({ revoked_at: 1 }).where('id', '=', other.id).execute()
    const [mine, theirs] = [anEvent(), anEvent({ account_id: other.id })]
    await store.put([mine, theirs, anEvent({ account_id: 'nobody' })])
    expect(await listIds()).toEqual([mine.id])
    expect(await store.find(theirs.id)).toBeUndefined()
  })

  test('of several alerts and classes those of any of them are listed', async () => {
    const classes = (...names: string[]) => JSON.stringify(names)
    const person = anEvent({ at: 5, alert_id: 'a', classes: classes('person', 'dog') })
    const car = anEvent({ at: 4, alert_id: 'b', classes: classes('car') })
    const odd = anEvent({ at: 3, alert_id: 'c', classes: classes('50%_"x\\') })
    const older = anEvent({ at: 2, alert_id: 'c' })
    await store.put([person, car, odd, older])
    const listed = (search: object) => listIds({ range: {}, ...search })
    expect(await listed({ alertIds: ['a', 'c'] })).toEqual([person.id, odd.id, older.id])
    expect(await listed({ classes: ['dog', 'car'] })).toEqual([person.id, car.id])
    // Whole names, in which nothing stands for anything else.
    expect(await listed({ classes: ['perso', '%', 'c_r'] })).toEqual([])
    expect(await listed({ classes: ['50%_"x\\'] })).toEqual([odd.id])
    expect(await listed({ classes: ['car'], alertIds: ['a'] })).toEqual([])
  })

  test('they are listed by the time of the stream, the newest first, page by page', async () => {
    const events = [3, 1, 2, 2, 2].map((at) => anEvent({ at: at * 1_000 }))
    await store.put(events)
    const inOrder = [...events].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    const listed: string[] = []
    for (let cursor: string | undefined = '', after; cursor !== undefined;) {
      const page = await store.list(accountId, all, { limit: 2, after })
      listed.push(...idsOf(page.items))
      cursor = page.nextCursor
      after = cursor === undefined ? undefined : fromEventCursor(cursor)
    }
    expect(listed).toEqual(idsOf(inOrder))
  })

  test('they are found by time, source and alert, and nobody finds those of others', async () => {
    const { account: other } = await addAccount(database, { username: 'other', minutes: 10 })
    const [early, late] = [anEvent({ at: 1_000 }), anEvent({ at: 2_000, source_id: 'gate', alert_id: 'crowd' })]
    await store.put([early, late, anEvent({ account_id: other.id, source_id: 'gate' })])
    expect(await listIds({ range: { from: 1_000, to: 2_000 } })).toEqual([early.id])
    expect(await listIds({ range: { from: 2_000 } })).toEqual([late.id])
    expect(await listIds({ range: {}, sourceId: 'gate' })).toEqual([late.id])
    expect(await listIds({ range: {}, alertId: 'crowd' })).toEqual([late.id])
    expect(await listIds({ range: {}, sourceId: 'gate', alertId: 'alert' })).toEqual([])
  })

  test('each has the alias and the type of its source, as long as there is one', async () => {
    const { account } = await addAccount(database, { username: 'bob', minutes: 10 })
    const source = aSource({ accountId: account.id, alias: 'gate' })
    const sources = createSourceStore(database.db)
    await sources.insertWithinLimits(account, source)
    await store.put([anEvent({ account_id: account.id, source_id: source.id })])
    const listOne = async () => (await store.list(account.id, all, { limit: 1 })).items[0]
    expect(await listOne()).toMatchObject({ source_alias: 'gate', source_type: source.type })
    await sources.remove(source.id)
    expect(await listOne()).toMatchObject({ source_alias: null, source_type: null })
  })

  test('those that are older than their account keeps them expire, the oldest first', async () => {
    await keepForDays(database, accountId, 2)
    const now = 10 * DAY_MS
    const [kept, old, oldest] = [8, 7.9, 1].map((days) => anEvent({ at: days * DAY_MS }))
    await store.put([kept!, old!, oldest!])
    expect(idsOf(await store.listExpired(now, 10))).toEqual(idsOf([oldest!, old!]))
    expect(idsOf(await store.listExpired(now, 1))).toEqual([oldest!.id])
    await store.remove([oldest!], async () => {})
    expect(idsOf(await store.listExpired(now, 10))).toEqual([old!.id])
  })

  test('a removal that fails removes nothing', async () => {
    const event = anEvent()
    await store.put([event])
    const failing = store.remove([event], async () => {
      throw new Error('away')
    })
    await expect(failing).rejects.toThrow('away')
    expect(await listIds()).toEqual([event.id])
  })

  test('what pictures take is summed up, and those that no object store knows are listed', async () => {
    const pictured = anEvent({ file: 'events/p/1.jpg', size_bytes: 70 })
    await store.put([pictured, anEvent({ file: 'events/p/2.jpg', size_bytes: 7 }), anEvent()])
    expect(await store.heldBytes()).toEqual(new Map([[accountId, 77]]))
    const listed = async (since: number) => {
      const files = []
      for await (const part of store.listUnstored(since)) files.push(...part)
      return files.sort((a, b) => (a.file < b.file ? -1 : 1))
    }
    const [one, two] = ['events/p/1.jpg', 'events/p/2.jpg'].map((file) => ({ file, accountId }))
    expect(await listed(0)).toEqual([one, two])
    expect(await listed(Date.now())).toEqual([one, two])
    expect(await listed(Date.now() + DAY_MS)).toEqual([])
  })

  describe('on several nodes', () => {
    const node = { id: 'a', epoch: 1 }
    beforeEach(async () => {
      for (const id of ['a', 'b', 'c']) await addNodeRow(database.db, id)
    })

    async function addProcessAt(nodeId: string): Promise<string> {
      const { account } = await addAccount(database, { username: `at-${nodeId}`, minutes: 10 })
      const process = aProcess({ id: orderedUuid(), accountId: account.id })
      await createProcessStore(database.db).insertWithinLimits(account, process)
      await database.db.updateTable('process').set({ node_id: nodeId }).where('id', '=', process.id).execute()
      return process.id
    }

    test('a node counts and lists those of its processes', async () => {
      const [here, there] = [await addProcessAt('a'), await addProcessAt('b')]
      await store.put([
        anEvent({ process_id: here, file: 'events/here.jpg', size_bytes: 3 }),
        anEvent({ process_id: there, file: 'events/there.jpg', size_bytes: 5 }),
      ])
      const own = createAlertEventStore(database.db, node)
      expect(await own.heldBytes()).toEqual(new Map([[accountId, 3]]))
      const listed = []
      for await (const part of own.listUnstored(0)) listed.push(...part)
      expect(listed).toEqual([{ file: 'events/here.jpg', accountId }])
    })

    test('the other nodes that may have a file are those where its process is, and where it was noted', async () => {
      const event = anEvent({ process_id: await addProcessAt('b') })
      const file = eventPictureFile(event)
      const noted = { file, folder: 'events/p', kind: 'events', account_id: accountId, node_id: 'c' }
      await database.db
        .insertInto('stored_file')
        .values({ ...noted, object_key: 'k', size_bytes: 1, place: 'both', local_at: 0, retry_at: 0 })
        .execute()
      const nodes = await createAlertEventStore(database.db, node).listNodes([event], eventPictureFile)
      expect(nodes.map(({ nodeId }) => nodeId).sort()).toEqual(['b', 'c'])
      expect(new Set(nodes.map((one) => one.file))).toEqual(new Set([file]))
      expect(await store.listNodes([event], eventPictureFile)).toEqual([])
    })
  })
})
