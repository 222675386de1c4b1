import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createAlertStore } from '../../src/alerts/alerts.store.ts'
import { toStoredProgress } from '../../src/alerts/progress.ts'
import { createSequenceStore } from '../../src/alerts/sequences.store.ts'
import { type Account } from '../../src/core/account.ts'
import { orderedUuid } from '../../src/core/ordered-uuid.ts'
import { createOutboxStore } from '../../src/delivery/outbox.store.ts'
import { createOutputStore } from '../../src/outputs/outputs.store.ts'
import { type Process } from '../../src/processes/process.ts'
import { createProcessStore } from '../../src/processes/processes.store.ts'
import { createSourceStore } from '../../src/sources/sources.store.ts'
import { createWebhookStore } from '../../src/webhooks/webhooks.store.ts'
import { newProgress, type Progress } from '../../src/webhooks/progress.ts'
import { accountsOn } from '../builders/account.ts'
import { anAlert, aSetup } from '../builders/alerts.ts'
import { anOutboundMessage } from '../builders/outbound-message.ts'
import { aProcess } from '../builders/process.ts'
import { aFile, aSource } from '../builders/source.ts'
import { createTestApp, type TestApp } from '../support/app.ts'
import { createMigratedDatabase, dialects, type TestDatabase } from '../support/databases.ts'
import { createHttpReceiver, type HttpReceiver } from '../support/http-receiver.ts'
import { until } from '../support/until.ts'

/** What a service left behind: a process that waits for video, one in the middle of a file, and one that has ended. */
interface Site {
  readonly waiting: string
  readonly ofFile: string
  readonly ended: string
  readonly ids: readonly string[]
}

describe.each(dialects)('two sets of processes in one database (%s)', (dialect) => {
  let database: TestDatabase
  let receiver: HttpReceiver
  let app: TestApp
  let account: Account
  let ours: Site
  let theirs: Site
  beforeEach(async () => {
    database = await createMigratedDatabase(dialect)
    receiver = await createHttpReceiver()
    app = await createTestApp({ AERIE_DATABASE_URL: database.url, AERIE_OUTBOUND_ALLOW: '127.0.0.1' })
    const { id } = await database.db.selectFrom('account').select('id').executeTakeFirstOrThrow()
    account = (await accountsOn(database).store.findById(id))!
    ;[ours, theirs] = [await leave('ours', 1), await leave('theirs', 1_000)]
  })
  afterEach(async () => {
    await app.remove()
    await receiver.close()
    await database.remove()
  })

  const urlOf = (site: string) => new URL(`/${site}`, receiver.url).href

  async function leave(site: string, position: number): Promise<Site> {
    const sources = createSourceStore(database.db)
    const [camera, file] = [
      aSource({ id: orderedUuid(), accountId: account.id, mediaPath: `admin/${site}`, fingerprint: site }),
      { ...aFile(account.id, `${site}.mp4`, 1), id: orderedUuid(), fingerprint: `${site} file` },
    ]
    for (const source of [camera, file]) await sources.insertWithinLimits(account, source)
    const options = { ...aProcess().options, begins: 'each-time-live' } as const
    const waiting = await add({ sourceId: camera.id, options, state: 'waiting', startedAt: 1, consumedMs: 12_345 })
    const ofFile = await add({ sourceId: file.id, sourceType: 'file', state: 'running', startedAt: 1 })
    const ended = await add({ sourceId: camera.id, state: 'running', startedAt: 1 })
    const all = [waiting, ofFile, ended]
    for (const process of all) await leaveOf(site, process, (position += 10))
    await createProcessStore(database.db).update({ ...ended, state: 'stopped', stopReason: 'requested', stoppedAt: 2 })
    return { waiting: waiting.id, ofFile: ofFile.id, ended: ended.id, ids: all.map(({ id }) => id) }
  }

  async function add(change: Partial<Process>): Promise<Process> {
    const process = aProcess({ id: orderedUuid(), accountId: account.id, lastTrackId: 100, ...change })
    const roomy = { ...account, limits: { ...account.limits, maxProcesses: 100 } }
    expect(await createProcessStore(database.db).insertWithinLimits(roomy, process)).toBe('inserted')
    return process
  }

  /** An output, a subscription with a message that waits, and an alert in whose middle the service ended. */
  async function leaveOf(site: string, { id: processId, sourceId, state }: Process, position: number): Promise<void> {
    const { db } = database
    const roomy = { ...account, limits: { ...account.limits, maxOutputs: 100, maxAttachedOutputs: 100 } }
    const rest = { settings: null, processId: null, createdAt: 1 }
    const output = { id: orderedUuid(), accountId: account.id, alias: site, ...rest }
    const url = `rtmp://host/${processId}`
    await createOutputStore(db).insertWithinLimit(roomy, { ...output, type: 'rtmp', url, mediaPath: null })
    expect(await createOutputStore(db).attachWithinLimit(roomy, output.id, processId)).toBe('attached')

    const subscriptionId = orderedUuid()
    const destination = { kind: 'webhook', url: urlOf(site), secret: 'whsec_c2VjcmV0' } as const
    await createWebhookStore(db).insertWithinLimit(
      account,
      {
        id: subscriptionId,
        accountId: account.id,
        processId,
        notificationUrl: destination.url,
        eventType: 'process-state',
        notificationFormat: 'simple',
        backoffMs: 0,
        authUrl: null,
        secret: destination.secret,
        progress: newProgress(state),
        createdAt: 1,
        endedAt: null,
      },
      20,
    )
    const body = JSON.stringify({ type: 'waited', process_uuid: processId })
    const message = anOutboundMessage(orderedUuid(), { processId, destination, body, accountId: account.id })
    const place = { position, attempts: 0, sizeBytes: body.length, expiresAtMs: Date.now() + 3_600_000 }
    const inserts = [{ ...message, channel: `webhook:${subscriptionId}`, ...place }]
    await createOutboxStore(db).write({ inserts, sent: [], delivered: [], failed: [], nowMs: 1 })

    const setup = aSetup({
      type: 'grid-density',
      trigger: { min_count: 1, for_seconds: 0, cooldown_seconds: 0 },
      output: [{ type: 'webhook', config: { url: urlOf(site) } }],
    })
    const alert = anAlert({ accountId: account.id, setup })
    await createAlertStore(db).insertWithinLimits(account, alert, { registered: 100, active: 100 })
    const process = { processId, accountId: account.id, sourceId }
    const events = [{ event: 'ended', data: { reason: 'service-restart' } }]
    const progress = { process, inFlight: [], unfinished: { alert, events, seenAt: { takenAtMs: 1 } } }
    await createSequenceStore(db).raiseReserved(alert.id, processId, 100)
    await createSequenceStore(db).saveProgress(alert.id, processId, toStoredProgress(progress))
  }

  /** Everything that the database has of these processes. */
  async function rowsOf({ ids }: Site) {
    const { db } = database
    const all = await Promise.all([
      db.selectFrom('process').selectAll().where('id', 'in', ids).orderBy('id').execute(),
      ...(['output', 'webhook_subscription', 'alert_sequence', 'alert_channel', 'delivery'] as const).map((table) =>
        db.selectFrom(table).selectAll().where('process_id', 'in', ids).orderBy('process_id').execute(),
      ),
    ])
    return all
  }
  const outputsOf = async (processId: string) =>
    (await database.db.selectFrom('output').select('id').where('process_id', '=', processId).execute()).length
  const stateOf = async (processId: string) =>
    (await database.db.selectFrom('process').select('state').where('id', '=', processId).executeTakeFirstOrThrow())
      .state
  /** What has arrived about a process, in its order by where it came from. */
  const arrivedOf = (processId: string): Record<string, unknown>[] =>
    receiver.calls
      .map(({ body }) => JSON.parse(body) as Record<string, unknown>)
      .filter(({ process_uuid: id }) => id === processId)
  const webhooksOf = (processId: string) =>
    arrivedOf(processId).flatMap((one) => ('alert_uuid' in one ? [] : [one['state'] ?? one['type']]))
  const alertsOf = (processId: string) => arrivedOf(processId).filter((one) => 'alert_uuid' in one)
  /** All that was left is done: notified, written, and delivered. */
  const untilDone = ({ ids }: Site) =>
    until(async () => {
      const { db } = database
      const unfinished = db.selectFrom('alert_sequence').select('alert_id').where('progress', 'is not', null)
      const waiting = db.selectFrom('delivery').select('id').where('state', '=', 'waiting')
      const subscriptions = db.selectFrom('webhook_subscription').select('progress').where('process_id', 'in', ids)
      const isSent = ({ progress }: { progress: string }) => (JSON.parse(progress) as Progress).released.length === 0
      if (!(await subscriptions.execute()).every(isSent)) return false
      const left = await unfinished.where('process_id', 'in', ids).execute()
      return left.length === 0 && (await waiting.where('process_id', 'in', ids).execute()).length === 0
    })

  test('taking up one set leaves the rows, deliveries and sequences of the other untouched', async () => {
    const before = await rowsOf(theirs)
    await app.work.takeUp({ ids: ours.ids })
    await untilDone(ours)
    expect(await rowsOf(theirs)).toEqual(before)
    expect(new Set(receiver.calls.map(({ path }) => path))).toEqual(new Set(['/ours']))

    expect([await stateOf(ours.waiting), await stateOf(ours.ofFile)]).toEqual(['waiting', 'failed'])
    expect([await outputsOf(ours.waiting), await outputsOf(ours.ofFile), await outputsOf(ours.ended)]).toEqual([
      1, 0, 0,
    ])
    expect(webhooksOf(ours.waiting)).toEqual(['waited'])
    expect(webhooksOf(ours.ofFile)).toEqual(['waited', 'failed'])
    expect(webhooksOf(ours.ended)).toEqual(['waited', 'stopped'])
    for (const id of ours.ids)
      expect(alertsOf(id)).toMatchObject([{ event: 'ended', sequence: 101, data: { reason: 'service-restart' } }])

    await app.work.takeUp({ ids: theirs.ids })
    await untilDone(theirs)
    expect(webhooksOf(theirs.ofFile)).toEqual(['waited', 'failed'])
    expect(webhooksOf(ours.ofFile)).toEqual(['waited', 'failed'])
  })

  test('a process that is handed over is left as it was, and goes on where it is taken up; nothing is lost or said twice', async () => {
    await app.work.takeUp({ ids: ours.ids })
    await untilDone(ours)
    const [before, others] = [await rowsOf(ours), await rowsOf(theirs)]
    const arrived = receiver.calls.length
    let given: typeof before | undefined
    expect(await app.work.handOver(ours.waiting, async () => void (given = await rowsOf(ours)))).toBe(true)
    expect(given).toEqual(before)
    expect([await stateOf(ours.waiting), await outputsOf(ours.waiting)]).toEqual(['waiting', 1])

    await app.work.takeUp({ ids: [ours.waiting] })
    await untilDone(ours)
    expect(receiver.calls).toHaveLength(arrived)
    expect((await app.call('DELETE', `/process/${ours.waiting}`)).status).toBe(200)
    await until(async () => webhooksOf(ours.waiting).at(-1) === 'stopped')
    expect(webhooksOf(ours.waiting)).toEqual(['waited', 'stopping', 'stopped'])
    expect(alertsOf(ours.waiting)).toHaveLength(1)
    expect(await outputsOf(ours.waiting)).toBe(0)
    const charged = database.db.selectFrom('charge').select('milliseconds').where('id', '=', ours.waiting)
    expect(await charged.executeTakeFirst()).toEqual({ milliseconds: 12_345 })
    expect(await rowsOf(theirs)).toEqual(others)
  })

  test('where it cannot be given away it goes on here', async () => {
    await app.work.takeUp({ ids: ours.ids })
    const refused = app.work.handOver(ours.waiting, () => Promise.reject(new Error('nobody takes it')))
    await expect(refused).rejects.toThrow('nobody takes it')
    expect((await app.call('DELETE', `/process/${ours.waiting}`)).status).toBe(200)
    await until(async () => webhooksOf(ours.waiting).at(-1) === 'stopped')
  })

  test('one that has ended stays, and so does one that is not here', async () => {
    await app.work.takeUp({ ids: ours.ids })
    for (const id of [ours.ofFile, theirs.waiting])
      expect(await app.work.handOver(id, () => Promise.reject(new Error('not asked')))).toBe(false)
  })
})
