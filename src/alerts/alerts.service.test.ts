import { afterEach, beforeEach, expect, test } from 'vitest'
import { type AlertRig, createAlertRig, otherSourceId, P, Q, sourceId } from '../../test/support/alert-rig.ts'
import { aSetup, aTrack, aTrackAt, dense, follow, search } from '../../test/builders/alerts.ts'
import { type TelemetryCfg } from '../core/telemetry-cfg.ts'

let rig: AlertRig
beforeEach(async () => void (rig = await createAlertRig()))
afterEach(() => rig.database.remove())

const one = aTrack(1, [0.5, 0.5])

test('a change waits for the next launch, unless it is forced', async () => {
  await rig.state(P, 'running')
  const { id } = await rig.create(search)
  const changed = await rig.change(id, { filter: { classes: ['car'] } })
  expect(rig.alerts.service.isPending(changed)).toBe(true)
  await rig.see(P, 0, [one])
  expect(await rig.events()).toEqual(['found P'])
  // A process that is launched now has the new configuration.
  await rig.state(Q, 'running')
  await rig.see(Q, 0, [one])
  expect(await rig.events()).toEqual(['found P'])
  expect(await rig.alerts.service.listActive(rig.account)).toMatchObject([
    { process: { processId: P }, isPending: true, alert: { setup: { filter: {} } } },
    { process: { processId: Q }, isPending: false, alert: { setup: { filter: { classes: ['car'] } } } },
  ])

  const forced = await rig.change(id, {}, true)
  expect(rig.relaunched).toEqual([P])
  expect(rig.alerts.service.isPending(forced)).toBe(false)
  await rig.see(P, 1_000, [aTrack(2, [0.5, 0.5]), aTrack(3, [0.5, 0.5], { className: 'car' })])
  expect((await rig.notifications()).at(-1)).toMatchObject({ sequence: 2, data: { tracks: [{ track_id: 3 }] } })
  await rig.change(id, {}, true)
  expect(rig.relaunched).toEqual([P])
})

test('a pipeline that is launched again after a crash takes what waits; one that only lost its source does not', async () => {
  await rig.state(P, 'running')
  const { id } = await rig.create(search)
  const changed = await rig.change(id, { filter: { classes: ['car'] } })
  await rig.state(P, 'reconnecting')
  await rig.state(P, 'running')
  expect(rig.alerts.service.isPending(changed)).toBe(true)
  await rig.state(P, 'reconnecting', { restarts: 1 })
  expect(rig.alerts.service.isPending(changed)).toBe(false)
  await rig.see(P, 0, [one])
  expect(await rig.events()).toEqual([])
})

test('a pipeline that is launched for the next flight takes what waits', async () => {
  await rig.state(P, 'running')
  const { id } = await rig.create(search)
  const changed = await rig.change(id, { filter: { classes: ['car'] } })
  await rig.state(P, 'waiting')
  await rig.state(P, 'starting', { previousState: 'waiting' })
  expect(rig.alerts.service.isPending(changed)).toBe(false)
  await rig.state(P, 'running')
  await rig.see(P, 0, [one])
  expect(await rig.events()).toEqual([])
})

test('a forced change takes the others that wait along, and leaves the rest as they are', async () => {
  await rig.state(P, 'running')
  const [kept, waiting, forced] = [await rig.create(dense), await rig.create(dense), await rig.create(dense)]
  await rig.see(P, 0, [one])
  await rig.settle()
  await rig.change(waiting.id, { trigger: { min_count: 2 } })
  await rig.change(forced.id, { trigger: { min_count: 2 } }, true)
  expect(rig.relaunched).toEqual([P])
  const ended = (await rig.notifications()).filter(({ event }) => event === 'ended')
  expect(ended.map(({ alert_uuid: id }) => id).sort()).toEqual([waiting.id, forced.id].sort())
  expect(ended[0]!.data).toMatchObject({ reason: 'alert-changed' })
  expect((await rig.alerts.service.listActive(rig.account)).some(({ isPending }) => isPending)).toBe(false)
  expect(ended.map(({ alert_uuid: id }) => id)).not.toContain(kept.id)
})

test('an alias is another one at once', async () => {
  await rig.state(P, 'running')
  const { id } = await rig.create(search)
  expect(rig.alerts.service.isPending(await rig.change(id, { alias: 'gate' }))).toBe(false)
  await rig.see(P, 0, [one])
  expect(await rig.notifications()).toMatchObject([{ alias: 'gate' }])
})

test('one-off alerts live with their process', async () => {
  await rig.state(P, 'running')
  await rig.state(Q, 'running')
  const { id } = await rig.createOneOff(P, search)
  expect((await rig.alerts.service.list(rig.account, { limit: 10 })).items).toEqual([])
  expect(await rig.alerts.service.listActive(rig.account)).toMatchObject([{ alert: { id }, process: { processId: P } }])
  await rig.see(P, 0, [one])
  await rig.see(Q, 0, [one])
  // A worker that crashes is news to nobody here.
  await rig.state(P, 'reconnecting')
  await rig.state(P, 'running')
  await rig.see(P, 500, [aTrack(2, [0.5, 0.5])])
  expect((await rig.notifications()).map(({ process_uuid: at, sequence }) => [at, sequence])).toEqual([[P, 1], [P, 2]]) // prettier-ignore
  await rig.change(id, { filter: { classes: ['car'] } }, true)
  expect(rig.relaunched).toEqual([P])
  await rig.state(P, 'stopped')
  expect(await rig.alerts.service.listActive(rig.account)).toEqual([])
  await expect(rig.change(id, {})).rejects.toMatchObject({ code: 'alert-not-found' })
  await expect(rig.createOneOff(P, search)).rejects.toMatchObject({ code: 'process-not-live', status: 409 })
})

test('fifty alerts may be active at one process, whatever their kind', async () => {
  await rig.state(P, 'running')
  const once = () => rig.createOneOff(P, search)
  for (let index = 0; index < 49; index++) await once()
  await rig.create(search)
  await expect(once()).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  await expect(rig.create(search)).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  const { id } = await rig.create(search, 'inactive')
  await expect(rig.change(id, { status: 'active' })).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
})

test('fifty one-off alerts may be at one process, active or not, and only those that are active are listed', async () => {
  await rig.state(P, 'running')
  const once = () => rig.alerts.service.createOneOff(rig.account, P, { alias: 'once', status: 'inactive', ...search })
  const { id } = await once()
  const listed = async () => (await rig.alerts.service.listActive(rig.account)).map(({ alert }) => alert.id)
  expect(await listed()).toEqual([])
  await rig.change(id, { status: 'active' })
  expect(await listed()).toEqual([id])
  await rig.change(id, { status: 'inactive' })
  expect(await listed()).toEqual([])
  for (let index = 1; index < 50; index++) await once()
  await expect(once()).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  await expect(rig.createOneOff(P, search)).rejects.toMatchObject({ code: 'active-alert-limit-reached' })
  // They take no room from those that are registered.
  await rig.create(search)
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
  rig.telemetryCfg = cfg
  await rig.state(P, 'running')
  await rig.create(onGround)
  const [row] = await rig.alerts.service.listActive(rig.account)
  expect(row!.problem).toMatch(problem!)
  const once = rig.createOneOff(P, onGround)
  if (refusal) {
    await expect(once).rejects.toMatchObject({ code: 'geolocation-not-configured', status: 409 })
    await expect(once).rejects.toThrow(refusal)
    return
  }
  await once
  await rig.see(P, 0, [aTrackAt(1, 1, 1)])
  for (const { problem: left } of await rig.alerts.service.listActive(rig.account)) expect(left).toBeNull()
})

test('what can tell of nothing says why', async () => {
  await rig.state(P, 'running')
  rig.live.set(P, { isTracking: false, keepsPictures: false, classes: ['car'] })
  await rig.create(follow)
  await rig.create(aSetup({ type: 'grid-density', filter: { classes: ['person'] } }))
  await rig.create(aSetup({ type: 'grid-density', filter: { max_distance_m: 5 } }))
  await rig.create(dense)
  const problems = (await rig.alerts.service.listActive(rig.account)).map(({ problem }) => problem)
  expect(problems).toEqual([
    null,
    expect.stringContaining('asks for a distance'),
    expect.stringContaining('looks only for car'),
    expect.stringContaining('without tracking'),
  ])

  rig.live.set(P, { isTracking: true, keepsPictures: false, classes: null })
  await rig.create(aSetup({ type: 'filter-search', parameters: { with_image: true } }))
  const [imageless] = await rig.alerts.service.listActive(rig.account)
  expect(imageless!.problem).toContain('without images')
})

test('a one-off alert that is made before the first picture looks from the first one on', async () => {
  rig.live.set(P, { isTracking: true, keepsPictures: true, classes: null })
  await rig.createOneOff(P, search)
  await rig.state(P, 'running')
  await rig.see(P, 0, [one])
  expect(await rig.events()).toHaveLength(1)
})

test('addresses that may not be called are refused, and what does not arrive is a problem', async () => {
  const output = [{ type: 'webhook' as const, config: { url: 'http://169.254.169.254/x' } }]
  await expect(rig.create({ ...search, output })).rejects.toMatchObject({
    errors: [{ path: 'body.output.0.config.url', message: expect.stringContaining('may not be called') as string }],
  })
  await rig.state(P, 'running')
  await rig.create(search)
  rig.trouble = 'Nobody is there.'
  const [row] = await rig.alerts.service.listActive(rig.account)
  expect(row!.problem).toContain('Nobody is there. Notifications that wait: 3')
  rig.trouble = 'self-signed certificate'
  const [other] = await rig.alerts.service.listActive(rig.account)
  expect(other!.problem).toContain('self-signed certificate. Notifications that wait: 3')
})

test('an alert on one source looks at its processes only, running and to come', async () => {
  await rig.state(P, 'running')
  await rig.create(search, 'active', [sourceId])
  await rig.state(Q, 'running')
  await rig.see(P, 0, [one])
  await rig.see(Q, 0, [one])
  expect(await rig.events()).toEqual(['found P'])
  expect(await rig.alerts.service.listActive(rig.account)).toMatchObject([{ process: { processId: P } }])
})

test('where an alert looks changes at once, and what went on elsewhere is over', async () => {
  await rig.state(P, 'running')
  await rig.state(Q, 'running')
  const { id } = await rig.create(follow)
  await rig.see(P, 0, [one])
  const moved = await rig.change(id, { source_uuids: [otherSourceId] })
  expect(rig.alerts.service.isPending(moved)).toBe(false)
  // Each process has an order of its own.
  await rig.settle()
  await rig.see(Q, 0, [one])
  expect(await rig.events()).toEqual(['acquired P', 'lost P', 'acquired Q'])
  expect((await rig.notifications())[1]!.data).toMatchObject({ reason: 'alert-changed' })
  await rig.change(id, { source_uuids: null })
  await rig.see(P, 1_000, [one])
  expect((await rig.events()).at(-1)).toBe('acquired P')
})

test('a source that is removed is in no list any more; an alert without any left looks at nothing', async () => {
  const { id } = await rig.create(search, 'active', [sourceId, otherSourceId])
  await rig.state(P, 'running')
  const remove = (source: string) => rig.database.db.deleteFrom('source').where('id', '=', source).execute()
  await remove(otherSourceId)
  expect(await rig.alerts.service.listActive(rig.account)).toMatchObject([{ alert: { sourceIds: [sourceId] } }])
  await rig.state(P, 'stopped')
  await remove(sourceId)
  const [left] = (await rig.alerts.service.list(rig.account, { limit: 10 })).items
  expect(left).toMatchObject({ id, status: 'active', sourceIds: [] })
  await rig.change(id, { alias: 'nothing left' })
  await rig.state(Q, 'running')
  await rig.see(Q, 0, [one])
  expect(await rig.events()).toEqual([])
})

test('a source that the key does not have, and sources of a one-off alert, are refused', async () => {
  const strange = '00000000-0000-7000-9000-00000000000f'
  const refusal = { code: 'source-not-found', status: 404, message: expect.stringContaining(strange) as string }
  await expect(rig.create(search, 'active', [sourceId, strange])).rejects.toMatchObject(refusal)
  const { id } = await rig.create(search)
  await expect(rig.change(id, { source_uuids: [strange] })).rejects.toMatchObject(refusal)
  await rig.state(P, 'running')
  const once = await rig.createOneOff(P, search)
  const misplaced = { errors: [{ path: 'body.source_uuids', message: expect.stringContaining('one') as string }] }
  await expect(rig.change(once.id, { source_uuids: [sourceId] })).rejects.toMatchObject(misplaced)
})

test('fifty may be active at each source', async () => {
  for (let index = 0; index < 49; index++) await rig.create(search, 'active', [sourceId])
  const { id } = await rig.create(search, 'active', [otherSourceId])
  await rig.create(search, 'active', [sourceId, otherSourceId])
  const full = { code: 'active-alert-limit-reached' }
  await expect(rig.create(search, 'active', [sourceId])).rejects.toMatchObject(full)
  await expect(rig.create(search)).rejects.toMatchObject(full)
  await expect(rig.change(id, { source_uuids: null })).rejects.toMatchObject(full)
  await rig.create(search, 'active', [otherSourceId])
})
