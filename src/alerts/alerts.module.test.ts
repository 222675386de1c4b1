import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { accountsOn } from '../../test/builders/account.ts'
import { type AlertRig, createAlertRig, P, Q, sourceId } from '../../test/support/alert-rig.ts'
import { aSetup, aTrack, dense, follow, search } from '../../test/builders/alerts.ts'
import { until } from '../../test/support/until.ts'
import { notificationSchemas } from './notification.schema.ts'

let rig: AlertRig
beforeEach(async () => void (rig = await createAlertRig()))
afterEach(() => rig.database.remove())

const one = aTrack(1, [0.5, 0.5])

test('an alert is at all processes that run and that start later, and numbers its notifications at each', async () => {
  await rig.state(P, 'running')
  const { id } = await rig.create(search)
  await rig.state(Q, 'running')
  await rig.see(P, 1_000, [one])
  await rig.see(Q, 2_000, [one])
  await rig.see(P, 3_000, [aTrack(2, [0.1, 0.5])])
  const notifications = await rig.notifications()
  // In which order two processes notify is nobody's promise.
  expect(notifications.find(({ process_uuid: at }) => at === P)).toEqual({
    alert_uuid: id,
    alias: 'yard',
    type: 'filter-search',
    event: 'found',
    process_uuid: P,
    source_uuid: sourceId,
    source_alias: 'yard camera',
    timestamp: '1970-01-01T00:00:01.000Z',
    sequence: 1,
    event_uuid: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    picture_url: expect.stringContaining('/picture.jpg?token=') as string,
    clip_url: expect.stringContaining('/clip.mp4?token=') as string,
    data: { tracks: [expect.objectContaining({ track_id: 1, confidence: 80 })], more: 0 },
  })
  const numbers = (processId: string) =>
    notifications.filter(({ process_uuid: at }) => at === processId).map(({ sequence }) => sequence)
  expect([numbers(P), numbers(Q)]).toEqual([[1, 2], [1]])
  const first = rig.sent.find(({ channel }) => channel.includes(P))!
  expect(first).toMatchObject({
    id: `${first.channel}:1`,
    channel: expect.stringMatching(`^alert:${id}:${P}:[0-9a-f]{16}$`) as string,
    accountId: rig.account.id,
    destination: { kind: 'mqtt', host: 'broker', port: 1883, topic: 'alerts', qos: 1 },
    createdAtMs: rig.clock.now(),
  })
  for (const notification of notifications)
    expect(notificationSchemas['filter-search'].safeParse(notification).error).toBeUndefined()
})

test('every output is told, each on its own channel, with the same number', async () => {
  const output = [...search.output, { type: 'webhook' as const, config: { url: 'http://x/' } }]
  await rig.create({ ...search, output })
  await rig.state(P, 'running')
  await rig.see(P, 0, [one])
  expect((await rig.notifications()).map(({ sequence }) => sequence)).toEqual([1, 1])
  expect(new Set(rig.sent.map(({ channel }) => channel)).size).toBe(2)
  expect(rig.sent[1]!.destination).toEqual({
    kind: 'webhook',
    url: 'http://x/',
    secret: expect.stringMatching(/^whsec_/) as string,
  })
})

test('scenes that come while the alerts are read are looked at all the same', async () => {
  await rig.create(search)
  rig.live.set(P, { isTracking: true, keepsPictures: true, classes: null })
  const opened = rig.state(P, 'running')
  await rig.see(P, 0, [one])
  await opened
  expect(await rig.events()).toEqual(['found P'])
})

test('deactivated it stops everywhere, and says so; activated it goes on with the next number', async () => {
  await rig.state(P, 'running')
  const { id } = await rig.create(dense)
  await rig.see(P, 0, [one])
  await rig.change(id, { status: 'inactive' })
  await rig.see(P, 100, [one])
  expect(await rig.events()).toEqual(['started P', 'ended P'])
  expect((await rig.notifications())[1]!.data).toMatchObject({ reason: 'alert-deactivated' })
  expect(await rig.alerts.service.listActive(rig.account)).toEqual([])
  await rig.change(id, { status: 'active', trigger: { min_count: 1, for_seconds: 1 } })
  await rig.see(P, 200, [one])
  await rig.see(P, 1_300, [one])
  expect((await rig.notifications()).map(({ event, sequence }) => [event, sequence])).toEqual([['started', 1], ['ended', 2], ['started', 3]]) // prettier-ignore
})

test('what was sent when a process ended counts for the next one on its source', async () => {
  await rig.state(P, 'running')
  await rig.create({ ...dense, trigger: { ...dense.trigger, cooldown_seconds: 10 } })
  await rig.see(P, 0, [one])
  await rig.state(P, 'stopped')
  expect(await rig.events()).toEqual(['started P', 'ended P'])
  await rig.state(P, 'running')
  await rig.see(P, 5_000, [one])
  expect(await rig.events()).toHaveLength(2)
  await rig.see(P, 10_000, [one])
  expect(await rig.events()).toEqual(['started P', 'ended P', 'started P'])
})

test('deleted it is silent at once, and what waits of it is dropped', async () => {
  await rig.state(P, 'running')
  const { id } = await rig.create(dense)
  await rig.see(P, 0, [one])
  await rig.settle()
  await rig.alerts.service.remove(rig.account, id)
  await rig.see(P, 100, [one])
  expect(await rig.events()).toEqual(['started P'])
  expect(rig.dropped).toEqual([rig.sent[0]!.channel])
  await expect(rig.alerts.service.remove(rig.account, id)).rejects.toMatchObject({ code: 'alert-not-found' })
})

test('nothing waits behind what was for another destination, and deleted it is dropped with the rest', async () => {
  await rig.state(P, 'running')
  const { id } = await rig.create(search)
  const [broker] = search.output
  const seeOne = (trackId: number) => rig.see(P, trackId * 1_000, [aTrack(trackId, [0.5, 0.5])])
  await seeOne(1)
  await rig.change(id, { output: [{ ...broker, config: { ...broker!.config, password: 'right' } }] }, true)
  await seeOne(2)
  await rig.change(id, { output: [{ ...broker, config: { ...broker!.config, password: 'right', qos: 2 } }] }, true)
  await seeOne(3)
  await rig.settle()
  const [wrong, right, sameAgain] = rig.sent.map(({ channel }) => channel)
  expect(right).not.toBe(wrong)
  expect(sameAgain).toBe(right)
  await rig.alerts.service.remove(rig.account, id)
  expect(rig.dropped.sort()).toEqual([wrong, right].sort())
})

test('who is cut short while deleting can delete again', async () => {
  await rig.state(P, 'running')
  const { id } = await rig.create(search)
  await rig.see(P, 0, [one])
  await rig.settle()
  rig.dropFailures = 1
  await expect(rig.alerts.service.remove(rig.account, id)).rejects.toThrow('no database')
  await rig.alerts.service.remove(rig.account, id)
  expect(rig.dropped).toEqual([rig.sent[0]!.channel])
})

test('a short loss of the source is no news; a longer one loses the target; the end ends all', async () => {
  await rig.create(follow)
  await rig.create(dense)
  await rig.state(P, 'running')
  await rig.see(P, 0, [one])
  await rig.settle()
  await rig.state(P, 'reconnecting')
  await rig.clock.advance(1_900)
  await rig.state(P, 'running')
  await rig.clock.advance(5_000)
  await rig.see(P, 1_900, [one])
  // Which of two alerts is heard of first is nobody's promise.
  const events = async () => {
    const [first, second, ...others] = await rig.events()
    return [...[first, second].sort(), ...others]
  }
  expect(await events()).toEqual(['acquired P', 'started P', 'update P'])
  await rig.state(P, 'paused')
  await rig.clock.advance(2_000)
  expect(await events()).toEqual(['acquired P', 'started P', 'update P', 'lost P'])
  expect((await rig.notifications()).at(-1)!.data).toMatchObject({ reason: 'source-interrupted' })
  await rig.state(P, 'stopped')
  expect((await rig.events()).slice(4)).toEqual(['ended P'])
  await rig.see(P, 9_000, [one])
  expect(await rig.events()).toHaveLength(5)
})

test('pictures of tracks go along with those who ask for them', async () => {
  await rig.create(
    aSetup({
      type: 'filter-search',
      trigger: { for_seconds: 0, cooldown_seconds: 0 },
      parameters: { with_image: true },
    }),
  )
  await rig.state(P, 'running')
  const picture = { trackId: 1, slot: 0, takenAtMs: 0, confidence: 1, quality: 1 }
  await rig.bus.deliver('track-pictures', {
    process: rig.brief(P),
    pictures: [
      { ...picture, role: 'crop', jpeg: Buffer.from('large') },
      { ...picture, role: 'patch', jpeg: Buffer.from('small') },
    ],
  })
  await rig.see(P, 0, [one, aTrack(2, [0.1, 0.5])])
  expect(rig.commands).toEqual([
    { processId: P, type: 'scene-pictures', isWanted: true },
    // Where one picture is enough, it is that of the newest.
    { processId: P, type: 'scene-picture', trackId: 2, takenAtMs: 0 },
    { processId: P, type: 'scene-picture', trackId: 1, takenAtMs: 0 },
  ])
  const scene = { trackId: 1, takenAtMs: 0, jpeg: Buffer.from('whole') }
  await rig.bus.deliver('scene-picture', { processId: P, picture: scene })
  // They need not be seen again for that.
  await rig.see(P, 500, [])
  await rig.see(P, 2_000, [])
  const [first, second] = (await rig.notifications()).map(({ data }) => data['tracks'])
  const [image, sceneImage] = ['small', 'whole'].map((text) => Buffer.from(text).toString('base64'))
  expect(first).toMatchObject([{ track_id: 1, image, scene_image: sceneImage }])
  expect(second).toMatchObject([{ track_id: 2, image: null, scene_image: null }])
})

describe('an alert event', () => {
  const rowsOf = async () => {
    await rig.settle()
    return rig.database.db.selectFrom('alert_event').selectAll().orderBy('id').execute()
  }
  /** The pipeline answers what it was last asked for. */
  async function show(jpeg: string): Promise<void> {
    const asked = rig.commands.findLast((one) => (one as { type: string }).type === 'scene-picture') as {
      trackId: number | null
      takenAtMs: number
    }
    const { trackId, takenAtMs } = asked
    await rig.bus.deliver('scene-picture', { processId: P, picture: { trackId, takenAtMs, jpeg: Buffer.from(jpeg) } })
  }
  /** Once it has one with a picture: files are written beside the database. */
  async function untilPictured() {
    await until(async () => (await rowsOf()).some(({ file }) => file !== null))
    return rowsOf()
  }

  test.each([
    { type: 'filter-search', setup: search, event: 'found', trackId: 1 },
    { type: 'follow-track', setup: follow, event: 'acquired', trackId: 1 },
    { type: 'grid-density', setup: dense, event: 'started', trackId: null },
  ])(
    'of $type is kept as it was sent, with a picture, and other features hear of it',
    async ({ setup, event, trackId }) => {
      const heard: object[] = []
      rig.bus.on('alert-event', (one) => void heard.push(one))
      const { id } = await rig.create(setup)
      await rig.state(P, 'running')
      await rig.see(P, 1_000, [one])
      const [sent] = await rig.notifications()
      expect(rig.commands).toContainEqual({ processId: P, type: 'scene-picture', trackId, takenAtMs: 1_000 })
      await show('a picture')
      const [row, ...more] = await untilPictured()
      expect(more).toEqual([])
      const eventId = sent!['event_uuid'] as string
      expect(row).toMatchObject({
        id: eventId,
        account_id: rig.account.id,
        source_id: sourceId,
        process_id: P,
        alert_id: id,
        alias: 'yard',
        type: setup.type,
        event,
        at: 1_000,
        started_at: 1_000,
        sequence: 1,
        file: `events/${P}/${eventId}.jpg`,
        size_bytes: 'a picture'.length,
      })
      expect(JSON.parse(row!.data)).toEqual(sent!.data)
      expect(readFileSync(join(rig.dataDir, row!.file!), 'utf8')).toBe('a picture')
      const ref = { processId: P, accountId: rig.account.id, sourceId }
      const trackIds = trackId === null ? [] : [trackId]
      const of = { alertId: id, alias: 'yard', type: setup.type, eventId, event, trackIds }
      expect(heard).toEqual([{ ...ref, ...of, atMs: 1_000, startedAtMs: 1_000 }])
    },
  )

  test('shows who crossed a line', async () => {
    const trigger = { window_seconds: 60, cooldown_seconds: 0 }
    await rig.create(aSetup({ type: 'flow-control', trigger }))
    await rig.state(P, 'running')
    for (const [index, x] of [0.3, 0.45, 0.55, 0.7].entries()) await rig.see(P, index * 100, [aTrack(7, [x, 0.5])])
    await show('who crossed')
    expect(await untilPictured()).toMatchObject([
      { type: 'flow-control', event: 'crossed', size_bytes: 'who crossed'.length },
    ])
    expect(rig.commands).toContainEqual(expect.objectContaining({ type: 'scene-picture', trackId: 7 }))
  })

  test('that waited for the end of a cooldown has the picture of its own moment', async () => {
    await rig.create({ ...search, trigger: { for_seconds: 0, cooldown_seconds: 30 } })
    await rig.state(P, 'running')
    await rig.see(P, 0, [one])
    await rig.see(P, 10_000, [aTrack(2, [0.1, 0.5])])
    expect(rig.commands.at(-1)).toEqual({ processId: P, type: 'scene-picture', trackId: 2, takenAtMs: 10_000 })
    await show('track 2')
    await rig.see(P, 30_000, [])
    const rows = await untilPictured()
    expect(rows.map(({ at, size_bytes: bytes }) => [at, bytes])).toEqual([
      [0, 0],
      [10_000, 'track 2'.length],
    ])
  })

  test('that ends something says when that began, and so does one of a restart; updates are none', async () => {
    await rig.create(follow)
    await rig.create(dense)
    await rig.state(P, 'running')
    for (const atMs of [1_000, 2_000, 3_000]) await rig.see(P, atMs, [one])
    await rig.alerts.close()
    rig.live.clear()
    const timesOf = async () =>
      (await rowsOf()).map(({ event, started_at: from, at }) => `${event} ${from} ${at}`).sort()
    const begun = ['acquired 1000 1000', 'started 1000 1000']
    expect(await timesOf()).toEqual([begun[0], 'ended 1000 3000', 'lost 1000 3000', begun[1]])
    expect((await rig.notifications()).filter(({ event }) => event === 'update')).not.toEqual([])
  })

  test('goes with its key, also when its picture comes later', async () => {
    await rig.create(search)
    await rig.state(P, 'running')
    await rig.see(P, 0, [one])
    await rig.see(P, 500, [aTrack(2, [0.1, 0.5])])
    await rig.settle()
    const [asked] = rig.commands.filter((command) => (command as { type: string }).type === 'scene-picture')
    const { trackId, takenAtMs } = asked as { trackId: number; takenAtMs: number }
    await show('of track 2')
    expect(await untilPictured()).toHaveLength(2)
    await rig.database.db.updateTable('account').set({ revoked_at: 1 }).execute()
    await rig.bus.deliver('key-revoked', { accountId: rig.account.id, username: 'admin', purge: true })
    const picture = { trackId, takenAtMs, jpeg: Buffer.from('late') }
    await rig.bus.deliver('scene-picture', { processId: P, picture })
    expect(await rowsOf()).toEqual([])
    expect(existsSync(join(rig.dataDir, `events/${P}`))).toBe(false)
  })
})

test('a database that is away for a while costs nothing, not even the order', async () => {
  await rig.create(search)
  await rig.state(P, 'running')
  rig.failures = 3
  for (let id = 1; id <= 5; id++) await rig.see(P, id * 100, [aTrack(id, [0.5, 0.5])])
  await rig.settle()
  expect(rig.sent).toEqual([])
  for (let second = 0; second < 4; second++) {
    await rig.clock.advance(1_000)
    await rig.settle()
  }
  expect((await rig.notifications()).map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5])
})

test('after a restart of the service numbers go on, alerts are there again, and what went on was told to be over', async () => {
  await rig.create(dense)
  await rig.state(P, 'running')
  await rig.see(P, 0, [one])
  await rig.alerts.close()
  expect(await rig.events()).toEqual(['started P', 'ended P'])
  expect((await rig.notifications())[1]!.data).toMatchObject({ reason: 'service-stopping' })
  await rig.restart()
  await rig.see(P, 5_000, [one])
  const numbers = (await rig.notifications()).map(({ sequence }) => sequence as number)
  expect(numbers).toHaveLength(3)
  expect(numbers[2]).toBeGreaterThan(numbers[1]!)
})

test('an alert of one account is at no process of another', async () => {
  const { account: other } = await accountsOn(rig.database).service.createMaster('other')
  await rig.alerts.service.create(other, { alias: 'x', status: 'active', ...search })
  await rig.state(P, 'running')
  await rig.see(P, 0, [one])
  expect(await rig.events()).toEqual([])
  expect(await rig.alerts.service.listActive(other)).toEqual([])
})

test('after a crash what went on is told to be over, ahead of anything new, and what was found is released', async () => {
  const cooled = aSetup({ type: 'filter-search', trigger: { for_seconds: 0, cooldown_seconds: 60 } })
  await rig.create(dense)
  await rig.create(follow)
  await rig.create(cooled)
  await rig.state(P, 'running')
  await rig.createOneOff(P, dense)
  await rig.see(P, 0, [one])
  await rig.see(P, 100, [one, aTrack(2, [0.1, 0.5])])
  await rig.settle()
  await rig.clock.advance(500)
  await rig.settle()
  const before = (await rig.notifications()).length
  await rig.restart()
  await rig.see(P, 9_000, [one])
  const later = (await rig.notifications()).slice(before)
  const over = later.filter(({ data }) => data['reason'] === 'service-restart')
  expect(over.map(({ event }) => event).sort()).toEqual(['ended', 'ended', 'lost'])
  expect(later.find(({ event }) => event === 'found')!.data['tracks']).toMatchObject([{ track_id: 2 }])
  for (const type of ['grid-density', 'follow-track', 'filter-search'] as const)
    for (const notification of later.filter((other) => other['type'] === type))
      expect(notificationSchemas[type].safeParse(notification).error).toBeUndefined()
  for (const { alert_uuid: id, sequence } of over) {
    const own = later.filter((other) => other['alert_uuid'] === id).map((other) => other['sequence'] as number)
    expect(own[0]).toBe(sequence)
    expect(own).toEqual([...own].sort((a, b) => a - b))
  }
})

test('what a crash left of a process that does not come back is told once', async () => {
  await rig.create(dense)
  await rig.state(P, 'running')
  await rig.see(P, 0, [one])
  await rig.settle()
  rig.live.clear()
  await rig.restart()
  await rig.restart()
  expect(await rig.events()).toEqual(['started P', 'ended P'])
})

test('what was told to be over leaves nothing to be told after a crash', async () => {
  await rig.create(dense)
  await rig.state(P, 'running')
  await rig.see(P, 0, [one])
  for (let ms = 500; ms <= 3_000; ms += 500) await rig.see(P, ms, [])
  await rig.settle()
  await rig.clock.advance(500)
  await rig.settle()
  await rig.restart()
  expect(await rig.events()).toEqual(['started P', 'ended P'])
})

test('what waits for the end of a cooldown is sent after a crash with its own times, and nothing of it is lost', async () => {
  const spaced = aSetup({
    type: 'grid-density',
    trigger: { min_count: 1, for_seconds: 0, cooldown_seconds: 60 },
    parameters: { rows: 1, columns: 1 },
  })
  await rig.create(spaced)
  await rig.state(P, 'running')
  // Here, gone for two seconds, here again: of that only the first is sent at once.
  for (const [takenAtMs, tracks] of [
    [0, [one]],
    [1_000, []],
    [3_000, []],
    [4_000, [one]],
  ] as const) {
    await rig.see(P, takenAtMs, tracks)
    await rig.settle()
    await rig.clock.advance(500)
  }
  expect(await rig.events()).toEqual(['started P'])
  await rig.restart()
  await rig.settle()
  const [, together, over] = await rig.notifications()
  expect(together).toMatchObject({
    event: 'started',
    timestamp: '1970-01-01T00:00:04.000Z',
    earlier: [{ event: 'ended', timestamp: '1970-01-01T00:00:03.000Z', data: { reason: 'below-min-count' } }],
  })
  expect(over).toMatchObject({ event: 'ended', data: { reason: 'service-restart' } })
  expect(notificationSchemas['grid-density'].safeParse(together).error).toBeUndefined()

  // What was released is a notification too, after which the others wait.
  await rig.state(P, 'running')
  const startedMs = rig.clock.now()
  for (const afterMs of [5_000, 59_000]) {
    await rig.see(P, startedMs + afterMs, [one])
    await rig.settle()
  }
  expect(await rig.notifications()).toHaveLength(3)
  await rig.see(P, startedMs + 61_000, [one])
  await rig.settle()
  expect(await rig.notifications()).toHaveLength(4)
})

describe('processes that a node takes up or gives away', () => {
  async function beginAtBoth(): Promise<void> {
    await rig.create(dense)
    for (const processId of [P, Q]) {
      await rig.state(processId, 'running')
      await rig.see(processId, 0, [one])
      await rig.settle()
    }
  }
  const numbersAt = async (processId: string) =>
    (await rig.notifications())
      .filter(({ process_uuid: at }) => at === processId)
      .map(({ event, sequence }) => [event, sequence] as const)

  test('of those that are taken up what went on is reported as over; that of others waits for whoever takes them up', async () => {
    await beginAtBoth()
    rig.rebuild()
    await rig.takeUp({ ids: [P] })
    expect(await rig.events()).toEqual(['started P', 'started Q', 'ended P'])
    await rig.see(P, 5_000, [one])
    // It is not here.
    await rig.see(Q, 5_000, [one])
    expect(await rig.events()).toEqual(['started P', 'started Q', 'ended P', 'started P'])
    await rig.takeUp({ ids: [Q] })
    await rig.see(Q, 6_000, [one])
    expect((await rig.events()).slice(4)).toEqual(['ended Q', 'started Q'])
  })

  test('one that is given away and taken up again goes on with its numbers, and nothing is notified twice', async () => {
    await beginAtBoth()
    await rig.alerts.handOverProcesses([P])
    await rig.see(P, 100, [one])
    expect(await rig.events()).toEqual(['started P', 'started Q'])
    await rig.takeUp({ ids: [P] })
    await rig.see(P, 5_000, [one])
    const events = await numbersAt(P)
    expect(events.map(([event]) => event)).toEqual(['started', 'ended', 'started'])
    const numbers = events.map(([, sequence]) => sequence as number)
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
    await rig.see(Q, 100, [])
    expect((await numbersAt(Q)).map(([, sequence]) => sequence)).toEqual([1])
  })

  test('taken up twice, as after a failure behind them, nothing is notified twice', async () => {
    await beginAtBoth()
    rig.rebuild()
    await rig.alerts.restoreProcesses({ ids: [P] })
    await rig.takeUp({ ids: [P] })
    expect(await rig.events()).toEqual(['started P', 'started Q', 'ended P'])
  })
})
