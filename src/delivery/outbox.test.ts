import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { anOutboundMessage } from '../../test/builders/outbound-message.ts'
import { until } from '../../test/support/until.ts'
import { createDeferred, type Deferred } from '../core/deferred.ts'
import { type OutboundMessage } from '../core/outbound-message.ts'
import { createLog } from '../observe/log.ts'
import { createBacklogStore } from './backlog.store.ts'
import { createEntryStore } from './entries.store.ts'
import { NotDelivered } from './message.ts'
import { createOutbox, type Outbox, type OutboxDeps } from './outbox.ts'
import { createOutboxStore } from './outbox.store.ts'
import { createSpool } from './spool.ts'

const HOUR_MS = 3_600_000
let database: TestDatabase
let clock: FakeClock
let outbox: Outbox
let arrived: string[]
/** What the receiver does with a message; delivers by default. */
let receive: (message: OutboundMessage) => Promise<void>
let settled: string[]
let isMoving: boolean

/** Time that goes on by itself, so that ticks pass, and by leaps. */
async function move(): Promise<void> {
  while (isMoving) {
    await clock.advance(20)
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
}

const open = (limits?: OutboxDeps['limits'], backlog = createBacklogStore(database.db)) =>
  createOutbox({
    store: createOutboxStore(database.db),
    backlog,
    // Has no room, as long as nobody fills it.
    spool: createSpool({ path: '/nowhere', clock, log: createLog({ level: 'silent' }) }),
    sender: {
      async send(message) {
        await receive(message)
        arrived.push(message.id)
      },
      close: async () => {},
    },
    onSettled: (channel, state, count) => void settled.push(`${channel} ${state} ${count}`),
    ...(limits && { limits }),
    clock,
    log: createLog({ level: 'silent' }),
  })

let moving: Promise<void>
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  clock = createFakeClock()
  arrived = []
  settled = []
  receive = async () => {}
  isMoving = true
  moving = move()
  outbox = open()
  await outbox.start()
  await outbox.takeUp({ ids: 'all' })
})
afterEach(async () => {
  await outbox.close()
  isMoving = false
  await moving
  await database.remove()
})

const send = (id: string, change: Partial<OutboundMessage> = {}) =>
  outbox.send(anOutboundMessage(id, { createdAtMs: clock.now(), ...change }))
const have = (ids: readonly string[]) => until(async () => arrived.length >= ids.length)
const entries = async () => (await createEntryStore(database.db).list(['a'], { limit: 1_000 })).items
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

test('messages of a channel arrive in order, one at a time', async () => {
  let underWay = 0
  receive = async () => {
    underWay += 1
    expect(underWay).toBe(1)
    await new Promise((resolve) => setImmediate(resolve))
    underWay -= 1
  }
  const ids = numbers(200)
  await Promise.all(ids.map((id) => send(id)))
  await have(ids)
  expect(arrived).toEqual(ids)
  await until(async () => (await entries()).every(({ state }) => state === 'delivered'))
  expect(outbox.waitingInAll()).toBe(0)
})

test('a channel that waits for its receiver does not stop the others', async () => {
  const stuck = createDeferred()
  receive = ({ channel }) => (channel === 'a' ? stuck.promise : Promise.resolve())
  await Promise.all([send('1'), send('2', { channel: 'b' }), send('3', { channel: 'b' })])
  await have(['2', '3'])
  expect(arrived).toEqual(['2', '3'])
  stuck.resolve()
  await have(['1', '2', '3'])
})

test('one account cannot take all places', async () => {
  const stuck: Deferred<void>[] = []
  receive = ({ accountId }) => {
    if (accountId !== 'greedy') return Promise.resolve()
    const wait = createDeferred()
    stuck.push(wait)
    return wait.promise
  }
  await Promise.all(numbers(300).map((id) => send(id, { channel: id, accountId: 'greedy' })))
  await send('modest', { channel: 'b' })
  await have(['modest'])
  expect(stuck).toHaveLength(64)
  receive = async () => {}
  for (const wait of stuck) wait.resolve()
  await have(numbers(301))
})

test('what fails is tried again, later each time, and the rest of its channel waits behind it', async () => {
  let attempts = 0
  const times: number[] = []
  let whileItWaited: unknown
  receive = async ({ id }) => {
    if (id !== '1' || attempts >= 3) return
    if (attempts === 1) whileItWaited = (await entries()).at(-1)
    attempts += 1
    times.push(clock.now())
    throw new NotDelivered('The receiver answered 500.')
  }
  await Promise.all(['1', '2', '3'].map((id) => send(id)))
  await have(['1', '2', '3'])
  expect(whileItWaited).toMatchObject({
    id: '1',
    state: 'waiting',
    attempts: 1,
    error: expect.stringContaining('500') as unknown,
  })
  expect(arrived).toEqual(['1', '2', '3'])
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(800)
  expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(1_000)
})

test('what comes while the receiver is away waits on disk, and arrives in order when it is back', async () => {
  let isAway = true
  receive = async () => {
    if (isAway) throw new NotDelivered('The receiver is away.')
  }
  const ids = numbers(100)
  for (const id of ids) await send(id)
  expect(outbox.waitingIn('a')).toMatchObject({ count: 100 })
  isAway = false
  await have(ids)
  expect(arrived).toEqual(ids)
})

test('after a crash what waited is taken up; what was taken twice arrives once', async () => {
  receive = () => new Promise(() => {})
  for (const id of ['1', '2', '3']) await send(id)
  // The first outbox is as good as dead: its receiver never answers, and it has written nothing more.
  receive = async () => {}
  const next = open()
  await next.start()
  await next.takeUp({ ids: 'all' })
  await have(['1', '2', '3'])
  await next.send(anOutboundMessage('2'))
  await next.close()
  expect(arrived).toEqual(['1', '2', '3'])
  outbox.forgetChannel('a')
  outbox = open()
})

describe('spaced by a minute', () => {
  const spacingMs = 60_000
  let times: number[]
  let isAway: boolean
  beforeEach(() => {
    times = []
    isAway = false
    receive = async () => {
      times.push(clock.now())
      if (isAway) throw new NotDelivered('The receiver answered 500.')
      // It takes its time, and that is not taken from the spacing.
      await clock.sleep(5_000)
    }
  })
  const gaps = () => times.slice(1).map((at, index) => at - times[index]!)
  const leap = async (seconds: number) => {
    for (let second = 0; second < seconds; second++) await clock.advance(1_000)
  }
  const haveLeaping = (count: number) =>
    until(async () => {
      await leap(10)
      return times.length >= count
    }, 3_000)

  test('messages leave one by one, each a minute after the answer to the one before', async () => {
    await Promise.all(['1', '2', '3'].map((id) => send(id, { spacingMs })))
    await haveLeaping(3)
    expect(Math.min(...gaps())).toBeGreaterThanOrEqual(65_000)
    expect(Math.max(...gaps())).toBeLessThan(90_000)
    await leap(5)
    expect(arrived).toEqual(['1', '2', '3'])
  })

  test('one that comes when nothing waits is spaced too', async () => {
    await send('1', { spacingMs })
    await until(async () => arrived.length === 1 || (await leap(1), false))
    await send('2', { spacingMs })
    expect(outbox.waitingIn('a').nextAttemptAtMs).toBeGreaterThan(clock.now() + 50_000)
    await haveLeaping(2)
    expect(gaps()[0]).toBeGreaterThanOrEqual(65_000)
  })

  test('a failed attempt counts, and so does what is sent again', async () => {
    isAway = true
    await send('1', { spacingMs })
    await haveLeaping(2)
    isAway = false
    await haveLeaping(3)
    await until(async () => arrived.length === 1 || (await leap(1), false))
    await until(async () => (await entries())[0]!.state === 'delivered')
    expect(await outbox.revive('a', '1')).toBe(true)
    await haveLeaping(4)
    expect(Math.min(...gaps())).toBeGreaterThanOrEqual(60_000)
  })

  test('a receiver that was not reached is tried again as usual', async () => {
    receive = async () => {
      times.push(clock.now())
      if (times.length < 3) throw new NotDelivered('Nobody listens there.', { isUnsent: true })
    }
    await send('1', { spacingMs })
    await have(['1'])
    expect(Math.max(...gaps())).toBeLessThan(5_000)
  })

  test('a restart does not shorten it, whether the answer was written or not', async () => {
    receive = () => (times.push(clock.now()), new Promise(() => {}))
    await send('1', { spacingMs })
    await until(async () => times.length === 1)
    outbox.forgetChannel('a')
    receive = async () => void times.push(clock.now())
    const next = open()
    await next.start()
    await next.takeUp({ ids: 'all' })
    await haveLeaping(2)
    expect(gaps()[0]).toBeGreaterThanOrEqual(spacingMs)
    await until(async () => (await entries())[0]!.state === 'delivered')
    await next.close()
    const last = open()
    await last.start()
    await last.takeUp({ ids: 'all' })
    await last.send(anOutboundMessage('2', { createdAtMs: clock.now(), spacingMs }))
    await haveLeaping(3)
    expect(gaps()[1]).toBeGreaterThanOrEqual(spacingMs)
    await last.close()
    outbox = open()
  })

  test('a channel is clear when all has arrived and the minute is over', async () => {
    const never = new AbortController()
    await outbox.whenClear('a', never.signal)
    await Promise.all(['1', '2'].map((id) => send(id, { spacingMs })))
    let clearAtMs: number | undefined
    void outbox.whenClear('a', never.signal).then(() => (clearAtMs = clock.now()))
    await haveLeaping(2)
    expect(clearAtMs).toBeUndefined()
    await until(async () => clearAtMs !== undefined || (await leap(1), false))
    expect(clearAtMs! - times[1]!).toBeGreaterThanOrEqual(65_000)
    const leaving = new AbortController()
    await send('3', { spacingMs })
    const left = outbox.whenClear('a', leaving.signal)
    leaving.abort()
    await left
  })
})

describe('after a day', () => {
  beforeEach(async () => {
    receive = async () => {
      throw new NotDelivered('The receiver answered 404.')
    }
    await send('old')
    await until(async () => settled.length > 0 || outbox.waitingIn('a').nextAttemptAtMs !== null)
    await clock.advance(23 * HOUR_MS)
    await send('young')
    await clock.advance(2 * HOUR_MS)
    await until(async () => settled.includes('a dead 1'))
  })

  test('a message is dead, and the channel goes on behind it', async () => {
    receive = async () => {}
    await clock.advance(HOUR_MS)
    await have(['young'])
    expect(arrived).toEqual(['young'])
    const dead = (await entries()).find(({ id }) => id === 'old')
    expect(dead).toMatchObject({ state: 'dead', error: 'The receiver answered 404.' })
  })

  test('one that is sent again while others are sent loses none of them', async () => {
    receive = async () => {}
    const sent = ['x', 'y', 'z'].map((id) => send(id))
    expect(await outbox.revive('a', 'old')).toBe(true)
    await Promise.all([...sent, send('last')])
    await until(async () => arrived.includes('last') && arrived.includes('old'))
    expect(arrived.filter((id) => ['x', 'y', 'z', 'last'].includes(id))).toEqual(['x', 'y', 'z', 'last'])
  })

  test('a dead one can be sent again, for another day', async () => {
    expect(await outbox.revive('a', 'young')).toBe(false)
    expect(await outbox.revive('a', 'old')).toBe(true)
    receive = async () => {}
    await clock.advance(HOUR_MS)
    await have(['young', 'old'])
    expect(arrived).toEqual(['young', 'old'])
  })
})

test('a channel that is dropped sends nothing more', async () => {
  const stuck = createDeferred()
  receive = () => stuck.promise
  for (const id of ['1', '2']) await send(id)
  outbox.forgetChannel('a')
  await createBacklogStore(database.db).remove('a')
  stuck.resolve()
  receive = async () => {}
  await send('3')
  await until(async () => arrived.includes('3'))
  expect(arrived).not.toContain('2')
})

describe('bounds', () => {
  const limits = { channelMessages: 5, channelBytes: 100, accountBytes: 150, messageBytes: 60 }
  beforeEach(async () => {
    await outbox.close()
    outbox = open(limits)
    await outbox.start()
    await outbox.takeUp({ ids: 'all' })
    receive = async () => {
      throw new NotDelivered('The receiver is away.')
    }
  })
  const waiting = async () => (await entries()).filter(({ state }) => state === 'waiting').map(({ id }) => id)

  test('the oldest are dropped when too many wait, and that is listed', async () => {
    for (const id of numbers(8)) await send(id)
    expect((await waiting()).length).toBeLessThanOrEqual(5)
    expect(await waiting()).toContain('7')
    const dropped = (await entries()).find(({ state }) => state === 'dropped')
    expect(dropped!.error).toContain('more than 5 messages')
    receive = async () => {}
    await clock.advance(HOUR_MS)
    await until(async () => (await waiting()).length === 0)
    expect(arrived).toEqual([...arrived].sort())
    expect(outbox.waitingInAll()).toBe(0)
  })

  test('the oldest are dropped when too much waits, in a channel or for an account', async () => {
    const body = 'x'.repeat(50)
    for (const id of ['1', '2', '3']) await send(id, { body })
    expect(await waiting()).toHaveLength(2)
    for (const id of ['4', '5']) await send(id, { body, channel: 'b' })
    expect(outbox.waitingInAll()).toBe(3)
  })

  test('what arrives while others are dropped is counted once, and none of those sets out', async () => {
    await outbox.close()
    const backlog = createBacklogStore(database.db)
    const [dropping, mayDrop, first] = [createDeferred(), createDeferred(), createDeferred()]
    const dropOldest: typeof backlog.dropOldest = async (drop) => {
      dropping.resolve()
      await mayDrop.promise
      return backlog.dropOldest(drop)
    }
    outbox = open(limits, { ...backlog, dropOldest })
    await outbox.start()
    await outbox.takeUp({ ids: 'all' })
    receive = ({ id }) => (id === '0' ? first.promise : Promise.resolve())
    for (const id of numbers(5)) await send(id)
    const sent = send('5')
    await dropping.promise
    first.resolve()
    await until(async () => arrived.includes('0'))
    mayDrop.resolve()
    await sent
    await until(async () => arrived.includes('5'))
    expect(arrived).toEqual(['0', '2', '3', '4', '5'])
    await until(async () => (await waiting()).length === 0)
    expect(outbox.waitingInAll()).toBe(0)
  })

  test('what is too large is refused', async () => {
    await expect(send('1', { body: 'x'.repeat(61) })).rejects.toThrow('too large')
  })
})

describe('the processes of a node', () => {
  const ofProcess = (processId: string) => ({ channel: `to ${processId}`, processId })
  /** As another node writes them, which has numbers of its own. */
  const writeElsewhere = (processId: string, messages: readonly (readonly [id: string, position: number])[]) =>
    createOutboxStore(database.db).write({
      inserts: messages.map(([id, position]) => ({
        ...anOutboundMessage(id, ofProcess(processId)),
        position,
        attempts: 0,
        sizeBytes: 2,
        expiresAtMs: Number.MAX_SAFE_INTEGER,
      })),
      sent: [],
      delivered: [],
      failed: [],
      nowMs: 0,
    })
  const stateOf = async (id: string) =>
    (await database.db.selectFrom('delivery').select('state').where('id', '=', id).executeTakeFirst())?.state

  test('what waits of those that are given goes on in its order, ahead of what is new; that of others is not touched', async () => {
    const slow = createDeferred()
    receive = ({ id }) => (id === 'own' ? slow.promise : Promise.resolve())
    await send('own', ofProcess('own'))
    await writeElsewhere('p', [
      ['p2', 900],
      ['p1', 800],
    ])
    await writeElsewhere('q', [['q1', 850]])
    await outbox.takeUp({ ids: ['p'] })
    for (const id of ['p3', 'p4']) await send(id, ofProcess('p'))
    slow.resolve()
    await have(['own', 'p1', 'p2', 'p3', 'p4'])
    expect(arrived.filter((id) => id.startsWith('p'))).toEqual(['p1', 'p2', 'p3', 'p4'])
    expect([arrived.includes('q1'), await stateOf('q1')]).toEqual([false, 'waiting'])
    const position = (id: string) => database.db.selectFrom('delivery').select('position').where('id', '=', id)
    // Behind what the other node wrote, wherever ours had been.
    expect((await position('p4').executeTakeFirstOrThrow()).position).toBeGreaterThan(900)
  })

  test('what comes to the database of those that were taken up, by another node’s spool, is sent too', async () => {
    await outbox.close()
    outbox = open()
    await outbox.start()
    await outbox.takeUp({ ids: ['p', 'given'] })
    const busy = createDeferred()
    receive = ({ id }) => (id === 'p1' ? busy.promise : Promise.resolve())
    const sending = send('p1', ofProcess('p'))
    await outbox.handOver(['given'])
    await writeElsewhere('p', [
      ['p3', 900],
      ['p2', 800],
    ])
    for (const other of ['given', 'q']) await writeElsewhere(other, [[other, 850]])
    // Not while something of its channel is under way: it is counted when that is over.
    await outbox.takeUpStrays()
    expect(outbox.waitingIn('to p').count).toBe(1)
    busy.resolve()
    await sending
    await until(async () => outbox.waitingInAll() === 0 && (await stateOf('p1')) === 'delivered')
    await until(async () => {
      await outbox.takeUpStrays()
      return arrived.length >= 3
    })
    await send('p4', ofProcess('p'))
    await have(['p1', 'p2', 'p3', 'p4'])
    expect(arrived).toEqual(['p1', 'p2', 'p3', 'p4'])
    expect([await stateOf('given'), await stateOf('q')]).toEqual(['waiting', 'waiting'])
  })

  test('what is known already and taken up again is neither lost nor sent twice', async () => {
    let isAway = true
    receive = async () => {
      if (isAway) throw new NotDelivered('The receiver is away.')
    }
    const ids = numbers(50)
    for (const id of ids) await send(id, ofProcess('p'))
    await Promise.all([outbox.takeUp({ ids: ['p'] }), send('50', ofProcess('p'))])
    expect(outbox.waitingIn('to p').count).toBe(51)
    isAway = false
    await have([...ids, '50'])
    await until(async () => outbox.waitingInAll() === 0)
    expect(arrived).toEqual([...ids, '50'])
  })

  test('what comes while they are taken up is sent once', async () => {
    await writeElsewhere('p', [['p1', 900]])
    await Promise.all([outbox.takeUp({ ids: ['p'] }), send('p2', ofProcess('p'))])
    await have(['p1', 'p2'])
    await until(async () => outbox.waitingInAll() === 0)
    expect(arrived.toSorted()).toEqual(['p1', 'p2'])
  })

  test('of those that go on elsewhere nothing is sent any more, and what was under way is written', async () => {
    const answered = createDeferred()
    receive = ({ id }) => (id === 'p1' ? answered.promise : Promise.resolve())
    for (const id of ['p1', 'p2']) await send(id, ofProcess('p'))
    await send('q1', ofProcess('q'))
    await have(['q1'])
    let isGone = false
    const handingOver = outbox.handOver(['p']).then(() => (isGone = true))
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(isGone).toBe(false)
    answered.resolve()
    await handingOver
    expect([await stateOf('p1'), await stateOf('p2')]).toEqual(['delivered', 'waiting'])
    expect(arrived).toEqual(['q1', 'p1'])
    await send('q2', ofProcess('q'))
    await have(['q1', 'p1', 'q2'])
    await outbox.takeUp({ ids: ['p'] })
    await have(['q1', 'p1', 'q2', 'p2'])
    expect(arrived).toEqual(['q1', 'p1', 'q2', 'p2'])
  })

  test('what is left for whoever has the process is sent from here only where that is', async () => {
    await outbox.close()
    outbox = open()
    await outbox.start()
    await outbox.takeUp({ ids: ['p'] })
    const leave = (id: string, processId: string) =>
      outbox.leave(anOutboundMessage(id, { ...ofProcess(processId), createdAtMs: clock.now() }))
    for (const processId of ['p', 'q']) for (let count = 0; count < 2; count++) await leave(processId, processId)
    await have(['p'])
    await until(async () => (await stateOf('p')) === 'delivered')
    expect([arrived, await stateOf('q')]).toEqual([['p'], 'waiting'])
    expect(outbox.waitingIn('to q').count).toBe(0)
    await outbox.takeUp({ ids: ['q'] })
    await have(['p', 'q'])
    expect(arrived).toEqual(['p', 'q'])
  })

  test('what a receiver does not answer is not waited for: it goes from there, under the same id', async () => {
    const ids: string[] = []
    const hangs = createDeferred()
    receive = ({ id }) => {
      ids.push(id)
      return ids.length === 1 ? hangs.promise : Promise.resolve()
    }
    await Promise.all([send('p1', ofProcess('p')), send('p2', ofProcess('p'))])
    await until(async () => ids.length === 1)
    await outbox.handOver(['p'])
    expect([await stateOf('p1'), await stateOf('p2'), ids]).toEqual(['waiting', 'waiting', ['p1']])
    await outbox.takeUp({ ids: ['p'] })
    await have(['p1', 'p2'])
    expect([arrived, ids]).toEqual([['p1', 'p2'], ['p1', 'p1', 'p2']]) // prettier-ignore
    hangs.resolve()
  })

  test('where the database is away nothing is taken up, and what was known goes on', async () => {
    await outbox.close()
    const failing = { ...createBacklogStore(database.db), backlogs: () => Promise.reject(new Error('away')) }
    outbox = open(undefined, failing)
    await outbox.start()
    receive = async () => {}
    await send('p1', ofProcess('p'))
    await expect(outbox.takeUp({ ids: ['p'] })).rejects.toThrow('away')
    await send('p2', ofProcess('p'))
    await have(['p1', 'p2'])
    expect(arrived).toEqual(['p1', 'p2'])
  })
})
