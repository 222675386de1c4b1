import { afterEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { createDeferred } from '../core/deferred.ts'
import { type ClusterNode } from '../core/node.ts'
import { createLog } from '../observe/log.ts'
import { type PlacementRound, type PlacementStore } from './placement.store.ts'
import { createPlacer, type Placer } from './placer.ts'

let open: Placer | undefined
afterEach(() => open?.close())

const node = (id: string): ClusterNode => ({
  id,
  epoch: 1,
  isAlive: true,
  isDraining: false,
  rtspUrl: null,
  labels: [],
  load: null,
  version: '1',
  schemaVersion: '1',
  startedAt: 1,
})

/** A placer among so many nodes, where nothing is ever to be placed. */
async function rig(count = 1) {
  const clock = createFakeClock()
  const lines: string[] = []
  let glances = 0
  let rounds = 0
  let isAway = false
  let hasUnowned = false
  let connectionNames: readonly string[] = []
  let isWithinLease = true
  let holdGlance = Promise.resolve()
  const nodes = Array.from({ length: count }, (_, n) => node(`n${n}`))
  const round: PlacementRound = {
    declareOverdue: async () => [],
    listNodes: async () => nodes,
    countProcesses: async () => new Map(),
    countCameras: async () => new Map(),
    listConnections: async () => [],
    listUnownedProcesses: async () => [],
    listUnownedCameras: async () => [],
    assignProcesses: async () => {},
    assignCameras: async () => {},
    removeDeadPaths: async () => {},
  }
  const store: PlacementStore = {
    async glance() {
      glances += 1
      if (isAway) throw new Error('away')
      await holdGlance
      return { nodes, connectionNames, hasUnowned }
    },
    async exclusively(run) {
      rounds += 1
      return run(round)
    },
    endConnections: async () => {},
  }
  const placer = createPlacer({
    store,
    membership: { id: 'n0', isWithinLease: () => isWithinLease, steadyDatabaseMs: () => 0 },
    onPlaced: () => {},
    clock,
    log: createLog({ level: 'warn', write: (line) => lines.push(line) }),
    random: () => 0.5,
  })
  open = placer
  placer.start()
  return {
    placer,
    lines,
    looks: () => glances,
    rounds: () => rounds,
    leave: (left: { hasUnowned?: boolean; connectionNames?: readonly string[] }) =>
      void ({ hasUnowned = false, connectionNames = [] } = left),
    pass: async (ms: number) => {
      for (let past = 0; past < ms; past += 500) await clock.advance(500)
    },
    fail: (fails: boolean) => void (isAway = fails),
    /** Looks that begin from now on last until what is returned is called. */
    holdLooks: () => {
      const held = createDeferred()
      holdGlance = held.promise
      return () => held.resolve()
    },
    endLease: () => void (isWithinLease = false),
  }
}

test('a placer looks once a second; of many nodes each looks less often, all together no less', async () => {
  const alone = await rig()
  await alone.pass(10_000)
  expect(alone.looks()).toBe(10)
  await alone.placer.close()
  const one = await rig(40)
  // The first time it does not know how many they are.
  await one.pass(31_000)
  expect(one.looks()).toBe(4)
})

test('it looks at once when it is woken', async () => {
  const { placer, looks, pass } = await rig()
  await pass(500)
  placer.wake()
  await pass(0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(looks()).toBe(1)
})

test('it looks again at once when it is woken while it looks', async () => {
  const { placer, looks, pass, holdLooks } = await rig()
  const release = holdLooks()
  await pass(1_000)
  placer.wake()
  release()
  await pass(0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(looks()).toBe(2)
  await pass(500)
  expect(looks()).toBe(2)
})

test.each([
  { name: 'nothing', left: {}, rounds: 0 },
  { name: 'connections of nodes that are alive', left: { connectionNames: ['aerie node n0 1'] }, rounds: 0 },
  { name: 'a connection of an epoch that is over', left: { connectionNames: ['aerie node n0 0'] }, rounds: 1 },
  { name: 'something that has no node', left: { hasUnowned: true }, rounds: 1 },
])('others are kept from placing only where there is something to do: $name', async ({ left, rounds }) => {
  const one = await rig()
  one.leave(left)
  await one.pass(1_000)
  expect([one.looks(), one.rounds()]).toEqual([1, rounds])
})

test('an outage is one line, and it goes on after it', async () => {
  const { lines, looks, pass, fail } = await rig()
  fail(true)
  await pass(5_000)
  expect(lines).toHaveLength(1)
  fail(false)
  await pass(2_000)
  expect(looks()).toBe(7)
})

test('whose lease has ended places nothing', async () => {
  const { looks, pass, endLease } = await rig()
  endLease()
  await pass(5_000)
  expect(looks()).toBe(0)
})
