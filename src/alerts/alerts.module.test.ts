import { afterEach, beforeEach, expect, test } from 'vitest'
import { accountsOn } from '../../test/builders/account.ts'
import { type AlertStage, createAlertStage, P, Q, sourceId } from '../../test/builders/alert-stage.ts'
import { aSetup, aTrack, dense, follow, search } from '../../test/builders/alerts.ts'
import { notificationSchemas } from './notification.schema.ts'

let stage: AlertStage
beforeEach(async () => void (stage = await createAlertStage()))
afterEach(() => stage.database.remove())

const one = aTrack(1, [0.5, 0.5])

test('an alert is at all processes that run and that start later, and numbers its notifications at each', async () => {
  await stage.state(P, 'running')
  const { id } = await stage.create(search)
  await stage.state(Q, 'running')
  await stage.see(P, 1_000, [one])
  await stage.see(Q, 2_000, [one])
  await stage.see(P, 3_000, [aTrack(2, [0.1, 0.5])])
  const notifications = await stage.told()
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
  expect(stage.sent[0]).toMatchObject({
    id: `${stage.sent[0]!.channel}:1`,
    channel: expect.stringMatching(`^alert:${id}:${P}:[0-9a-f]{16}$`) as string,
    accountId: stage.account.id,
    destination: { kind: 'mqtt', host: 'broker', port: 1883, topic: 'alerts', qos: 1 },
    createdAtMs: stage.clock.now(),
  })
  for (const notification of notifications)
    expect(notificationSchemas['filter-search'].safeParse(notification).error).toBeUndefined()
})

test('every output is told, each on its own channel, with the same number', async () => {
  const output = [...search.output, { type: 'webhook' as const, config: { url: 'http://x/' } }]
  await stage.create({ ...search, output })
  await stage.state(P, 'running')
  await stage.see(P, 0, [one])
  expect((await stage.told()).map(({ sequence }) => sequence)).toEqual([1, 1])
  expect(new Set(stage.sent.map(({ channel }) => channel)).size).toBe(2)
  expect(stage.sent[1]!.destination).toEqual({ kind: 'webhook', url: 'http://x/' })
})

test('scenes that come while the alerts are read are looked at all the same', async () => {
  await stage.create(search)
  stage.live.set(P, { isTracking: true, keepsPictures: true, classes: null })
  const opened = stage.state(P, 'running')
  await stage.see(P, 0, [one])
  await opened
  expect(await stage.events()).toEqual(['found P'])
})

test('deactivated it stops everywhere, and says so; activated it goes on with the next number', async () => {
  await stage.state(P, 'running')
  const { id } = await stage.create(dense)
  await stage.see(P, 0, [one])
  await stage.change(id, { status: 'inactive' })
  await stage.see(P, 100, [one])
  expect(await stage.events()).toEqual(['started P', 'ended P'])
  expect((await stage.told())[1]!.data).toMatchObject({ reason: 'alert-deactivated' })
  expect(await stage.alerts.service.listActive(stage.account)).toEqual([])
  await stage.change(id, { status: 'active', trigger: { min_count: 1, for_seconds: 1 } })
  await stage.see(P, 200, [one])
  await stage.see(P, 1_300, [one])
  expect((await stage.told()).map(({ event, sequence }) => [event, sequence])).toEqual([['started', 1], ['ended', 2], ['started', 3]]) // prettier-ignore
})

test('deleted it is silent at once, and what waits of it is dropped', async () => {
  await stage.state(P, 'running')
  const { id } = await stage.create(dense)
  await stage.see(P, 0, [one])
  await stage.settle()
  await stage.alerts.service.remove(stage.account, id)
  await stage.see(P, 100, [one])
  expect(await stage.events()).toEqual(['started P'])
  expect(stage.dropped).toEqual([stage.sent[0]!.channel])
  await expect(stage.alerts.service.remove(stage.account, id)).rejects.toMatchObject({ code: 'alert-not-found' })
})

test('nothing waits behind what was for another destination, and deleted it is dropped with the rest', async () => {
  await stage.state(P, 'running')
  const { id } = await stage.create(search)
  const [broker] = search.output
  const seeOne = (trackId: number) => stage.see(P, trackId * 1_000, [aTrack(trackId, [0.5, 0.5])])
  await seeOne(1)
  await stage.change(id, { output: [{ ...broker, config: { ...broker!.config, password: 'right' } }] }, true)
  await seeOne(2)
  await stage.change(id, { output: [{ ...broker, config: { ...broker!.config, password: 'right', qos: 2 } }] }, true)
  await seeOne(3)
  await stage.settle()
  const [wrong, right, sameAgain] = stage.sent.map(({ channel }) => channel)
  expect(right).not.toBe(wrong)
  expect(sameAgain).toBe(right)
  await stage.alerts.service.remove(stage.account, id)
  expect(stage.dropped.sort()).toEqual([wrong, right].sort())
})

test('who is cut short while deleting can delete again', async () => {
  await stage.state(P, 'running')
  const { id } = await stage.create(search)
  await stage.see(P, 0, [one])
  await stage.settle()
  stage.dropFailures = 1
  await expect(stage.alerts.service.remove(stage.account, id)).rejects.toThrow('no database')
  await stage.alerts.service.remove(stage.account, id)
  expect(stage.dropped).toEqual([stage.sent[0]!.channel])
})

test('a short loss of the source is no news; a longer one loses the target; the end ends all', async () => {
  await stage.create(follow)
  await stage.create(dense)
  await stage.state(P, 'running')
  await stage.see(P, 0, [one])
  await stage.state(P, 'reconnecting')
  await stage.clock.advance(1_900)
  await stage.state(P, 'running')
  await stage.clock.advance(5_000)
  await stage.see(P, 1_900, [one])
  expect(await stage.events()).toEqual(['acquired P', 'started P', 'update P'])
  await stage.state(P, 'paused')
  await stage.clock.advance(2_000)
  expect(await stage.events()).toEqual(['acquired P', 'started P', 'update P', 'lost P'])
  expect((await stage.told()).at(-1)!.data).toMatchObject({ reason: 'source-interrupted' })
  await stage.state(P, 'stopped')
  expect((await stage.events()).slice(4)).toEqual(['ended P'])
  await stage.see(P, 9_000, [one])
  expect(await stage.events()).toHaveLength(5)
})

test('pictures of tracks go along with those who ask for them', async () => {
  await stage.create(aSetup({ type: 'filter-search', trigger: { for_seconds: 0 }, parameters: { with_image: true } }))
  await stage.state(P, 'running')
  const picture = { trackId: 1, slot: 0, takenAtMs: 0, confidence: 1, quality: 1 }
  await stage.bus.deliver('track-pictures', {
    process: stage.brief(P),
    pictures: [
      { ...picture, role: 'crop', jpeg: Buffer.from('large') },
      { ...picture, role: 'patch', jpeg: Buffer.from('small') },
    ],
  })
  await stage.see(P, 0, [one, aTrack(2, [0.1, 0.5])])
  await stage.see(P, 2_000, [aTrack(2, [0.1, 0.5])])
  const [first, second] = (await stage.told()).map(({ data }) => data['tracks'])
  expect(first).toMatchObject([{ track_id: 1, image: Buffer.from('small').toString('base64') }])
  expect(second).toMatchObject([{ track_id: 2, image: null }])
})

test('a database that is away for a while costs nothing, not even the order', async () => {
  await stage.create(search)
  await stage.state(P, 'running')
  stage.failures = 3
  for (let id = 1; id <= 5; id++) await stage.see(P, id * 100, [aTrack(id, [0.5, 0.5])])
  await stage.settle()
  expect(stage.sent).toEqual([])
  for (let second = 0; second < 4; second++) {
    await stage.clock.advance(1_000)
    await stage.settle()
  }
  expect((await stage.told()).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
})

test('after a restart of the service numbers go on, alerts are there again, and what went on was told to be over', async () => {
  await stage.create(dense)
  await stage.state(P, 'running')
  await stage.see(P, 0, [one])
  await stage.alerts.close()
  expect(await stage.events()).toEqual(['started P', 'ended P'])
  expect((await stage.told())[1]!.data).toMatchObject({ reason: 'service-stopping' })
  await stage.restart()
  await stage.see(P, 5_000, [one])
  const numbers = (await stage.told()).map(({ sequence }) => sequence as number)
  expect(numbers).toHaveLength(3)
  expect(numbers[2]).toBeGreaterThan(numbers[1]!)
})

test('an alert of one account is at no process of another', async () => {
  const { account: other } = await accountsOn(stage.database).service.createMaster('other')
  await stage.alerts.service.create(other, { alias: 'x', status: 'active', ...search })
  await stage.state(P, 'running')
  await stage.see(P, 0, [one])
  expect(await stage.events()).toEqual([])
  expect(await stage.alerts.service.listActive(other)).toEqual([])
})

test('after a crash what went on is told to be over, ahead of anything new, and what was found is released', async () => {
  const cooled = aSetup({ type: 'filter-search', trigger: { for_seconds: 0, cooldown_seconds: 60 } })
  await stage.create(dense)
  await stage.create(follow)
  await stage.create(cooled)
  await stage.state(P, 'running')
  await stage.createOneOff(P, dense)
  await stage.see(P, 0, [one])
  await stage.see(P, 100, [one, aTrack(2, [0.1, 0.5])])
  await stage.settle()
  await stage.clock.advance(500)
  await stage.settle()
  const before = (await stage.told()).length
  await stage.restart()
  await stage.see(P, 9_000, [one])
  const told = (await stage.told()).slice(before)
  const over = told.filter(({ data }) => data['reason'] === 'service-restart')
  expect(over.map(({ event }) => event).sort()).toEqual(['ended', 'ended', 'lost'])
  expect(told.find(({ event }) => event === 'found')!.data['tracks']).toMatchObject([{ track_id: 2 }])
  for (const type of ['grid-density', 'follow-track', 'filter-search'] as const)
    for (const notification of told.filter((other) => other['type'] === type))
      expect(notificationSchemas[type].safeParse(notification).error).toBeUndefined()
  for (const { alert_uuid: id, sequence } of over) {
    const own = told.filter((other) => other['alert_uuid'] === id).map((other) => other['sequence'] as number)
    expect(own[0]).toBe(sequence)
    expect(own).toEqual([...own].sort((a, b) => a - b))
  }
})

test('what a crash left of a process that does not come back is told once', async () => {
  await stage.create(dense)
  await stage.state(P, 'running')
  await stage.see(P, 0, [one])
  await stage.settle()
  stage.live.clear()
  await stage.restart()
  await stage.restart()
  expect(await stage.events()).toEqual(['started P', 'ended P'])
})

test('what was told to be over leaves nothing to be told after a crash', async () => {
  await stage.create(dense)
  await stage.state(P, 'running')
  await stage.see(P, 0, [one])
  for (let ms = 500; ms <= 3_000; ms += 500) await stage.see(P, ms, [])
  await stage.settle()
  await stage.clock.advance(500)
  await stage.settle()
  await stage.restart()
  expect(await stage.events()).toEqual(['started P', 'ended P'])
})
