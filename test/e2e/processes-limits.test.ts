import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { clip, createProcessRig, type Info, type ProcessRig } from '../support/process-rig.ts'
import { until } from '../support/until.ts'

let rig: ProcessRig
beforeAll(async () => void (rig = await createProcessRig()))
afterEach(() => rig.clear())
afterAll(() => rig.remove())

interface Child {
  readonly username: string
  readonly key: string
}

async function addChild(username: string, rights: Record<string, unknown>): Promise<Child> {
  const { key } = await rig.ask<{ key: string }>('POST', '/keys', { body: { username, ...rights } })
  return { username, key }
}

const consumedMinutes = async ({ key }: Child) =>
  (await rig.ask<{ subscription: { consumed_minutes: number } }>('GET', '/user_info', { key })).subscription
    .consumed_minutes

test('of five starts at once as many succeed as the key allows', async () => {
  const child = await addChild('two', { minutes: 10, max_processes: 2 })
  const { sourceId } = await rig.goLive('limit', child)
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => rig.tryStart(sourceId, {}, child.key)))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403])
  const refused = outcomes.filter(({ status }) => status === 403)
  for (const { code, detail } of refused)
    expect([code, detail]).toEqual([
      'process-limit-reached',
      'This key has as many processes at once as it may (2); stop one first.',
    ])
  expect(rig.workers()).toHaveLength(2)

  const [{ process_uuid: id }] = (await rig.ask<Info[]>('GET', '/processes', { key: child.key })) as [Info]
  await rig.ask('POST', `/process/${id}/pause`, { key: child.key })
  expect(await rig.tryStart(sourceId, {}, child.key)).toMatchObject({ code: 'process-limit-reached' })
  await rig.ask('DELETE', `/process/${id}`, { key: child.key })
  await rig.start(sourceId, {}, child.key)
  const { stopped } = await rig.ask<{ stopped: string[] }>('DELETE', '/processes', { key: child.key })
  expect(stopped).toHaveLength(2)
})

test('without minutes nothing starts; when they are used up the process stops', async () => {
  const poor = await addChild('poor', { minutes: 0 })
  expect(await rig.tryStart(await rig.upload(clip, poor.key), {}, poor.key)).toMatchObject({
    status: 403,
    code: 'usage-limit-reached',
  })

  const child = await addChild('brief', { minutes: 0.05 })
  const started = await rig.start(await rig.upload(clip, child.key), {}, child.key)
  const socket = await rig.connect(started)
  const process = () => rig.ask<Info>('GET', `/process/${started.process_uuid}`, { key: child.key })
  await socket.more(1)
  const pausedAt = performance.now()
  await rig.ask('POST', `/process/${started.process_uuid}/pause`, { key: child.key })
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  expect(await process()).toMatchObject({ state: 'paused' })
  await rig.ask('POST', `/process/${started.process_uuid}/resume`, { key: child.key })
  const pausedMs = performance.now() - pausedAt

  expect(await socket.closed).toBe('process stopped')
  const info = await process()
  expect(info).toMatchObject({ state: 'stopped', stop_reason: 'usage-limit' })
  const livedMs = Date.parse(info.stopped_at!) - Date.parse(info.started_at!)
  expect(Math.abs(livedMs - pausedMs - 3_000)).toBeLessThan(2_000)
  expect(Math.abs(info.stats.consumed_seconds - 3)).toBeLessThanOrEqual(1)
  expect(Math.abs((await consumedMinutes(child)) * 60 - info.stats.consumed_seconds)).toBeLessThan(0.5)
  expect(await rig.tryStart(info.source_uuid, {}, child.key)).toMatchObject({ code: 'usage-limit-reached' })
})

test('a process is its key’s; a master sees and stops those of its children', async () => {
  const [ada, bob] = await Promise.all([addChild('ada', { minutes: 5 }), addChild('bob', { minutes: 5 })])
  const started = await rig.start(await rig.upload(clip, ada.key), {}, ada.key)
  const id = started.process_uuid
  const asBob = { key: bob.key }
  for (const [method, path] of [
    ['GET', `/process/${id}`],
    ['DELETE', `/process/${id}`],
    ['POST', `/process/${id}/pause`],
    ['GET', `/process/${id}/events`],
    ['GET', `/process/${id}?username=ada`],
  ] as const)
    expect((await rig.service.call(method, path, asBob)).status, `${method} ${path}`).toBeOneOf([403, 404])
  expect((await rig.service.call('GET', `/process/${id}`)).status).toBe(404)
  expect(await rig.ask('GET', '/processes', asBob)).toEqual([])
  expect(await rig.ask('DELETE', '/processes', asBob)).toEqual({ stopped: [] })

  expect(await rig.ask('GET', `/process/${id}?username=ada`)).toMatchObject({ state: 'running' })
  expect(await rig.ask<Info[]>('GET', '/processes?username=ada')).toMatchObject([{ process_uuid: id }])
  expect(await rig.ask('DELETE', `/process/${id}?username=ada`)).toEqual({ stopped: [id] })
  expect(await rig.ask('GET', `/process/${id}`, { key: ada.key })).toMatchObject({ state: 'stopped' })
})

test('with its key go the processes, and what ran is charged', async () => {
  const child = await addChild('leaving', { minutes: 5 })
  const { sourceId } = await rig.goLive('leaving', child)
  const started = await rig.start(sourceId, {}, child.key)
  const socket = await rig.connect(started)
  await socket.more(14)
  await rig.ask('DELETE', '/keys/leaving')
  expect(await socket.closed).toBe('process stopped')
  await until(async () => rig.workers().length === 0, 5_000)
})
