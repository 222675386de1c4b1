import { beforeEach, expect, test } from 'vitest'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createFakeExchanges, type FakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { aHealth, aProcess, aStats } from '../../test/builders/process.ts'
import { createDescribeProcesses, type DescribeProcesses } from './describe-processes.ts'
import { type Process } from './process.ts'
import { toProcessInfo } from './processes.schema.ts'

const describe = async (process: Process) =>
  toProcessInfo(process, [], null, { health: aHealth(), sourceAlias: 'gate' })

/** As node b runs them; the rows that a reads have no figures. */
let atB: Map<string, Process>
let atA: Map<string, Process>
let lookups: number
let clock: FakeClock
let exchanges: FakeExchanges
let describeAll: DescribeProcesses
beforeEach(() => {
  atA = new Map()
  atB = new Map()
  lookups = 0
  clock = createFakeClock()
  exchanges = createFakeExchanges()
  const describeAt = (nodeId: string, here: Map<string, Process>) =>
    createDescribeProcesses({
      describe,
      findHere: (processId) => here.get(processId),
      store: {
        async findElsewhere(ids) {
          lookups += 1
          return ids.map((processId) => ({ processId, sourceId: 's', state: 'running' as const, nodeId: 'b' }))
        },
      },
      exchange: exchanges.of(nodeId),
      clock,
    })
  describeAll = describeAt('a', atA)
  describeAt('b', atB)
})

function aRow(change: Partial<Process> = {}): Process {
  const row = aProcess({ state: 'running', ...change })
  atB.set(row.id, { ...row, stats: aStats({ processedFps: 12 }) })
  return row
}

test('the node that runs a process says how it goes, in the order that was asked for', async () => {
  const own = aProcess({ state: 'running', stats: aStats({ processedFps: 7 }) })
  atA.set(own.id, own)
  const rows = [aRow(), own, aRow()]
  const described = await describeAll(rows)
  expect(described.map((one) => one.process_uuid)).toEqual(rows.map(({ id }) => id))
  expect(described.map(({ stats, problem }) => [stats.processed_fps, problem])).toEqual([
    [12, null],
    [7, null],
    [12, null],
  ])
})

test('a long page is asked for in messages that NATS takes', async () => {
  const described = await describeAll(Array.from({ length: 95 }, () => aRow()))
  expect(described.every(({ stats }) => stats.processed_fps === 12)).toBe(true)
  expect(exchanges.sent).toHaveLength(10)
})

test('processes that run here, and those that have ended, are requested of nobody', async () => {
  const own = aProcess({ state: 'running' })
  atA.set(own.id, own)
  await describeAll([own, aProcess({ state: 'stopped' })])
  expect([lookups, exchanges.sent]).toEqual([0, []])
})

test('one that is no more where it was is shown as it is written', async () => {
  const row = aRow()
  atB.clear()
  expect(await describeAll([row])).toEqual([await describe(row)])
})

test.each(['cutOff', 'freeze'] as const)(
  'where a node cannot answer (%s), the row does, and says so, in a second',
  async (fail) => {
    const row = aRow()
    exchanges[fail]('b')
    const sleeping = fail === 'freeze' ? clock.nextSleep() : undefined
    const described = describeAll([row])
    if (sleeping) {
      await sleeping
      await clock.advance(1_000)
    }
    expect(await described).toMatchObject([
      {
        process_uuid: row.id,
        state: 'running',
        problem: 'The node b, on which it runs, does not answer: this is as it was last written to the database.',
      },
    ])
  },
)
