import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { anOutboundMessage } from '../../test/builders/outbound-message.ts'
import { until } from '../../test/support/until.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import { createLog } from '../observe/log.ts'
import { createBacklogStore } from './backlog.store.ts'
import { createEntryStore } from './entries.store.ts'
import { createOutbox, type Outbox, type OutboxDeps } from './outbox.ts'
import { createOutboxStore, type OutboxStore } from './outbox.store.ts'
import { createSpool } from './spool.ts'

/** The database answers with an error in all of these; waits are a fiftieth of what they are. */
const hastyClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 50, signal) }
let database: TestDatabase
let outbox: Outbox
let arrived: string[]

beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  arrived = []
})
afterEach(async () => {
  await outbox.close()
  await database.remove()
})

async function open(change: (own: OutboxStore) => Partial<OutboxStore>, deps: Partial<OutboxDeps> = {}): Promise<void> {
  const own = createOutboxStore(database.db)
  outbox = createOutbox({
    store: { ...own, ...change(own) },
    backlog: createBacklogStore(database.db),
    // Has no room, as long as nobody fills it.
    spool: createSpool({ path: '/nowhere', clock: hastyClock, log: createLog({ level: 'silent' }) }),
    sender: { send: async ({ id }) => void arrived.push(id), close: async () => {} },
    clock: hastyClock,
    log: createLog({ level: 'silent' }),
    ...deps,
  })
  await outbox.start()
  await outbox.takeUp({ ids: 'all' })
}

const send = (id: string) => outbox.send(anOutboundMessage(id, { createdAtMs: systemClock.now() }))
const have = (ids: readonly string[]) => until(async () => arrived.length >= ids.length)
const entries = async () => (await createEntryStore(database.db).list(['a'], { limit: 100 })).items

/** Does it, and says that it did not. */
const failing =
  <In extends unknown[], Out>(times: number, act: (...input: In) => Promise<Out>) =>
  async (...input: In): Promise<Out> => {
    const result = await act(...input)
    if (times-- > 0) throw new Error('the connection ended')
    return result
  }

test('what was written all the same arrives, once and in order', async () => {
  await open((own) => ({ write: failing(1, (write) => own.write(write)) }))
  await Promise.all([send('1'), send('2'), send('1')])
  await send('3')
  await have(['1', '2', '3'])
  await until(async () => (await entries()).every(({ state }) => state === 'delivered'))
  expect(arrived).toEqual(['1', '2', '3'])
  expect(outbox.waitingInAll()).toBe(0)
})

test('what was given up and is there all the same arrives, though nothing else is sent', async () => {
  await open((own) => ({ write: failing(4, (write) => own.write(write)) }))
  await expect(Promise.all([send('1'), send('2')])).rejects.toThrow('the connection ended')
  await have(['1', '2'])
  expect(arrived).toEqual(['1', '2'])
})

test('what was given up and is sent again arrives once', async () => {
  await open((own) => ({ write: failing(4, (write) => own.write(write)) }))
  await expect(send('1')).rejects.toThrow('the connection ended')
  await Promise.all([send('1'), send('2')])
  await have(['1', '2'])
  expect(arrived).toEqual(['1', '2'])
  await until(async () => outbox.waitingInAll() === 0)
})

test('what waited behind something that was not written does not overtake it', async () => {
  let failures = 4
  await open((own) => ({
    write: async (write) => {
      if (failures-- > 0) throw new Error('the connection ended')
      return own.write(write)
    },
  }))
  // So large that each is written by itself.
  const ids = ['1', '2', '3']
  const sendLarge = (id: string) =>
    outbox.send(anOutboundMessage(id, { body: 'x'.repeat(1 << 20), createdAtMs: systemClock.now() }))
  const outcomes = await Promise.allSettled(ids.map(sendLarge))
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await Promise.all(ids.map(sendLarge))
  await have(ids)
  expect(arrived).toEqual(ids)
})

test('what is sent again is sent again', async () => {
  await open((own) => ({ revive: failing(1, (...asked) => own.revive(...asked)) }))
  await send('1')
  await until(async () => (await entries()).some(({ state }) => state === 'delivered'))
  expect(await outbox.revive('a', '1')).toBe(true)
  await have(['1', '1'])
})

test('when too much is to be dropped, what was written sets out all the same', async () => {
  const dropOldest = () => Promise.reject(new Error('the connection ended'))
  const backlog = { ...createBacklogStore(database.db), dropOldest }
  const limits = { channelMessages: 0, channelBytes: 9, accountBytes: 9, messageBytes: 9 }
  await open(() => ({}), { backlog, limits })
  await send('1')
  await have(['1'])
})
