import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { addAccount, keepForDays } from '../../test/builders/account.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcessStateChangeRow } from '../../test/builders/recorded-rows.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../../test/support/databases.ts'
import { type ProcessStateChange } from '../core/events.ts'
import { createLog } from '../observe/log.ts'
import { type ProcessStateChangeRow } from '../storage/schema.ts'
import { createProcessStates } from './process-states.ts'
import { createProcessStateStore } from './process-states.store.ts'

const DAY_MS = 86_400_000

describe('writing them down', () => {
  const change = (state: string, processId = 'p'): ProcessStateChange => ({
    processId,
    accountId: 'bob',
    sourceId: 'cam',
    state,
    previousState: 'waiting',
    isLive: true,
    reason: null,
    restarts: 0,
  })

  function createRig() {
    const clock = createFakeClock()
    const start = clock.now()
    const written: ProcessStateChangeRow[] = []
    const logged: string[] = []
    const away = { is: false }
    const states = createProcessStates({
      store: {
        async put(changes) {
          if (away.is) throw new Error('away')
          written.push(...changes)
        },
      },
      clock,
      log: createLog({ level: 'warn', write: (line) => void logged.push(line) }),
    })
    const listed = () => written.map(({ process_id: id, at, state }) => [id, at - start, state])
    return { clock, states, listed, logged, away }
  }

  test('they are written within a second; of one that changes often, the last of each second', async () => {
    const { clock, states, listed } = createRig()
    states.start()
    states.onChange(change('starting'))
    await clock.advance(300)
    states.onChange(change('running', 'q'))
    states.onChange(change('running'))
    await clock.advance(700)
    expect(listed()).toEqual([['q', 300, 'running'], ['p', 300, 'running']]) // prettier-ignore
    states.onChange(change('stopping'))
    await states.close()
    expect(listed().at(-1)).toEqual(['p', 1000, 'stopping'])
  })

  test('while the database is away the newest thousand wait, and one line says so', async () => {
    const { clock, states, listed, logged, away } = createRig()
    states.start()
    away.is = true
    for (let index = 0; index < 1_100; index++) states.onChange(change('running', `p${index}`))
    await clock.advance(1_000)
    await clock.advance(1_000)
    expect(logged).toHaveLength(1)
    away.is = false
    await clock.advance(1_000)
    await states.close()
    expect([listed().length, listed()[0]![0]]).toEqual([1_000, 'p100'])
  })
})

describe.each(dialects)('states of processes by %s', (dialect) => {
  let database: TestDatabase
  let accountId: string
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    accountId = (await addAccount(database, { username: 'admin', minutes: 10 })).account.id
  })
  afterEach(() => database.remove())

  const aRow = (change: Partial<ProcessStateChangeRow>) => aProcessStateChangeRow({ account_id: accountId, ...change })
  const briefly = (rows: readonly Pick<ProcessStateChangeRow, 'process_id' | 'at' | 'state'>[]) =>
    rows.map(({ process_id: id, at, state }) => `${id} ${at} ${state}`)
  const listAll = async () =>
    briefly(await database.db.selectFrom('process_state_change').selectAll().orderBy('process_id').orderBy('at').execute()) // prettier-ignore

  test('the same again changes nothing, and of a key that is revoked none is written', async () => {
    const store = createProcessStateStore(database.db)
    await store.put([aRow({ at: 1, state: 'starting' }), aRow({ at: 2, state: 'running', account_id: 'nobody' })])
    await store.put([aRow({ at: 1, state: 'failed' })])
    expect(await listAll()).toEqual(['p 1 starting'])
  })

  test('a stretch has its newest changes, and the states that went on when it began', async () => {
    const store = createProcessStateStore(database.db)
    await store.put([
      aRow({ at: 1, state: 'starting' }),
      aRow({ at: 5, state: 'running' }),
      aRow({ at: 5, state: 'starting', process_id: 'q' }),
      aRow({ at: 7, state: 'stopped', process_id: 'q' }),
      aRow({ at: 6, state: 'running', process_id: 'r', source_id: 'gate' }),
      aRow({ at: 10, state: 'paused' }),
      aRow({ at: 11, state: 'running' }),
      aRow({ at: 20, state: 'stopped' }),
    ])
    const stretch = { from: 10, to: 20 }
    const found = await store.list({ sourceId: 'cam', processId: undefined }, stretch, 10)
    expect(briefly(found.before)).toEqual(['p 5 running'])
    expect(briefly(found.within)).toEqual(['p 10 paused', 'p 11 running'])
    expect(briefly((await store.list({ sourceId: 'cam', processId: undefined }, stretch, 1)).within)).toEqual([
      'p 11 running',
    ])
  })

  test('they are kept as long as anything of their account, and the last one of what goes on', async () => {
    const store = createProcessStateStore(database.db)
    await keepForDays(database, accountId, 1)
    const now = 10 * DAY_MS
    const before = now - DAY_MS - 1
    await store.put([
      aRow({ at: 1, state: 'starting' }),
      aRow({ at: before, state: 'running' }),
      aRow({ at: before, state: 'stopped', process_id: 'q' }),
      aRow({ at: before + 1, state: 'stopped', process_id: 'r' }),
    ])
    await database.db.insertInto('process_state_change').values(aRow({ at: now - 1, process_id: 's', account_id: 'gone', state: 'stopped' })).execute() // prettier-ignore
    await store.removeExpired(now)
    expect(await listAll()).toEqual([`p ${before} running`, `r ${before + 1} stopped`])
    await store.removeAllOf(accountId)
    expect(await listAll()).toEqual([])
  })
})
