import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tooManyToBind } from '../../test/builders/too-many-to-bind.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type BacklogStore, createBacklogStore } from './backlog.store.ts'
import { createEntryStore, type EntryStore } from './entries.store.ts'
import { createOutboxStore, type Delivered, type OutboxStore } from './outbox.store.ts'
import { type WaitingMessage } from './waiting-message.ts'

describe.each(dialects)('the outbox on %s', (dialect) => {
  let database: TestDatabase
  let store: OutboxStore
  let backlog: BacklogStore
  let entries: EntryStore
  let position: number
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    store = createOutboxStore(database.db)
    backlog = createBacklogStore(database.db)
    entries = createEntryStore(database.db)
    position = 0
  })
  afterEach(() => database.remove())

  const aMessage = (id: string, change: Partial<WaitingMessage> = {}): WaitingMessage => ({
    id,
    position: (position += 1),
    channel: 'a',
    accountId: 'account',
    processId: 'p',
    destination: { kind: 'webhook', url: 'http://127.0.0.1/', secret: 'whsec_' },
    body: `{"text":"grüße \\u0000 of ${id}"}`,
    attempts: 0,
    sizeBytes: 10,
    createdAtMs: 1_000,
    expiresAtMs: 5_000,
    spacingMs: 0,
    ...change,
  })
  const write = (change: Partial<Parameters<OutboxStore['write']>[0]>) =>
    store.write({ inserts: [], sent: [], delivered: [], failed: [], nowMs: 2_000, ...change })
  const delivered = (id: string, change: Partial<Delivered> = {}) => ({ id, attempts: 1, isKept: false, ...change })
  const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id)
  const loaded = async (channel = 'a', from = 0) => ids(await backlog.load(channel, from, 100, 1e9))
  const listed = async () => (await entries.list(['a', 'b'], { limit: 100 })).items.map(({ id, state }) => [id, state])

  test('what is written comes back whole and in order, channel by channel', async () => {
    const [one, two, other] = [aMessage('1'), aMessage('2'), aMessage('3', { channel: 'b' })]
    expect(await write({ inserts: [two, other, one] })).toEqual(new Set(['1', '2', '3']))
    expect(await backlog.load('a', 0, 100, 1e9)).toEqual([one, two])
    expect(await loaded('a', 1)).toEqual(['2'])
    expect(await store.lastPosition('all')).toBe(3)
    const backlogs = await backlog.backlogs('all')
    expect(backlogs.sort((x, y) => (x.channel < y.channel ? -1 : 1))).toEqual([
      { channel: 'a', accountId: 'account', processId: 'p', count: 2, bytes: 20 },
      { channel: 'b', accountId: 'account', processId: 'p', count: 1, bytes: 10 },
    ])
  })

  test('an empty outbox has nothing', async () => {
    expect([await store.lastPosition('all'), await backlog.backlogs('all'), await loaded()]).toEqual([0, [], []])
    expect(await write({})).toEqual(new Set())
    expect((await entries.list([], { limit: 1 })).items).toEqual([])
  })

  test('a message that was taken before is not taken again', async () => {
    await write({ inserts: [aMessage('1')] })
    await write({ delivered: [delivered('1')] })
    expect(await write({ inserts: [aMessage('1'), aMessage('2')] })).toEqual(new Set(['2']))
    expect(await loaded()).toEqual(['2'])
  })

  test('a write that is repeated answers as the first time, and what it wrote is found', async () => {
    await write({ inserts: [aMessage('old')] })
    const inserts = [aMessage('1'), aMessage('old'), aMessage('2')]
    expect(await write({ inserts })).toEqual(new Set(['1', '2']))
    expect(await write({ inserts })).toEqual(new Set(['1', '2']))
    expect(await loaded()).toEqual(['old', '1', '2'])
    const moved = inserts.map((message) => ({ ...message, position: message.position + 100 }))
    expect(ids(await store.written([...moved, ...inserts.toReversed()]))).toEqual(['1', '2'])
    await write({ delivered: [delivered('1')] })
    expect(await store.written(inserts)).toEqual([inserts[2]])
  })

  describe('spacing', () => {
    const minute = 60_000
    const spacedAt = async (nowMs: number) =>
      (await backlog.spacedChannels('all', nowMs)).map(({ channel, notBeforeMs }) => [channel, notBeforeMs])
    beforeEach(async () => {
      const inserts = ['1', '2', '3'].map((id) => aMessage(id, { channel: id, spacingMs: 10 * minute }))
      await write({ inserts })
      await write({ sent: ['1', '2'], nowMs: minute })
    })

    test('goes on after a restart: from the answer, or from now while none is known', async () => {
      await write({ delivered: [delivered('1')], nowMs: 2 * minute })
      expect((await spacedAt(3 * minute)).sort()).toEqual([
        ['1', 12 * minute],
        ['2', 13 * minute],
      ])
    })

    test('is not counted from a restart again and again, nor from a time that is to come', async () => {
      await write({ delivered: [delivered('1')], nowMs: 2 * minute })
      expect(await spacedAt(13 * minute)).toEqual([['2', 14 * minute]])
      expect(await spacedAt(20 * minute)).toEqual([])
      expect(await spacedAt(0)).toContainEqual(['1', 10 * minute])
    })

    test('does not count what never reached the receiver', async () => {
      await write({ delivered: [delivered('1')], nowMs: 2 * minute })
      await write({ failed: [{ id: '2', attempts: 1, error: 'It is away.', isUnsent: true }] })
      expect(await spacedAt(3 * minute)).toEqual([['1', 12 * minute]])
    })
  })

  test('as much is read as fits, and always one', async () => {
    await write({ inserts: ['1', '2', '3'].map((id) => aMessage(id, { sizeBytes: 100 })) })
    expect(ids(await backlog.load('a', 0, 2, 1e9))).toEqual(['1', '2'])
    expect(ids(await backlog.load('a', 0, 100, 250))).toEqual(['1', '2'])
    expect(ids(await backlog.load('a', 0, 100, 5))).toEqual(['1'])
  })

  test('attempts are noted; what is delivered and not kept has no text and no secrets any more', async () => {
    await write({ inserts: [aMessage('1'), aMessage('2'), aMessage('3')] })
    await write({
      delivered: [delivered('1'), delivered('2', { attempts: 4 })],
      failed: [{ id: '3', attempts: 2, error: 'It is away.', isUnsent: false }],
    })
    expect((await backlog.load('a', 0, 10, 1e9))[0]).toMatchObject({ id: '3', attempts: 2 })
    expect((await entries.list(['a'], { limit: 10 })).items).toMatchObject([
      { id: '3', state: 'waiting', attempts: 2, error: 'It is away.', settledAtMs: null },
      { id: '2', state: 'delivered', attempts: 4, error: null, settledAtMs: 2_000 },
      { id: '1', state: 'delivered', attempts: 1, createdAtMs: 1_000, channel: 'a' },
    ])
    const rows = await database.db.selectFrom('delivery').select('body').where('state', '=', 'delivered').execute()
    expect(rows).toEqual([{ body: '' }, { body: '' }])
    const channels = ['a', ...tooManyToBind(), 'b']
    expect(await entries.lastDeliveries(channels)).toEqual(new Map([['a', 2_000]]))
  })

  test('the oldest are dropped, by number and by size, but never the one under way', async () => {
    await write({ inserts: ['1', '2', '3', '4', '5'].map((id) => aMessage(id)) })
    const drop = { channel: 'a', exceptIds: ['1'], sentence: 'Dropped.', nowMs: 3_000 }
    expect(ids(await backlog.dropOldest({ ...drop, count: 2, bytes: -5 }))).toEqual(['2', '3'])
    expect(ids(await backlog.dropOldest({ ...drop, count: -2, bytes: 5 }))).toEqual(['4'])
    expect(await loaded()).toEqual(['1', '5'])
    expect(await entries.find('a', '2')).toMatchObject({ state: 'dropped', error: 'Dropped.', settledAtMs: 3_000 })
  })

  test('what is past its time is dead, and waits again behind the others when asked', async () => {
    await write({ inserts: [aMessage('1'), aMessage('2', { expiresAtMs: 9_000 })] })
    expect(ids(await backlog.bury('a', 5_000))).toEqual(['1'])
    expect(await loaded()).toEqual(['2'])
    expect(await store.revive('b', '1', 7, 20_000)).toBeUndefined()
    expect(await store.revive('a', '2', 7, 20_000)).toBeUndefined()
    expect(await store.revive('a', '1', 7, 20_000)).toMatchObject({ id: '1', attempts: 0, position: 7 })
    expect(await loaded()).toEqual(['2', '1'])
  })

  test('what was delivered waits again when asked, if its text is kept', async () => {
    await write({ inserts: [aMessage('1'), aMessage('2')] })
    await write({ delivered: [delivered('1', { isKept: true }), delivered('2')] })
    expect(await store.revive('a', '2', 7, 20_000)).toBeUndefined()
    for (const attempt of ['first', 'repeated'])
      expect([attempt, await store.revive('a', '1', 7, 20_000)]).toMatchObject([
        attempt,
        { id: '1', body: aMessage('1').body, attempts: 0, position: 7 },
      ])
    expect(await store.revive('a', '1', 8, 20_000)).toBeUndefined()
    expect(await loaded()).toEqual(['1'])
  })

  test('a channel can be emptied, of what waits and of what has arrived', async () => {
    await write({ inserts: [aMessage('1'), aMessage('2'), aMessage('3', { channel: 'b' })] })
    await write({ delivered: [delivered('1')] })
    await backlog.remove('a')
    expect(await listed()).toEqual([['3', 'waiting']])
    expect(await entries.channelsOf('account')).toEqual(['b'])
  })

  test('lists are newest first, page by page, and of one state if asked', async () => {
    await write({ inserts: [aMessage('0', { channel: 'b' }), ...['1', '2', '3'].map((id) => aMessage(id))] })
    await write({ delivered: [delivered('2')] })
    const first = await entries.list(['b', ...tooManyToBind(), 'a'], { limit: 2 })
    expect(ids(first.items)).toEqual(['3', '2'])
    expect(ids((await entries.list(['a'], { limit: 2, cursor: first.nextCursor! })).items)).toEqual(['1'])
    expect(ids((await entries.list(['a'], { limit: 9, state: 'waiting' })).items)).toEqual(['3', '1'])
  })

  test('of what is settled the newest are kept, for a while', async () => {
    const all = Array.from({ length: 10 }, (_, index) => aMessage(`m${index}`))
    await write({ inserts: [...all, aMessage('waits')] })
    await write({ delivered: all.map(({ id }) => delivered(id)) })
    expect(await entries.settledChannels()).toEqual(['a'])
    await entries.trim('a', { delivered: 3, dead: 3, dropped: 3 })
    expect((await listed()).map(([id]) => id)).toEqual(['waits', 'm9', 'm8', 'm7'])
    await entries.removeSettledBefore(2_001)
    expect(await listed()).toEqual([['waits', 'waiting']])
  })

  describe('of some processes', () => {
    const inserts = () => [
      aMessage('1', { channel: 'p1', processId: 'p', spacingMs: 1_000 }),
      aMessage('2', { channel: 'p2', processId: 'p' }),
      aMessage('3', { channel: 'q', processId: 'q', spacingMs: 1_000 }),
      aMessage('4', { channel: 'old', processId: null }),
    ]
    const ofP = [...tooManyToBind(), 'p']

    test('what waits is found without that of others, and that of older versions with all', async () => {
      await write({ inserts: inserts() })
      const channelsOf = async (ids: 'all' | string[]) =>
        (await backlog.backlogs(ids)).map(({ channel, processId }) => `${channel} of ${processId}`).sort()
      expect(await channelsOf(ofP)).toEqual(['p1 of p', 'p2 of p'])
      expect(await channelsOf('all')).toEqual(['old of null', 'p1 of p', 'p2 of p', 'q of q'])
      expect(await channelsOf([])).toEqual([])
    })

    test('a channel in which an older version has written is one', async () => {
      await write({ inserts: [aMessage('1', { processId: null }), aMessage('2', { processId: 'p' })] })
      const owner = { channel: 'a', accountId: 'account', processId: 'p' }
      expect(await backlog.backlogs('all')).toEqual([{ ...owner, count: 2, bytes: 20 }])
    })

    test('so are the spacing of their channels, and the place of their last message', async () => {
      await write({ inserts: inserts() })
      await write({ sent: ['1', '3'], nowMs: 2_000 })
      const spaced = async (ids: 'all' | string[]) =>
        (await backlog.spacedChannels(ids, 2_000)).map(({ channel }) => channel).sort()
      expect([await spaced(ofP), await spaced('all')]).toEqual([['p1'], ['p1', 'q']])
      expect([await store.lastPosition(ofP), await store.lastPosition(['q']), await store.lastPosition(['r'])]).toEqual([2, 3, 0]) // prettier-ignore
    })
  })
})
