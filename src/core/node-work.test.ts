import { beforeEach, expect, test } from 'vitest'
import { createDeferred } from './deferred.ts'
import { createNodeWork, type NodeWork, type WorkSteps } from './node-work.ts'

let steps: string[]
let work: NodeWork
/** What happens in a step, by its name. */
let gates: Map<string, () => Promise<void>>

async function note(step: string): Promise<void> {
  steps.push(step)
  await gates.get(step)?.()
}

/** A feature that has all steps but that of leaving a process. */
const feature = (name: string): WorkSteps => ({
  restoreProcesses: ({ ids }) => note(`${name} restores ${[ids].flat().join()}`),
  takeUpProcesses: ({ ids }) => note(`${name} takes up ${[ids].flat().join()}`),
  takeUpCameras: ({ sourceIds }) => note(`${name} calls ${[sourceIds].flat().join()}`),
  releaseCameras: (sourceIds) => note(`${name} calls ${sourceIds.join()} no more`),
  handOverProcesses: (ids) => note(`${name} lets go of ${ids.join()}`),
  dismissClients: (id) => void steps.push(`${name} dismisses the clients of ${id}`),
})

beforeEach(() => {
  steps = []
  gates = new Map()
  const runner: WorkSteps = {
    ...feature('runner'),
    async leaveProcess(id) {
      await note(`runner leaves ${id}`)
      return id !== 'file'
    },
  }
  work = createNodeWork([feature('outbox'), runner, feature('alerts')])
})

const give = () => note('given')

test('what is left of processes is there, in every feature, before they come back in any', async () => {
  await work.takeUp({ ids: ['p', 'q'] })
  await work.takeUpCameras({ sourceIds: 'all' })
  expect(steps).toEqual([
    'outbox restores p,q',
    'runner restores p,q',
    'alerts restores p,q',
    'outbox takes up p,q',
    'runner takes up p,q',
    'alerts takes up p,q',
    'outbox calls all',
    'runner calls all',
    'alerts calls all',
  ])
})

test('a process is given away when nobody here has anything of it, and its clients are sent on when it is elsewhere', async () => {
  expect(await work.handOver('p', give)).toBe(true)
  expect(steps).toEqual([
    'runner leaves p',
    'alerts lets go of p',
    'runner lets go of p',
    'outbox lets go of p',
    'given',
    'alerts dismisses the clients of p',
    'runner dismisses the clients of p',
    'outbox dismisses the clients of p',
  ])
})

test('one that stays is not touched', async () => {
  expect(await work.handOver('file', give)).toBe(false)
  expect(steps).toEqual(['runner leaves file'])
})

test.each(['given', 'outbox lets go of p'])('where %s fails, the process goes on here', async (step) => {
  gates.set(step, () => Promise.reject(new Error('the database is away')))
  await expect(work.handOver('p', give)).rejects.toThrow('the database is away')
  expect(steps.slice(steps.indexOf(step) + 1)).toEqual([
    'outbox restores p',
    'runner restores p',
    'alerts restores p',
    'outbox takes up p',
    'runner takes up p',
    'alerts takes up p',
  ])
})

test('nothing begins before what was begun is over, though that failed', async () => {
  const restored = createDeferred()
  gates.set('runner restores p', () => restored.promise)
  const first = work.takeUp({ ids: ['p'] })
  const others = [work.takeUp({ ids: ['q'] }), work.handOver('r', give), work.releaseCameras(['s'])]
  await new Promise(setImmediate)
  expect(steps).toEqual(['outbox restores p', 'runner restores p'])
  restored.reject(new Error('away'))
  await expect(first).rejects.toThrow('away')
  await Promise.all(others)
  expect(steps.indexOf('runner leaves r')).toBeGreaterThan(steps.indexOf('alerts takes up q'))
  expect(steps.indexOf('alerts calls s no more')).toBeGreaterThan(steps.indexOf('given'))
})

test('a service that closes takes up nothing', async () => {
  work.close()
  await expect(work.takeUp({ ids: ['p'] })).rejects.toMatchObject({ code: 'shutting-down' })
  expect(steps).toEqual([])
})
