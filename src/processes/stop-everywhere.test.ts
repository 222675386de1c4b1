import { beforeEach, expect, test } from 'vitest'
import { createFakeExchanges, type FakeExchanges } from '../../test/builders/fake-exchanges.ts'
import { type ElsewhereProcess } from '../storage/process-nodes.store.ts'
import { createStopEverywhere, type StopAll } from './stop-everywhere.ts'

const [atA, atB, atC] = ['a', 'b', 'c'].map((_, index) => `00000000-0000-7000-8000-00000000000${index}`)
let exchanges: FakeExchanges
let stopped: string[]
let elsewhere: Pick<ElsewhereProcess, 'nodeId'>[]
let stopAll: StopAll
beforeEach(() => {
  exchanges = createFakeExchanges()
  stopped = []
  elsewhere = [{ nodeId: 'b' }, { nodeId: 'c' }, { nodeId: 'b' }]
  const stopAt = (nodeId: string, id: string) =>
    createStopEverywhere({
      processes: {
        async stopAll(account) {
          stopped.push(`${nodeId} of ${account.id}`)
          return [id]
        },
      },
      store: {
        listElsewhere: async () =>
          elsewhere.map(({ nodeId: node }) => ({
            processId: 'p',
            sourceId: 's',
            state: 'running' as const,
            nodeId: node,
          })),
      },
      exchange: exchanges.of(nodeId),
    })
  stopAll = stopAt('a', atA!)
  stopAt('b', atB!)
  stopAt('c', atC!)
})

test('each node stops its own, and the answer has all of them', async () => {
  expect(await stopAll({ id: 'ann' })).toEqual([atA, atB, atC])
  expect(stopped.sort()).toEqual(['a of ann', 'b of ann', 'c of ann'])
})

test('nodes that have none get no request', async () => {
  elsewhere = []
  expect(await stopAll({ id: 'ann' })).toEqual([atA])
  expect(exchanges.sent).toEqual([])
})

test('a node that does not answer is reported when all others have stopped theirs', async () => {
  exchanges.cutOff('b')
  await expect(stopAll({ id: 'ann' })).rejects.toMatchObject({ code: 'node-unreachable' })
  expect(stopped.sort()).toEqual(['a of ann', 'c of ann'])
})

test('a process that no node has just now is to be stopped a moment later', async () => {
  elsewhere = [{ nodeId: null }, { nodeId: 'c' }]
  await expect(stopAll({ id: 'ann' })).rejects.toMatchObject({ code: 'node-changing', retryAfterSeconds: 2 })
  expect(stopped.sort()).toEqual(['a of ann', 'c of ann'])
})
