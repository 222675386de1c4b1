import { afterEach, beforeEach, expect, test } from 'vitest'
import { addAccount } from '../../test/builders/account.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/support/databases.ts'
import { createFakeClock } from '../../test/builders/fake-clock.ts'
import { aProcess } from '../../test/builders/process.ts'
import { type Account } from '../core/account.ts'
import { AppError } from '../core/errors.ts'
import { type PathHolder } from '../core/refusals.ts'
import { type AccessQuestion } from '../media/messages.ts'
import { createLinkSigner } from '../core/signed-token.ts'
import { createProcessStore } from '../processes/processes.store.ts'
import { createOutputPaths } from './output-paths.ts'
import { createOutputTokenIssuer, createOutputTokens } from './output-tokens.ts'
import { createOutputService, type OutputService } from './outputs.service.ts'
import { createOutputStore, type OutputStore } from './outputs.store.ts'

const process = aProcess({ state: 'running' })
let database: TestDatabase
let account: Account
let outputs: OutputService
let sent: string[]
/** How often the process is found alive before its end is known. */
let lives: number
/** How often a path is still found taken. */
let leavingFor: number
let hasTelemetry: boolean
let holders: Map<string, PathHolder>
let store: OutputStore
const tokens = createOutputTokens(createLinkSigner('secret'))
beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  ;({ account } = await addAccount(database, { username: 'admin', minutes: 10 }))
  await createProcessStore(database.db).insertWithinLimits(account, { ...process, accountId: account.id })
  sent = []
  lives = Infinity
  leavingFor = 0
  holders = new Map()
  hasTelemetry = false
  store = createOutputStore(database.db)
  const clock = { ...createFakeClock(), sleep: () => Promise.resolve() }
  const paths = {
    holderOf: async (path: string): Promise<PathHolder | undefined> =>
      leavingFor-- > 0 ? { kind: 'live-stream' } : holders.get(path),
    playUrl: (_path: string, token: string) => token,
    plainPlayUrl: () => undefined,
  }
  outputs = createOutputService({
    store,
    tokens,
    processes: {
      async checkLive() {
        if (lives-- <= 0) throw new AppError('process-not-live', { process_uuid: process.id, state: 'failed' })
      },
      send(_processId, command) {
        if (command.type === 'attach') sent.push(command.output.id)
        else sent = sent.filter((id) => id !== command.outputId)
      },
    },
    paths,
    outputPaths: createOutputPaths({ store, paths, clock }),
    objectionTo: async (_account, hostname) => (hostname === 'denied.test' ? 'may not be called' : undefined),
    telemetry: {
      checkConfigured() {
        if (!hasTelemetry) throw new AppError('telemetry-not-configured', { type: 'any type' })
      },
    },
    clock,
  })
})
afterEach(() => database.remove())

const register = async (url: string, settings: '360p' | null = null) =>
  (await outputs.register(account, { alias: 'yard', type: 'rtsp', url, settings })).output

test('an address with a slash at its end is the same output', async () => {
  const { id } = await register('rtsp://yard/gate')
  expect(await register('rtsp://yard/gate//')).toMatchObject({ id, url: 'rtsp://yard/gate' })
})

test('one path is sent to by one output at a time', async () => {
  const large = await register('rtsp://yard')
  const small = await register('rtsp://yard', '360p')
  await outputs.attach(account, process.id, large.id, 'host')
  await outputs.attach(account, process.id, large.id, 'host')
  await expect(outputs.attach(account, process.id, small.id, 'host')).rejects.toMatchObject({
    code: 'path-in-use',
    message: 'admin/yard is taken by the output yard; choose another path.',
  })
  expect(sent).toEqual([large.id])
})

test.each<[string, PathHolder, string]>([
  ['its own source', { kind: 'source', accountId: 'its own', alias: 'roof' }, 'the source roof'],
  [
    'somebody else’s source',
    { kind: 'source', accountId: 'another', alias: 'roof' },
    'a stream, a source or an output',
  ],
  ['a stream', { kind: 'live-stream' }, 'a live stream'],
  ['a preview', { kind: 'preview' }, 'the preview of another stream'],
])('a path that is taken by %s is not an output’s, neither registered nor attached', async (_name, held, said) => {
  const holder = 'accountId' in held && held.accountId === 'its own' ? { ...held, accountId: account.id } : held
  const refused = { code: 'path-in-use', message: `admin/roof is taken by ${said}; choose another path.` }
  holders.set('admin/roof', holder)
  await expect(register('rtsp://roof')).rejects.toMatchObject(refused)
  holders.clear()
  const { id } = await register('rtsp://roof')
  holders.set('admin/roof', holder)
  expect((await register('rtsp://roof')).id).toBe(id)
  await expect(outputs.attach(account, process.id, id, 'host')).rejects.toMatchObject(refused)
})

test('a token opens its path while the output is attached', async () => {
  const { id } = await register('rtsp://yard')
  const { playUrl: token } = await outputs.attach(account, process.id, id, 'host')
  const at = (path: string, action: 'read' | 'publish' = 'read') =>
    createOutputTokenIssuer(tokens, store).find(token!, { action, path } as AccessQuestion)
  expect(await at('admin/yard')).toEqual({ principal: 'output-viewer', accountId: account.id })
  expect(await at('admin/yard', 'publish')).toBeUndefined()
  expect(await at('admin/other')).toBeUndefined()
  await outputs.detach(account, process.id, id)
  expect(await at('admin/yard')).toBeUndefined()
})

test('a process that ends meanwhile keeps no output', async () => {
  const { id } = await register('rtsp://yard')
  lives = 1
  await expect(outputs.attach(account, process.id, id, 'host')).rejects.toMatchObject({ code: 'process-not-live' })
  expect(sent).toEqual([])
  expect((await outputs.find(account, id)).processId).toBeNull()
})

test('an attached output is not removed, an unknown one is not found', async () => {
  const { id } = await register('rtsp://yard')
  await outputs.attach(account, process.id, id, 'host')
  await expect(outputs.remove(account, id)).rejects.toMatchObject({ code: 'output-attached' })
  await outputs.detach(account, process.id, id)
  await outputs.remove(account, id)
  await expect(outputs.remove(account, id)).rejects.toMatchObject({ code: 'output-not-found' })
})

test('what was detached can be attached at once: detaching waits until the path is free', async () => {
  const { id } = await register('rtsp://yard')
  await outputs.attach(account, process.id, id, 'host')
  leavingFor = 3
  await outputs.detach(account, process.id, id)
  await expect(outputs.attach(account, process.id, id, 'host')).resolves.toBeDefined()
})

test('drone_data is for processes with telemetry, detection_data for all', async () => {
  const [drone, detections] = await Promise.all(
    (['drone_data', 'detection_data'] as const).map(
      async (type) => (await outputs.register(account, { alias: type, type, settings: null })).output,
    ),
  )
  await outputs.attach(account, process.id, detections!.id, 'host')
  await expect(outputs.attach(account, process.id, drone!.id, 'host')).rejects.toMatchObject({
    code: 'telemetry-not-configured',
  })
  expect((await outputs.find(account, drone!.id)).processId).toBeNull()
  hasTelemetry = true
  expect((await outputs.attach(account, process.id, drone!.id, 'host')).output.processId).toBe(process.id)
})

test('a path that is too long with the username is refused at once', async () => {
  await expect(register(`rtsp://${'x'.repeat(195)}`)).rejects.toMatchObject({ code: 'output-path-too-long' })
})

test('an RTMP server that may not be called is refused with the reason', async () => {
  const wish = { alias: 'push', type: 'rtmp', settings: null } as const
  await expect(outputs.register(account, { ...wish, url: 'rtmp://denied.test/live/x' })).rejects.toMatchObject({
    errors: [{ path: 'body.url', message: 'may not be called' }],
  })
  expect(await outputs.register(account, { ...wish, url: 'rtmp://allowed.test/live/x' })).toMatchObject({ isNew: true })
})
