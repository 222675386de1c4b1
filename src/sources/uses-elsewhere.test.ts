import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createFakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { systemClock } from '../core/clock.ts'
import { type ElsewhereProcess } from '../storage/process-nodes.store.ts'
import { createUsesElsewhere, type SourceUse } from './uses-elsewhere.ts'

const none: SourceUse = { isVideoNeeded: false, lastTelemetry: null, telemetryError: null, withOldTelemetry: [] }

function createRig(users: readonly ElsewhereProcess[], uses: Record<string, (sourceId: string) => SourceUse>) {
  const exchanges = createFakeExchanges()
  const store = {
    listUsersOf: async (ids: readonly string[]) => users.filter(({ sourceId }) => ids.includes(sourceId)),
  }
  const on = (nodeId: string) =>
    createUsesElsewhere({
      store,
      exchange: exchanges.of(nodeId),
      useOf: uses[nodeId] ?? (() => none),
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
  const old = Array.from({ length: 12 }, () => randomUUID())
  const { here } = createRig([aUser(roof, 'b'), aUser(roof, 'c'), aUser(yard, 'b')], {
    b: (sourceId) => ({ ...none, isVideoNeeded: sourceId === roof, withOldTelemetry: old }),
    c: () => ({ ...none, lastTelemetry: { atMs: 5, ageMs: 7 }, telemetryError: 'Refused.' }),
  })
  const uses = await here.find([roof, yard, unused])
  const ofB = { ...none, withOldTelemetry: old.slice(0, 10) }
  expect(uses.get(roof)).toEqual([
    { ...ofB, isVideoNeeded: true },
    { ...none, lastTelemetry: { atMs: 5, ageMs: 7 }, telemetryError: 'Refused.' },
  ])
  expect(uses.get(yard)).toEqual([ofB])
  expect(uses.has(unused)).toBe(false)
})

test('a source is used though its node does not answer, or its process has no node for the moment', async () => {
  const [roof, yard, unused] = [randomUUID(), randomUUID(), randomUUID()]
  const { exchanges, here } = createRig([aUser(roof, 'b'), aUser(yard, null)], { b: () => none })
  exchanges.isAway = true
  expect(await here.find([roof, yard, unused])).toEqual(new Map([roof, yard].map((id) => [id, []])))
  expect(await Promise.all([roof, yard, unused].map((id) => here.isUsed(id)))).toEqual([true, true, false])
})
