import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountsOn, addAccount } from '../../test/builders/account.ts'
import { aSetup, aTrack, aTrackAt, sceneAt } from '../../test/builders/alerts.ts'
import { createMigratedDatabase, type TestDatabase } from '../../test/builders/databases.ts'
import { createFakeClock, type FakeClock } from '../../test/builders/fake-clock.ts'
import { createBus } from '../core/bus.ts'
import { AppError } from '../core/errors.ts'
import { type AppEvents } from '../core/events.ts'
import { type SceneTrack } from '../core/scene.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'
import { type Account } from '../core/words.ts'
import { createLog } from '../observe/log.ts'
import { type Setup } from './alert.ts'
import { createAlerts } from './alerts.module.ts'
import { type Delivery } from './delivery.ts'
import { notificationSchemas } from './notification.schema.ts'

type Sent = Parameters<Delivery['send']>[0]

const [P, Q] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b']
const sourceId = '00000000-0000-7000-9000-000000000001'

let database: TestDatabase
let account: Account
let clock: FakeClock
let bus: ReturnType<typeof createBus<AppEvents>>
let alerts: ReturnType<typeof createAlerts>
let sent: Sent[]
let dropped: string[]
let relaunched: string[]
let telemetryCfg: TelemetryCfg | null
let live: Map<string, { isTracking: boolean; classes: readonly string[] | null }>
/** The next sends fail, as those into a database that is away do. */
let failures: number

beforeEach(async () => {
  database = await createMigratedDatabase('sqlite')
  ;({ account } = await addAccount(database, { username: 'admin', minutes: 10 }))
  clock = createFakeClock()
  ;[sent, dropped, relaunched, telemetryCfg, live, failures] = [[], [], [], null, new Map(), 0]
  build()
})
afterEach(() => database.remove())

function build(): void {
  bus = createBus<AppEvents>((error) => {
    throw error
  })
  alerts = createAlerts({
    db: database.db,
    bus,
    delivery: {
      async send(message) {
        if (failures-- > 0) throw new Error('no database')
        sent.push(message)
      },
      drop: async (channel) => void dropped.push(channel),
    },
    processes: {
      async checkLive(_account, processId) {
        if (!live.has(processId)) throw new AppError('process-not-live', { process_uuid: processId, state: 'stopped' })
      },
      factsOf: (processId) => {
        const facts = live.get(processId)
        return facts && { processId, accountId: account.id, sourceId, ...facts }
      },
      listLive: () => [...live.keys()],
      relaunch: (processId) => void relaunched.push(processId),
    },
    telemetry: { cfgOf: () => telemetryCfg },
    knownClasses: () => new Set(['person', 'car']),
    clock,
    log: createLog({ level: 'silent', write: () => {} }),
  })
}

const brief = (processId: string) => ({ processId, accountId: account.id, sourceId, sourceUrl: 'rtsp://x' })

async function state(processId: string, name: string): Promise<void> {
  const isLive = !['stopped', 'finished', 'failed'].includes(name)
  if (!isLive) live.delete(processId)
  else if (!live.has(processId)) live.set(processId, { isTracking: true, classes: null })
  await bus.deliver('process-state', { ...brief(processId), state: name, previousState: '', isLive, reason: null })
}

const see = (processId: string, ms: number, tracks: readonly SceneTrack[]) =>
  bus.deliver('scene', { process: brief(processId), scene: sceneAt(ms, tracks) })

/** Lets what was told reach the delivery. */
const settle = async () => {
  for (let round = 0; round < 20; round++) await new Promise((resolve) => setImmediate(resolve))
}
const told = async () => {
  await settle()
  return sent.map(({ body }) => JSON.parse(body) as Record<string, unknown> & { data: Record<string, unknown> })
}
const events = async () =>
  (await told()).map(({ event, process_uuid: at }) => `${String(event)} ${at === P ? 'P' : 'Q'}`)

const one = aTrack(1, [0.5, 0.5])
const search = aSetup({ type: 'filter-search', trigger: { for_seconds: 0 } })
const follow = aSetup({ type: 'follow-track' })
const dense = aSetup({ type: 'grid-density', trigger: { min_count: 1, for_seconds: 0 } })
const create = (setup: Setup, status: 'active' | 'inactive' = 'active') =>
  alerts.service.create(account, { alias: 'yard', status, ...setup })
const change = (id: string, body: object, force = false) => alerts.service.change(account, id, body, force)

test('an alert is at all processes that run and that start later, and numbers its notifications at each', async () => {
  await state(P, 'running')
  const { id } = await create(search)
  await state(Q, 'running')
  await see(P, 1_000, [one])
  await see(Q, 2_000, [one])
  await see(P, 3_000, [aTrack(2, [0.1, 0.5])])
  const notifications = await told()
  expect(notifications[0]).toEqual({
    alert_uuid: id,
    alias: 'yard',
    type: 'filter-search',
    event: 'found',
    process_uuid: P,
    source_uuid: sourceId,
    timestamp: '1970-01-01T00:00:01.000Z',
    sequence: 1,
    data: { tracks: [expect.objectContaining({ track_id: 1, confidence: 80 })], more: 0 },
  })
  const numbers = (processId: string) =>
    notifications.filter(({ process_uuid: at }) => at === processId).map(({ sequence }) => sequence)
  expect([numbers(P), numbers(Q)]).toEqual([[1, 2], [1]])
  expect(sent[0]).toMatchObject({
    id: `alert:${id}:${P}:0:1`,
    channel: `alert:${id}:${P}:0`,
    accountId: account.id,
    destination: { kind: 'mqtt', host: 'broker', port: 1883, topic: 'alerts', qos: 1 },
    createdAtMs: clock.now(),
  })
  for (const notification of notifications)
    expect(notificationSchemas['filter-search'].safeParse(notification).error).toBeUndefined()
})

test('every output is told, each on its own channel, with the same number', async () => {
  const output = [...search.output, { type: 'webhook' as const, config: { url: 'http://x/' } }]
  await create({ ...search, output })
  await state(P, 'running')
  await see(P, 0, [one])
  expect((await told()).map(({ sequence }) => sequence)).toEqual([1, 1])
  expect(sent.map(({ channel }) => channel.slice(-2))).toEqual([':0', ':1'])
  expect(sent[1]!.destination).toEqual({ kind: 'webhook', url: 'http://x/' })
})

test('scenes that come while the alerts are read are looked at all the same', async () => {
  await create(search)
  live.set(P, { isTracking: true, classes: null })
  const opened = state(P, 'running')
  await see(P, 0, [one])
  await opened
  expect(await events()).toEqual(['found P'])
})

test('a change waits for the next launch, unless it is forced', async () => {
  await state(P, 'running')
  const { id } = await create(search)
  const changed = await change(id, { filter: { classes: ['car'] } })
  expect(alerts.service.isPending(changed)).toBe(true)
  await see(P, 0, [one])
  expect(await events()).toEqual(['found P'])
  // A process that is launched now has the new configuration.
  await state(Q, 'running')
  await see(Q, 0, [one])
  expect(await events()).toEqual(['found P'])
  expect(await alerts.service.listActive(account)).toMatchObject([
    { process: { processId: P }, isPending: true, alert: { setup: { filter: {} } } },
    { process: { processId: Q }, isPending: false, alert: { setup: { filter: { classes: ['car'] } } } },
  ])

  const forced = await change(id, {}, true)
  expect(relaunched).toEqual([P])
  expect(alerts.service.isPending(forced)).toBe(false)
  await see(P, 1_000, [aTrack(2, [0.5, 0.5]), aTrack(3, [0.5, 0.5], { className: 'car' })])
  expect((await told()).at(-1)).toMatchObject({ sequence: 2, data: { tracks: [{ track_id: 3 }] } })
  await change(id, {}, true)
  expect(relaunched).toEqual([P])
})

test('a forced change takes the others that wait along, and leaves the rest as they are', async () => {
  await state(P, 'running')
  const [kept, waiting, forced] = [await create(dense), await create(dense), await create(dense)]
  await see(P, 0, [one])
  await change(waiting.id, { trigger: { min_count: 2 } })
  await change(forced.id, { trigger: { min_count: 2 } }, true)
  expect(relaunched).toEqual([P])
  const ended = (await told()).filter(({ event }) => event === 'ended')
  expect(ended.map(({ alert_uuid: id }) => id).sort()).toEqual([waiting.id, forced.id].sort())
  expect(ended[0]!.data).toMatchObject({ reason: 'alert-changed' })
  expect((await alerts.service.listActive(account)).some(({ isPending }) => isPending)).toBe(false)
  expect(ended.map(({ alert_uuid: id }) => id)).not.toContain(kept.id)
})

test('an alias is another one at once', async () => {
  await state(P, 'running')
  const { id } = await create(search)
  expect(alerts.service.isPending(await change(id, { alias: 'gate' }))).toBe(false)
  await see(P, 0, [one])
  expect(await told()).toMatchObject([{ alias: 'gate' }])
})

test('deactivated it stops everywhere, and says so; activated it goes on with the next number', async () => {
  await state(P, 'running')
  const { id } = await create(dense)
  await see(P, 0, [one])
  await change(id, { status: 'inactive' })
  await see(P, 100, [one])
  expect(await events()).toEqual(['started P', 'ended P'])
  expect((await told())[1]!.data).toMatchObject({ reason: 'alert-deactivated' })
  expect(await alerts.service.listActive(account)).toEqual([])
  await change(id, { status: 'active', trigger: { min_count: 1, for_seconds: 1 } })
  await see(P, 200, [one])
  await see(P, 1_300, [one])
  expect((await told()).map(({ event, sequence }) => [event, sequence])).toEqual([['started', 1], ['ended', 2], ['started', 3]]) // prettier-ignore
})

test('deleted it is silent at once, and what waits of it is dropped', async () => {
  await state(P, 'running')
  const { id } = await create(dense)
  await see(P, 0, [one])
  await settle()
  await alerts.service.remove(account, id)
  await see(P, 100, [one])
  expect(await events()).toEqual(['started P'])
  expect(dropped).toContain(`alert:${id}:${P}:0`)
  await expect(alerts.service.remove(account, id)).rejects.toMatchObject({ code: 'alert-not-found' })
})

test('a short loss of the source is no news; a longer one loses the target; the end ends all', async () => {
  await create(follow)
  await create(dense)
  await state(P, 'running')
  await see(P, 0, [one])
  await state(P, 'reconnecting')
  await clock.advance(1_900)
  await state(P, 'running')
  await clock.advance(5_000)
  await see(P, 1_900, [one])
  expect(await events()).toEqual(['acquired P', 'started P', 'update P'])
  await state(P, 'paused')
  await clock.advance(2_000)
  expect(await events()).toEqual(['acquired P', 'started P', 'update P', 'lost P'])
  expect((await told()).at(-1)!.data).toMatchObject({ reason: 'source-interrupted' })
  await state(P, 'stopped')
  expect((await events()).slice(4)).toEqual(['ended P'])
  await see(P, 9_000, [one])
  expect(await events()).toHaveLength(5)
})

test('one-off alerts live with their process', async () => {
  await state(P, 'running')
  await state(Q, 'running')
  const { id } = await alerts.service.createOneOff(account, P, { alias: 'once', status: 'active', ...search })
  expect((await alerts.service.list(account, { limit: 10 })).items).toEqual([])
  expect(await alerts.service.listActive(account)).toMatchObject([{ alert: { id }, process: { processId: P } }])
  await see(P, 0, [one])
  await see(Q, 0, [one])
  // A worker that crashes is news to nobody here.
  await state(P, 'reconnecting')
  await state(P, 'running')
  await see(P, 500, [aTrack(2, [0.5, 0.5])])
  expect((await told()).map(({ process_uuid: at, sequence }) => [at, sequence])).toEqual([[P, 1], [P, 2]]) // prettier-ignore
  await change(id, { filter: { classes: ['car'] } }, true)
  expect(relaunched).toEqual([P])
  await state(P, 'stopped')
  expect(await alerts.service.listActive(account)).toEqual([])
  await expect(change(id, {})).rejects.toMatchObject({ code: 'alert-not-found' })
  await expect(
    alerts.service.createOneOff(account, P, { alias: 'late', status: 'active', ...search }),
  ).rejects.toMatchObject({ code: 'process-not-live', status: 409 })
})

test('fifty alerts may be active at one process, whatever their kind', async () => {
  await state(P, 'running')
  const once = () => alerts.service.createOneOff(account, P, { alias: 'once', status: 'active', ...search })
  for (let index = 0; index < 49; index++) await once()
  await create(search)
  await expect(once()).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  await expect(create(search)).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  const { id } = await create(search, 'inactive')
  await expect(change(id, { status: 'active' })).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
})

const onGround = aSetup({ type: 'grid-density', parameters: { cell_meters: 10 } })
const camera = { sensor_hfov: 60, sensor_vfov: 40 }
const pose = {
  latitude: 1,
  longitude: 1,
  altitude: 50,
  rel_altitude: 50,
  camera_pitch: -30,
  camera_yaw: 0,
  camera_roll: 0,
}
test.each<{ name: string; cfg: TelemetryCfg | null; refusal: string | null; problem: RegExp | null }>([
  { name: 'no telemetry', cfg: null, refusal: 'has no telemetry', problem: /has no telemetry/ },
  {
    name: 'directions only',
    cfg: { type: 'static', format: 'native', parameters: camera },
    refusal: 'lacks latitude',
    problem: /lacks latitude/,
  },
  {
    name: 'a whole pose',
    cfg: { type: 'static', format: 'native', parameters: { ...camera, ...pose } },
    refusal: null,
    problem: /check that telemetry arrives/,
  },
  {
    name: 'a websocket',
    cfg: { type: 'websocket', format: 'native', parameters: {} },
    refusal: null,
    problem: /check/,
  },
])('an alert on the ground at a process with $name', async ({ cfg, refusal, problem }) => {
  telemetryCfg = cfg
  await state(P, 'running')
  await create(onGround)
  const [row] = await alerts.service.listActive(account)
  expect(row!.problem).toMatch(problem!)
  const once = alerts.service.createOneOff(account, P, { alias: 'once', status: 'active', ...onGround })
  if (refusal) {
    await expect(once).rejects.toMatchObject({ code: 'geolocation-not-configured', status: 409 })
    await expect(once).rejects.toThrow(refusal)
    return
  }
  await once
  await see(P, 0, [aTrackAt(1, 1, 1)])
  for (const { problem: left } of await alerts.service.listActive(account)) expect(left).toBeNull()
})

test('what can tell of nothing says why', async () => {
  await state(P, 'running')
  live.set(P, { isTracking: false, classes: ['car'] })
  await create(follow)
  await create(aSetup({ type: 'grid-density', filter: { classes: ['person'] } }))
  await create(aSetup({ type: 'grid-density', filter: { max_distance_m: 5 } }))
  await create(dense)
  const problems = (await alerts.service.listActive(account)).map(({ problem }) => problem)
  expect(problems).toEqual([
    null,
    expect.stringContaining('asks for a distance'),
    expect.stringContaining('looks only for car'),
    expect.stringContaining('without tracking'),
  ])
})

test('pictures of tracks go along with those who ask for them', async () => {
  await create(aSetup({ type: 'filter-search', trigger: { for_seconds: 0 }, parameters: { with_image: true } }))
  await state(P, 'running')
  const picture = { trackId: 1, slot: 0, takenAtMs: 0, confidence: 1, quality: 1 }
  await bus.deliver('track-pictures', {
    process: brief(P),
    pictures: [
      { ...picture, role: 'crop', jpeg: Buffer.from('large') },
      { ...picture, role: 'patch', jpeg: Buffer.from('small') },
    ],
  })
  await see(P, 0, [one, aTrack(2, [0.1, 0.5])])
  await see(P, 2_000, [aTrack(2, [0.1, 0.5])])
  const [first, second] = (await told()).map(({ data }) => data['tracks'])
  expect(first).toMatchObject([{ track_id: 1, image: Buffer.from('small').toString('base64') }])
  expect(second).toMatchObject([{ track_id: 2, image: null }])
})

test('a database that is away for a while costs nothing, not even the order', async () => {
  await create(search)
  await state(P, 'running')
  failures = 3
  for (let id = 1; id <= 5; id++) await see(P, id * 100, [aTrack(id, [0.5, 0.5])])
  await settle()
  expect(sent).toEqual([])
  for (let second = 0; second < 4; second++) {
    await clock.advance(1_000)
    await settle()
  }
  expect((await told()).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
})

test('after a restart of the service numbers go on, alerts are there again, and what went on was told to be over', async () => {
  await create(dense)
  await state(P, 'running')
  await see(P, 0, [one])
  await alerts.close()
  expect(await events()).toEqual(['started P', 'ended P'])
  expect((await told())[1]!.data).toMatchObject({ reason: 'service-stopping' })
  build()
  await alerts.start()
  await see(P, 5_000, [one])
  const numbers = (await told()).map(({ sequence }) => sequence as number)
  expect(numbers).toHaveLength(3)
  expect(numbers[2]).toBeGreaterThan(numbers[1]!)
})

test('an alert of one account is at no process of another', async () => {
  const { account: other } = await accountsOn(database).service.createMaster('other')
  await alerts.service.create(other, { alias: 'x', status: 'active', ...search })
  await state(P, 'running')
  await see(P, 0, [one])
  expect(await events()).toEqual([])
  expect(await alerts.service.listActive(other)).toEqual([])
})
