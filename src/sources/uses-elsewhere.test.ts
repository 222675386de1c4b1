import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { systemClock } from '../core/clock.ts'
import { type ElsewhereProcess } from '../storage/process-nodes.store.ts'
import { createUsesElsewhere, type SourceUse } from './uses-elsewhere.ts'

const none: SourceUse = { isVideoNeeded: false, lastTelemetry: null, telemetryError: null }

function createRig(
  users: readonly ElsewhereProcess[],
  uses: Record<string, (sourceId: string) => SourceUse>,
  old: Record<string, readonly string[]> = {},
) {
  const exchanges = createFakeExchanges()
  const store = {
    listUsersOf: async (ids: readonly string[]) => users.filter(({ sourceId }) => ids.includes(sourceId)),
  }
  const on = (nodeId: string) =>
    createUsesElsewhere({
      store,
      exchange: exchanges.of(nodeId),
      useOf: uses[nodeId] ?? (() => none),
      listOwnWithOldTelemetry: async (sourceId) => old[`${sourceId} at ${nodeId}`] ?? [],
      clock: systemClock,
    })
  for (const nodeId of Object.keys(uses)) on(nodeId)
  return { exchanges, here: on('here') }
}

const aUser = (sourceId: string, nodeId: string | null): ElsewhereProcess => ({
  processId: randomUUID(),
  sourceId,
  state: 'running',
  nodeId,
})

test('each node says what its processes know, of all sources that they use at once', async () => {
  const [roof, yard, unused] = [randomUUID(), randomUUID(), randomUUID()]
  const { here } = createRig([aUser(roof, 'b'), aUser(roof, 'c'), aUser(yard, 'b')], {
    b: (sourceId) => ({ ...none, isVideoNeeded: sourceId === roof }),
    c: () => ({ ...none, lastTelemetry: { atMs: 5, ageMs: 7 }, telemetryError: 'Refused.' }),
  })
  const uses = await here.find([roof, yard, unused])
  expect(uses.get(roof)).toEqual([
    { ...none, isVideoNeeded: true },
    { ...none, lastTelemetry: { atMs: 5, ageMs: 7 }, telemetryError: 'Refused.' },
  ])
  expect(uses.get(yard)).toEqual([none])
  expect(uses.has(unused)).toBe(false)
})

test('processes of other nodes that work with the telemetry of before are named, as far as their nodes answer', async () => {
  const [roof, yard, first, second, ofYard] = Array.from({ length: 5 }, () => randomUUID())
  const users = [aUser(roof!, 'b'), aUser(roof!, 'c'), aUser(yard!, 'b'), aUser(roof!, null)]
  const old = { [`${roof} at b`]: [first!], [`${roof} at c`]: [second!], [`${yard} at b`]: [ofYard!] }
  const { exchanges, here } = createRig(users, { b: () => none, c: () => none }, old)
  expect(await here.listWithOldTelemetry(roof!)).toEqual([first, second])
  exchanges.isAway = true
  expect(await here.listWithOldTelemetry(roof!)).toEqual([])
})

test('a source is used though its node does not answer, or its process has no node for the moment', async () => {
  const [roof, yard, unused] = [randomUUID(), randomUUID(), randomUUID()]
  const { exchanges, here } = createRig([aUser(roof, 'b'), aUser(yard, null)], { b: () => none })
  exchanges.isAway = true
  expect(await here.find([roof, yard, unused])).toEqual(new Map([roof, yard].map((id) => [id, []])))
  expect(await Promise.all([roof, yard, unused].map((id) => here.isUsed(id)))).toEqual([true, true, false])
})
