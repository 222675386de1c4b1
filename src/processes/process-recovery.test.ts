import { beforeEach, expect, test } from 'vitest'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess, cameraSource as source } from '../../test/builders/process.ts'
import { until } from '../../test/support/until.ts'
import { DatabaseAway } from '../core/outages.ts'
import { createDeferred } from '../core/deferred.ts'
import { AppError } from '../core/errors.ts'
import { isTaken, type TakenIds } from '../core/taken-processes.ts'
import { type VideoOutput } from '../core/video-output.ts'
import { createLog } from '../observe/log.ts'
import { OPERATOR_RULES } from '../outbound/rules.ts'
import { type LiveProcess } from './live-process.ts'
import { type Process } from './process.ts'
import { createProcessEndWriter } from './process-end-writer.ts'
import { type ProcessSource } from './process-source.ts'
import { createProcessRecovery } from './process-recovery.ts'

const output: VideoOutput = { id: 'o', lines: null, target: { kind: 'rtmp', url: 'rtmp://host/app' } }

let stored: Map<string, Process>
let findSource: () => Promise<ProcessSource>
let launched: string[]
let attached: readonly VideoOutput[]
let lines: string[]
let recover: (ids?: TakenIds) => Promise<void>
beforeEach(() => {
  stored = new Map()
  launched = []
  attached = []
  lines = []
  const store = {
    listTaken: async (ids: TakenIds) => [...stored.values()].filter(({ id }) => isTaken(ids)(id)),
    remove: async (id: string) => void stored.delete(id),
    update: async (process: Process) => void stored.set(process.id, process),
  }
  const recovery = createProcessRecovery({
    store,
    sources: { find: () => findSource() },
    launcher: {
      prepare: async () => ({
        input: { kind: 'hub', path: 'ann/cam' },
        telemetryCfg: null,
        outbound: OPERATOR_RULES,
      }),
      launch(process, _prepared, outputs = []) {
        launched.push(process.id)
        attached = outputs
        return {} as LiveProcess
      },
    },
    ends: createProcessEndWriter({ store, onState: () => {}, clock: createFakeClock(5_000) }),
    isHere: (id) => launched.includes(id),
    outputs: { listVideos: async () => [output] },
    log: createLog({ level: 'info', write: (line) => void lines.push(line) }),
  })
  recover = (ids = 'all') => recovery.recover({ ids })
})

function add(state: Process['state'], change: Partial<Process> = {}): string {
  const process = aProcess({ state, startedAt: state === 'running' ? 1 : null, ...change })
  stored.set(process.id, process)
  return process.id
}

test('what ran goes on after a restart', async () => {
  findSource = async () => source
  const id = add('running')
  await recover()
  expect(launched).toEqual([id])
  expect(attached).toEqual([output])
})

test('one whose source takes long to be found keeps no other waiting', async () => {
  const found = createDeferred<ProcessSource>()
  findSource = () => {
    findSource = async () => source
    return found.promise
  }
  const [slow, quick] = [add('running'), add('running')]
  const recovered = recover()
  await until(async () => launched.length === 1)
  expect(launched).toEqual([quick])
  found.resolve(source)
  await recovered
  expect(launched).toEqual([quick, slow])
})

test('one that was being stopped has stopped, and a start that was waited for leaves nothing', async () => {
  const [stopping, starting] = [add('stopping'), add('starting')]
  await recover()
  expect(stored.get(stopping)).toMatchObject({ state: 'stopped', stopReason: 'requested', stoppedAt: 5_000 })
  expect(stored.has(starting)).toBe(false)
})

test('one that was being stopped keeps the reason of that', async () => {
  const id = add('stopping', { stopReason: 'usage-limit' })
  await recover()
  expect(stored.get(id)).toMatchObject({ state: 'stopped', stopReason: 'usage-limit' })
})

test('a start that was paused before its first picture leaves nothing either', async () => {
  findSource = async () => source
  const id = add('paused')
  await recover()
  expect([stored.has(id), launched]).toEqual([false, []])
})

test('one that was paused after its first picture goes on', async () => {
  findSource = async () => source
  const id = add('paused', { startedAt: 1 })
  await recover()
  expect(launched).toEqual([id])
})

test('one that waits for its video goes on waiting, also when it was about to begin', async () => {
  findSource = async () => source
  const options = { ...aProcess().options, begins: 'when-live' } as const
  const ids = [add('waiting', { options }), add('starting', { options })]
  await recover()
  expect(launched).toEqual(ids)
})

test('a file is not taken up in its middle', async () => {
  const id = add('running', { sourceType: 'file' })
  await recover()
  expect(stored.get(id)).toMatchObject({ state: 'failed', stopReason: 'service-restart' })
})

test('a process whose source is gone does not go on', async () => {
  findSource = () => Promise.reject(new AppError('source-not-found', { source_uuid: 's' }))
  const id = add('running')
  await recover()
  expect(stored.get(id)).toMatchObject({ state: 'failed', stopReason: 'source-lost' })
})

test('a process that cannot be taken up again has failed, and the next one goes on', async () => {
  findSource = () => {
    findSource = async () => source
    return Promise.reject(new Error('the disk is away'))
  }
  const [first, second] = [add('running'), add('running')]
  await recover()
  expect(stored.get(first)).toMatchObject({ state: 'failed', stopReason: 'service-restart' })
  expect(launched).toEqual([second])
})

test('a database that goes away meanwhile ends no process: the start of the service fails, and the next one takes them up', async () => {
  findSource = () => Promise.reject(new DatabaseAway(new Error('the server is restarted')))
  const id = add('running')
  await expect(recover()).rejects.toThrow('the server is restarted')
  expect(stored.get(id)).toMatchObject({ state: 'running' })
})

test('a process that may not be taken up again says why, in the words of the refusal', async () => {
  const refusal = new AppError('stream-not-found', { path: 'other/cam', username: 'admin' })
  findSource = () => Promise.reject(refusal)
  const id = add('running')
  await recover()
  const { error } = stored.get(id)!
  expect(error).toBe(`The service was restarted and did not take the process up again: ${refusal.message}`)
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ level: 40, process_uuid: id, reason: refusal.message }),
  ])
  expect(lines.join()).not.toContain('stack')
})

test('of those that are taken up, only those go on or end', async () => {
  findSource = async () => source
  const [given, file, other] = [add('running'), add('running', { sourceType: 'file' }), add('stopping')]
  await recover([given, file])
  expect(launched).toEqual([given])
  expect(stored.get(file)).toMatchObject({ state: 'failed' })
  expect(stored.get(other)).toMatchObject({ state: 'stopping' })
})

test('one that runs here already is not launched again', async () => {
  findSource = async () => source
  const id = add('running')
  await recover()
  await recover([id])
  expect(launched).toEqual([id])
})
