import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AlertStage, createAlertStage, P, Q } from '../../test/builders/alert-stage.ts'
import { aSetup, aTrack, aTrackAt, dense, follow, search } from '../../test/builders/alerts.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'

let stage: AlertStage
beforeEach(async () => void (stage = await createAlertStage()))
afterEach(() => stage.database.remove())

const one = aTrack(1, [0.5, 0.5])

test('a change waits for the next launch, unless it is forced', async () => {
  await stage.state(P, 'running')
  const { id } = await stage.create(search)
  const changed = await stage.change(id, { filter: { classes: ['car'] } })
  expect(stage.alerts.service.isPending(changed)).toBe(true)
  await stage.see(P, 0, [one])
  expect(await stage.events()).toEqual(['found P'])
  // A process that is launched now has the new configuration.
  await stage.state(Q, 'running')
  await stage.see(Q, 0, [one])
  expect(await stage.events()).toEqual(['found P'])
  expect(await stage.alerts.service.listActive(stage.account)).toMatchObject([
    { process: { processId: P }, isPending: true, alert: { setup: { filter: {} } } },
    { process: { processId: Q }, isPending: false, alert: { setup: { filter: { classes: ['car'] } } } },
  ])

  const forced = await stage.change(id, {}, true)
  expect(stage.relaunched).toEqual([P])
  expect(stage.alerts.service.isPending(forced)).toBe(false)
  await stage.see(P, 1_000, [aTrack(2, [0.5, 0.5]), aTrack(3, [0.5, 0.5], { className: 'car' })])
  expect((await stage.told()).at(-1)).toMatchObject({ sequence: 2, data: { tracks: [{ track_id: 3 }] } })
  await stage.change(id, {}, true)
  expect(stage.relaunched).toEqual([P])
})

test('a pipeline that is launched again after a crash takes what waits; one that only lost its source does not', async () => {
  await stage.state(P, 'running')
  const { id } = await stage.create(search)
  const changed = await stage.change(id, { filter: { classes: ['car'] } })
  await stage.state(P, 'reconnecting')
  await stage.state(P, 'running')
  expect(stage.alerts.service.isPending(changed)).toBe(true)
  await stage.state(P, 'reconnecting', 1)
  expect(stage.alerts.service.isPending(changed)).toBe(false)
  await stage.see(P, 0, [one])
  expect(await stage.events()).toEqual([])
})

test('a forced change takes the others that wait along, and leaves the rest as they are', async () => {
  await stage.state(P, 'running')
  const [kept, waiting, forced] = [await stage.create(dense), await stage.create(dense), await stage.create(dense)]
  await stage.see(P, 0, [one])
  await stage.change(waiting.id, { trigger: { min_count: 2 } })
  await stage.change(forced.id, { trigger: { min_count: 2 } }, true)
  expect(stage.relaunched).toEqual([P])
  const ended = (await stage.told()).filter(({ event }) => event === 'ended')
  expect(ended.map(({ alert_uuid: id }) => id).sort()).toEqual([waiting.id, forced.id].sort())
  expect(ended[0]!.data).toMatchObject({ reason: 'alert-changed' })
  expect((await stage.alerts.service.listActive(stage.account)).some(({ isPending }) => isPending)).toBe(false)
  expect(ended.map(({ alert_uuid: id }) => id)).not.toContain(kept.id)
})

test('an alias is another one at once', async () => {
  await stage.state(P, 'running')
  const { id } = await stage.create(search)
  expect(stage.alerts.service.isPending(await stage.change(id, { alias: 'gate' }))).toBe(false)
  await stage.see(P, 0, [one])
  expect(await stage.told()).toMatchObject([{ alias: 'gate' }])
})

test('one-off alerts live with their process', async () => {
  await stage.state(P, 'running')
  await stage.state(Q, 'running')
  const { id } = await stage.createOneOff(P, search)
  expect((await stage.alerts.service.list(stage.account, { limit: 10 })).items).toEqual([])
  expect(await stage.alerts.service.listActive(stage.account)).toMatchObject([
    { alert: { id }, process: { processId: P } },
  ])
  await stage.see(P, 0, [one])
  await stage.see(Q, 0, [one])
  // A worker that crashes is news to nobody here.
  await stage.state(P, 'reconnecting')
  await stage.state(P, 'running')
  await stage.see(P, 500, [aTrack(2, [0.5, 0.5])])
  expect((await stage.told()).map(({ process_uuid: at, sequence }) => [at, sequence])).toEqual([[P, 1], [P, 2]]) // prettier-ignore
  await stage.change(id, { filter: { classes: ['car'] } }, true)
  expect(stage.relaunched).toEqual([P])
  await stage.state(P, 'stopped')
  expect(await stage.alerts.service.listActive(stage.account)).toEqual([])
  await expect(stage.change(id, {})).rejects.toMatchObject({ code: 'alert-not-found' })
  await expect(stage.createOneOff(P, search)).rejects.toMatchObject({ code: 'process-not-live', status: 409 })
})

test('fifty alerts may be active at one process, whatever their kind', async () => {
  await stage.state(P, 'running')
  const once = () => stage.createOneOff(P, search)
  for (let index = 0; index < 49; index++) await once()
  await stage.create(search)
  await expect(once()).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  await expect(stage.create(search)).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  const { id } = await stage.create(search, 'inactive')
  await expect(stage.change(id, { status: 'active' })).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
})

test('fifty one-off alerts may be at one process, active or not, and only those that are active are listed', async () => {
  await stage.state(P, 'running')
  const once = () =>
    stage.alerts.service.createOneOff(stage.account, P, { alias: 'once', status: 'inactive', ...search })
  const { id } = await once()
  const listed = async () => (await stage.alerts.service.listActive(stage.account)).map(({ alert }) => alert.id)
  expect(await listed()).toEqual([])
  await stage.change(id, { status: 'active' })
  expect(await listed()).toEqual([id])
  await stage.change(id, { status: 'inactive' })
  expect(await listed()).toEqual([])
  for (let index = 1; index < 50; index++) await once()
  await expect(once()).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  await expect(stage.createOneOff(P, search)).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  // They take no room from those that are registered.
  await stage.create(search)
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
  stage.telemetryCfg = cfg
  await stage.state(P, 'running')
  await stage.create(onGround)
  const [row] = await stage.alerts.service.listActive(stage.account)
  expect(row!.problem).toMatch(problem!)
  const once = stage.createOneOff(P, onGround)
  if (refusal) {
    await expect(once).rejects.toMatchObject({ code: 'geolocation-not-configured', status: 409 })
    await expect(once).rejects.toThrow(refusal)
    return
  }
  await once
  await stage.see(P, 0, [aTrackAt(1, 1, 1)])
  for (const { problem: left } of await stage.alerts.service.listActive(stage.account)) expect(left).toBeNull()
})

test('what can tell of nothing says why', async () => {
  await stage.state(P, 'running')
  stage.live.set(P, { isTracking: false, keepsPictures: false, classes: ['car'] })
  await stage.create(follow)
  await stage.create(aSetup({ type: 'grid-density', filter: { classes: ['person'] } }))
  await stage.create(aSetup({ type: 'grid-density', filter: { max_distance_m: 5 } }))
  await stage.create(dense)
  const problems = (await stage.alerts.service.listActive(stage.account)).map(({ problem }) => problem)
  expect(problems).toEqual([
    null,
    expect.stringContaining('asks for a distance'),
    expect.stringContaining('looks only for car'),
    expect.stringContaining('without tracking'),
  ])

  stage.live.set(P, { isTracking: true, keepsPictures: false, classes: null })
  await stage.create(aSetup({ type: 'filter-search', parameters: { with_image: true } }))
  const [imageless] = await stage.alerts.service.listActive(stage.account)
  expect(imageless!.problem).toContain('without images')
})

test('a one-off alert that is made before the first picture looks from the first one on', async () => {
  stage.live.set(P, { isTracking: true, keepsPictures: true, classes: null })
  await stage.createOneOff(P, search)
  await stage.state(P, 'running')
  await stage.see(P, 0, [one])
  expect(await stage.events()).toHaveLength(1)
})

test('addresses that may not be called are refused, and what does not arrive is a problem', async () => {
  const output = [{ type: 'webhook' as const, config: { url: 'http://169.254.169.254/x' } }]
  await expect(stage.create({ ...search, output })).rejects.toMatchObject({
    errors: [{ path: 'body.output.0.config.url', message: expect.stringContaining('may not be called') as string }],
  })
  await stage.state(P, 'running')
  await stage.create(search)
  stage.trouble = 'Nobody is there.'
  const [row] = await stage.alerts.service.listActive(stage.account)
  expect(row!.problem).toContain('Nobody is there. Notifications that wait: 3')
  stage.trouble = 'self-signed certificate'
  const [other] = await stage.alerts.service.listActive(stage.account)
  expect(other!.problem).toContain('self-signed certificate. Notifications that wait: 3')
})
