import { beforeEach, expect, test } from 'vitest'
import { anAlert } from '../../test/builders/alerts.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createFakeExchanges, type FakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { LIST_TIMEOUT_MS } from '../core/node-exchange.ts'
import { orderedUuid } from '../core/ordered-uuid.ts'
import { type ElsewhereProcess } from '../storage/process-nodes.store.ts'
import { type ActiveRow } from './active-alerts.ts'
import { type Alert } from './alert.ts'
import { createAlertsElsewhere } from './alerts-elsewhere.ts'

let exchanges: FakeExchanges
let clock: FakeClock
beforeEach(() => {
  exchanges = createFakeExchanges()
  clock = createFakeClock()
})

const [sourceId, otherSourceId] = [orderedUuid(), orderedUuid()]
const on = (nodeId: string | null, source = sourceId): ElsewhereProcess => ({
  processId: orderedUuid(),
  sourceId: source,
  state: 'running',
  nodeId,
})
const aRow = (alert: Alert, { processId, sourceId: source }: ElsewhereProcess, isPending = false): ActiveRow => ({
  alert,
  process: { processId, sourceId: source, accountId: 'account' },
  isPending,
  problem: null,
  hasSeenPlaces: false,
})

interface Has {
  readonly rows?: readonly ActiveRow[]
  readonly oneOffs?: readonly Alert[]
  /** In the database. */
  readonly registered?: readonly Alert[]
  readonly processes?: readonly ElsewhereProcess[]
}

const join = (nodeId: string, { rows = [], oneOffs = [], registered = [], processes = [] }: Has = {}) =>
  createAlertsElsewhere({
    listHere: async () => rows,
    store: {
      listActive: async () => [...registered],
      find: async (_accountId, id) => registered.find((alert) => alert.id === id),
    },
    oneOffs: {
      find: (_accountId, id) => oneOffs.find((alert) => alert.id === id),
      maxActive: () => oneOffs.length,
    },
    processNodes: { listElsewhere: async () => [...processes] },
    exchange: exchanges.of(nodeId),
    clock,
  })

test('what runs on other nodes is listed as they have it, in as many messages as that takes', async () => {
  const [atB, atC, unplaced] = [on('b'), on('c'), on(null)]
  const wordy = 'x'.repeat(5_000)
  const many = Array.from({ length: 30 }, () => aRow(anAlert({ alias: wordy }), atB))
  join('b', { rows: many })
  join('c', { rows: [aRow(anAlert(), atC, true)] })
  const here = join('a', { processes: [atB, atC, unplaced] })
  const listed = await here.listActive('account')
  expect(listed.map(({ uuid }) => uuid).slice(0, 30)).toEqual(many.map(({ alert }) => alert.id))
  expect(listed.at(-1)).toMatchObject({ process_uuid: atC.processId, pending: true, problem: null })
  expect(exchanges.sent.filter(({ topic }) => topic === 'active-alerts').length).toBeGreaterThan(2)
  expect([...(await here.listPending('account'))]).toEqual([listed.at(-1)!.uuid])
})

test('of a node that does not answer in time, what is to run there by the database, with that as the problem', async () => {
  const [yard, gate] = [on('frozen'), on('frozen', otherSourceId)]
  const [everywhere, ofGate] = [anAlert(), anAlert({ sourceIds: [otherSourceId] })]
  exchanges.freeze('frozen')
  const here = join('a', { processes: [yard, gate], registered: [everywhere, ofGate] })
  const listing = here.listActive('account')
  await clock.nextSleep()
  await clock.advance(LIST_TIMEOUT_MS)
  const rows = (await listing).map(({ uuid, process_uuid: at, problem }) => ({ uuid, at, problem }))
  const problem = expect.stringContaining('The node frozen') as string
  expect(rows).toEqual([
    { uuid: everywhere.id, at: yard.processId, problem },
    { uuid: everywhere.id, at: gate.processId, problem },
    { uuid: ofGate.id, at: gate.processId, problem },
  ])
})

test('a one-off alert is found at the node of its process; one that is here or registered is looked for nowhere', async () => {
  const atB = on('b')
  const [once, mine, registered] = [anAlert({ processId: atB.processId }), anAlert(), anAlert()]
  join('b', { oneOffs: [once] })
  const here = join('a', { processes: [atB], oneOffs: [mine], registered: [registered] })
  expect(await here.findOneOff('account', once.id)).toBe(atB.processId)
  expect(await here.findOneOff('account', anAlert().id)).toBeUndefined()
  const before = exchanges.sent.length
  for (const { id } of [mine, registered]) expect(await here.findOneOff('account', id)).toBeUndefined()
  expect(exchanges.sent).toHaveLength(before)
})

test('where a node that may have it does not answer, that is said of it, and not that there is none', async () => {
  const here = join('a', { processes: [on('gone')] })
  await expect(here.findOneOff('account', anAlert().id)).rejects.toMatchObject({
    code: 'node-unreachable',
    message: expect.stringContaining('The node gone') as string,
  })
})

test('one-off alerts are counted at the nodes that have processes; one that does not answer has none that is known', async () => {
  join('b', { oneOffs: [anAlert(), anAlert()] })
  join('c', { oneOffs: [anAlert(), anAlert(), anAlert()] })
  join('without a process', { oneOffs: [anAlert(), anAlert(), anAlert(), anAlert()] })
  const here = join('a', { processes: [on('b'), on('c'), on('gone')] })
  expect(await here.maxActiveOneOffs('account')).toBe(3)
  expect(await join('d').maxActiveOneOffs('account')).toBe(0)
})
