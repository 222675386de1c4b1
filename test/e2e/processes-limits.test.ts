import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { clip, createProcessStage, type Info, type ProcessStage } from '../builders/process-stage.ts'
import { until } from '../builders/until.ts'

let stage: ProcessStage
beforeAll(async () => void (stage = await createProcessStage()))
afterEach(() => stage.clear())
afterAll(() => stage.remove())

interface Child {
  readonly username: string
  readonly key: string
}

async function addChild(username: string, rights: Record<string, unknown>): Promise<Child> {
  const { key } = await stage.ask<{ key: string }>('POST', '/keys', { body: { username, ...rights } })
  return { username, key }
}

const consumedMinutes = async ({ key }: Child) =>
  (await stage.ask<{ subscription: { consumed_minutes: number } }>('GET', '/user_info', { key })).subscription
    .consumed_minutes

test('of five starts at once as many succeed as the key allows', async () => {
  const child = await addChild('two', { minutes: 10, max_processes: 2 })
  const { sourceId } = await stage.goLive('limit', child)
  const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => stage.tryStart(sourceId, {}, child.key)))
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual([201, 201, 403, 403, 403])
  const refused = outcomes.filter(({ status }) => status === 403)
  for (const { code, detail } of refused)
    expect([code, detail]).toEqual([
      'process-limit-reached',
      'This key has as many processes at once as it may (2); stop one first.',
    ])
  expect(stage.workers()).toHaveLength(2)

  const [{ process_uuid: id }] = (await stage.ask<Info[]>('GET', '/processes', { key: child.key })) as [Info]
  await stage.ask('POST', `/process/${id}/pause`, { key: child.key })
  expect(await stage.tryStart(sourceId, {}, child.key)).toMatchObject({ code: 'process-limit-reached' })
  await stage.ask('DELETE', `/process/${id}`, { key: child.key })
  await stage.start(sourceId, {}, child.key)
  const { stopped } = await stage.ask<{ stopped: string[] }>('DELETE', '/processes', { key: child.key })
  expect(stopped).toHaveLength(2)
})

test('without minutes nothing starts; when they are used up the process stops', async () => {
  const poor = await addChild('poor', { minutes: 0 })
  expect(await stage.tryStart(await stage.upload(clip, poor.key), {}, poor.key)).toMatchObject({
    status: 403,
    code: 'usage-limit-reached',
  })

  const child = await addChild('brief', { minutes: 0.05 })
  const started = await stage.start(await stage.upload(clip, child.key), {}, child.key)
  const socket = await stage.connect(started)
  const process = () => stage.ask<Info>('GET', `/process/${started.process_uuid}`, { key: child.key })
  await socket.more(1)
  await stage.ask('POST', `/process/${started.process_uuid}/pause`, { key: child.key })
  await new Promise((resolve) => setTimeout(resolve, 2_000))
  expect(await process()).toMatchObject({ state: 'paused' })
  await stage.ask('POST', `/process/${started.process_uuid}/resume`, { key: child.key })

  expect(await socket.closed).toBe('process stopped')
  const info = await process()
  expect(info).toMatchObject({ state: 'stopped', stop_reason: 'usage-limit' })
  const livedMs = Date.parse(info.stopped_at!) - Date.parse(info.started_at!)
  expect(Math.abs(livedMs - 2_000 - 3_000)).toBeLessThan(1_500)
  expect(Math.abs(info.stats.consumed_seconds - 3)).toBeLessThanOrEqual(1)
  expect(Math.abs((await consumedMinutes(child)) * 60 - info.stats.consumed_seconds)).toBeLessThan(0.5)
  expect(await stage.tryStart(info.source_uuid, {}, child.key)).toMatchObject({ code: 'usage-limit-reached' })
})

test('a process is its key’s; a master sees and stops those of its children', async () => {
  const [ada, bob] = await Promise.all([addChild('ada', { minutes: 5 }), addChild('bob', { minutes: 5 })])
  const started = await stage.start(await stage.upload(clip, ada.key), {}, ada.key)
  const id = started.process_uuid
  const asBob = { key: bob.key }
  for (const [method, path] of [
    ['GET', `/process/${id}`],
    ['DELETE', `/process/${id}`],
    ['POST', `/process/${id}/pause`],
    ['GET', `/process/${id}/events`],
    ['GET', `/process/${id}?username=ada`],
  ] as const)
    expect((await stage.service.call(method, path, asBob)).status, `${method} ${path}`).toBeOneOf([403, 404])
  expect((await stage.service.call('GET', `/process/${id}`)).status).toBe(404)
  expect(await stage.ask('GET', '/processes', asBob)).toEqual([])
  expect(await stage.ask('DELETE', '/processes', asBob)).toEqual({ stopped: [] })

  expect(await stage.ask('GET', `/process/${id}?username=ada`)).toMatchObject({ state: 'running' })
  expect(await stage.ask<Info[]>('GET', '/processes?username=ada')).toMatchObject([{ process_uuid: id }])
  expect(await stage.ask('DELETE', `/process/${id}?username=ada`)).toEqual({ stopped: [id] })
  expect(await stage.ask('GET', `/process/${id}`, { key: ada.key })).toMatchObject({ state: 'stopped' })
})

test('with its key go the processes, and what ran is charged', async () => {
  const child = await addChild('leaving', { minutes: 5 })
  const { sourceId } = await stage.goLive('leaving', child)
  const started = await stage.start(sourceId, {}, child.key)
  const socket = await stage.connect(started)
  await socket.more(14)
  await stage.ask('DELETE', '/keys/leaving')
  expect(await socket.closed).toBe('process stopped')
  await until(async () => stage.workers().length === 0, 5_000)
})
