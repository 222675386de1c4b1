import { afterEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { NodeExpelled } from '../core/node.ts'
import { createLog } from '../observe/log.ts'
import { type Choice } from './choose-node.ts'
import { createDraining, type Draining } from './draining.ts'
import { type MovableProcess } from './draining.store.ts'

let open: Draining | undefined
afterEach(() => open?.close())

const aProcess = (id: string, change: Partial<MovableProcess> = {}): MovableProcess => ({
  id,
  sourceId: `source of ${id}`,
  labels: [],
  isRunning: true,
  ...change,
})

const ELSEWHERE: Choice = { node: { id: 'b', epoch: 1, labels: [], isDraining: false, room: 9 } }

/** A node a with these processes and cameras, and a placer that gives all of it to b as soon as it may. */
function rig(processes: readonly MovableProcess[], cameras: readonly string[][] = []) {
  const clock = createFakeClock()
  const lines: string[] = []
  const steps: string[] = []
  const state = {
    isDraining: true,
    isWithinLease: true,
    /** What fails once, by its step. */
    failures: new Map<string, Error>(),
    places: true,
    runs: true,
    objection: undefined as string | undefined,
    /** Of a and those that are nobody's. */
    own: [...processes],
    cameras: [...cameras],
    nodeOf: new Map<string, string | null>(),
    here: new Set(processes.map(({ id }) => id)),
  }
  const step = (name: string) => {
    const failure = state.failures.get(name)
    state.failures.delete(name)
    steps.push(failure ? `${name} failed` : name)
    if (failure) throw failure
  }
  const place = (id: string) =>
    state.nodeOf.has(id) ? { nodeId: state.places ? 'b' : null, isRunning: state.runs } : undefined
  const draining = createDraining({
    node: { id: 'a' },
    store: {
      isDraining: async () => state.isDraining,
      listProcesses: async () => [...state.own],
      listIdleCameras: async () => [...state.cameras],
      async releaseProcess(id) {
        step(`give ${id}`)
        state.own = state.own.filter((one) => one.id !== id)
        state.nodeOf.set(id, null)
      },
      async releaseCameras(ids) {
        step(`give ${ids.join()}`)
        state.cameras = state.cameras.filter((one) => one !== ids)
        for (const id of ids) state.nodeOf.set(id, null)
      },
      findProcess: async (id) => place(id),
      findCamera: async (id) => place(id),
    },
    work: {
      async handOver(id, give) {
        if (id.startsWith('file')) return false
        state.here.delete(id)
        try {
          step(`leave ${id}`)
          await give()
        } catch (error) {
          step(`take up ${id}`)
          state.here.add(id)
          throw error
        }
        return true
      },
      releaseCameras: async (ids) => step(`hang up ${ids.join()}`),
    },
    placedWork: { forget: (id) => step(`forget ${id}`) },
    isHere: (id) => state.here.has(id),
    choose: async () => (state.objection === undefined ? ELSEWHERE : { objection: state.objection }),
    isWithinLease: () => state.isWithinLease,
    onReleased: () => step('wake the placer'),
    clock,
    log: createLog({ level: 'info', write: (line) => lines.push(line) }),
  })
  open = draining
  draining.start()
  return {
    draining,
    state,
    steps,
    lines,
    pass: async (ms: number) => {
      for (let past = 0; past < ms; past += 500) {
        await clock.advance(500)
        await new Promise(setImmediate)
      }
    },
  }
}

const moved = (id: string) => [`leave ${id}`, `give ${id}`, `forget ${id}`, 'wake the placer']

test('a node that is not draining keeps everything', async () => {
  const { state, steps, pass } = rig([aProcess('p')])
  state.isDraining = false
  await pass(10_000)
  expect(steps).toEqual([])
})

test('one process leaves at a time: the next one when that runs elsewhere', async () => {
  const { state, steps, pass } = rig([aProcess('p'), aProcess('q')])
  state.places = false
  await pass(300_000)
  expect(steps).toEqual(moved('p'))
  Object.assign(state, { places: true, runs: false })
  await pass(30_000)
  expect(steps).toEqual(moved('p'))
  state.runs = true
  await pass(2_000)
  expect(steps).toEqual([...moved('p'), ...moved('q')])
})

test('one that does not run elsewhere within a minute keeps the others no longer; one that did not run before is not waited for', async () => {
  const { state, steps, lines, pass } = rig([aProcess('p'), aProcess('q', { isRunning: false }), aProcess('r')])
  state.runs = false
  await pass(61_000)
  expect(steps).toEqual(moved('p'))
  await pass(5_000)
  expect(steps).toEqual([...moved('p'), ...moved('q'), ...moved('r')])
  expect(lines.filter((line) => line.includes('does not run there yet'))).toHaveLength(1)
})

test('what no other node takes stays, which is said once, and its cameras with it', async () => {
  const { state, steps, lines, pass } = rig([aProcess('p')], [['c']])
  state.objection = 'No node has gpu.'
  await pass(20_000)
  expect(steps).toEqual([])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('keeps what no other takes: No node has gpu.')
  state.objection = undefined
  await pass(4_000)
  expect(steps.slice(0, 4)).toEqual(moved('p'))
})

test('cameras go after the processes, those of one address together', async () => {
  const { steps, pass } = rig([aProcess('p')], [['c', 'd'], ['e']])
  await pass(5_000)
  const hungUp = (...ids: string[]) => {
    const all = ids.join()
    return [`hang up ${all}`, `give ${all}`, ...ids.map((id) => `forget ${id}`), `hang up ${all}`, 'wake the placer']
  }
  expect(steps).toEqual([...moved('p'), ...hungUp('c', 'd'), ...hungUp('e')])
})

test('a process that cannot be left goes on here, and is tried again after the others', async () => {
  const { state, steps, pass } = rig([aProcess('p'), aProcess('q')])
  state.failures.set('leave p', new Error('the disk is full'))
  await pass(10_000)
  expect(steps).toEqual(['leave p failed', 'take up p', ...moved('q'), ...moved('p')])
})

test('one that is nowhere, since it could not be taken up again, is given to this node anew', async () => {
  const { state, steps, pass } = rig([aProcess('p')])
  state.failures.set('leave p', new Error('away')).set('take up p', new Error('away'))
  await pass(2_000)
  expect(steps).toEqual(['leave p failed', 'take up p failed', 'forget p'])
})

test('a camera that cannot be hung up is given to this node anew', async () => {
  const { state, steps, pass } = rig([], [['c']])
  state.failures.set('hang up c', new Error('away'))
  await pass(2_000)
  expect(steps).toEqual(['hang up c failed', 'forget c'])
})

test('what may have been written is written again, and never taken up before that is known', async () => {
  const { state, steps, pass } = rig([aProcess('p')])
  state.failures.set('give p', new Error('connection lost'))
  await pass(4_000)
  expect(steps).toEqual(['leave p', 'give p failed', 'give p', 'forget p', 'wake the placer'])
})

test('a node that was expelled gives nothing away any more', async () => {
  const { state, steps, pass } = rig([aProcess('p')])
  state.failures.set('give p', new NodeExpelled('a'))
  state.isWithinLease = true
  await pass(2_000)
  state.isWithinLease = false
  await pass(10_000)
  expect(steps).toEqual(['leave p', 'give p failed', 'take up p'])
})

test('files stay where they are, and undoing it stops it between two processes', async () => {
  const { state, steps, pass } = rig([aProcess('file'), aProcess('p'), aProcess('q')])
  state.places = false
  await pass(3_000)
  Object.assign(state, { places: true, isDraining: false })
  await pass(10_000)
  expect(steps).toEqual(moved('p'))
})
