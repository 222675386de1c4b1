import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { type ClusterRig, createClusterRig } from '../../test/support/cluster-rig.ts'
import { createTestDatabase } from '../../test/support/databases.ts'
import { migrate } from '../storage/migrate.ts'
import { createKnownNodes } from './known-nodes.ts'
import { actions, nodes, type NodesCall } from './nodes.ts'

let rig: ClusterRig
let said: string[]
beforeEach(async () => {
  rig = await createClusterRig()
  said = []
})
afterEach(() => rig.close())

const call = (action: string, name = '', values: NodesCall['values'] = {}) =>
  actions[action]!({
    known: createKnownNodes(rig.db),
    name,
    values,
    timeoutS: 60,
    clock: createFakeClock(),
    say: (text) => void said.push(text),
  })

test('nodes are listed with what they have to do', async () => {
  const a = { id: 'north-1', epoch: await rig.join('north-1', { labels: ['gpu', 'site=north'], room: 7 }) }
  await rig.join('south', { room: 0 })
  await rig.nodes.leave('south', (await rig.nodes.list())[1]!.epoch)
  await rig.addProcess(a, { state: 'running' })
  await rig.addProcess({ id: 'south', epoch: 1 }, { state: 'running' })
  await call('list')
  expect(said[0]!.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
    ['NAME', 'STATE', 'PROCESSES', 'CAMERAS', 'STREAMS', 'ROOM', 'FREE CORES', 'VERSION', 'LABELS', 'RTSP'],
    ['north-1', 'alive', '1', '0', '0', '7', '2.0 of 4', '1.0.0', 'gpu,site=north', 'pushed'],
    ['south', 'dead', '0', '0', '0', '0', '2.0 of 4', '1.0.0', '–', 'pushed'],
  ])
  expect(said[1]).toBe('\nWithout a node now: processes 1, cameras 0.')
  await call('list', '', { json: true })
  expect(JSON.parse(said[2]!)).toMatchObject([{ node: 'north-1', processes: 1, load: { room: 7 } }, { state: 'dead' }])
})

test('a node is drained, and takes processes again', async () => {
  await rig.join('a')
  await call('drain', 'a')
  expect(said).toEqual([
    'a is given nothing more, and gives away what it has.',
    'No other node takes it: let one take processes again, or add one.',
  ])
  expect(await rig.nodes.list()).toMatchObject([{ isDraining: true }])
  await call('drain', 'a', { undo: true })
  expect(await rig.nodes.list()).toMatchObject([{ isDraining: false }])
  await rig.join('b')
  await call('drain', 'a', { wait: true })
  expect(said.at(-1)).toBe('a has given everything away.')
})

test('a dead node is forgotten; of others it is said why not', async () => {
  const epoch = await rig.join('a')
  await rig.join('b')
  await expect(call('forget', 'a')).rejects.toThrow('The node a runs')
  await rig.endLease('a')
  await expect(call('forget', 'a')).rejects.toThrow('not declared dead yet')
  await rig.nodes.leave('a', epoch)
  await call('forget', 'a')
  await expect(call('forget', 'a')).rejects.toThrow('There is no node a; there are: b.')
  await expect(call('drain', 'north')).rejects.toThrow('There is no node north; there are: b.')
})

test('of a service of one node it is said that it is one', async () => {
  const database = await createTestDatabase('sqlite')
  await migrate(database.db)
  const known = createKnownNodes(database.db)
  const rest = { known, name: 'x', timeoutS: 1, clock: createFakeClock(), say: (text: string) => void said.push(text) }
  await actions['list']!({ ...rest, values: {} })
  expect(said).toEqual(['This service has one node; docs/several-machines.md says how to add a second.'])
  await expect(actions['drain']!({ ...rest, values: {} })).rejects.toThrow('This service has one node')
  await expect(actions['forget']!({ ...rest, values: {} })).rejects.toThrow('This service has one node')
  await database.remove()
})

test.each([
  [['fly'], 'there is no `aerie nodes fly`'],
  [['drain'], 'the name of a node is missing'],
  [['drain', 'a', 'b'], 'one node at a time: b is too much'],
  [['drain', 'a', '--timeout', '0'], '--timeout must be from 1 to 86400'],
])('%j: %s', (args, sentence) => expect(nodes.run(args)).rejects.toThrow(sentence))
